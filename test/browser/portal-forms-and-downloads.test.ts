import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { expect } from './open-browser.ts'
import { completeBlikPayment, PORTAL } from './portal-sandbox.ts'
import { setUpPortalTests, type Visit } from './portal-test-setup.ts'

let { site, page } = {} as Visit
setUpPortalTests(
  visit => {
    ;({ site, page } = visit)
  },
  { acceptDownloads: true },
)

const done = () => page.getByTestId('portal-done')
const refused = () => page.getByTestId('portal-refused')
/** The only field that is marked; it is described by the refusal, which a screen reader then reads with it. */
const expectToBeTheWrongOne = async (input: Locator) => {
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(1)
  await expect(input).toHaveAttribute('aria-invalid', 'true')
  const said = (await refused().innerText()).replaceAll(/[$()*+.?[\]^{|}]/g, '\\$&')
  await expect(input).toHaveAccessibleDescription(new RegExp(`^${said}`))
}

const downloaded = async (testId: string) => {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId(testId).first().click()])
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
}

test('an organization is created from the landing page, and its kit downloaded', async () => {
  await page.goto(site.url)
  await page.getByTestId('open-portal').click()
  await page.getByTestId('id-field').fill('Not An Id')
  await page.getByTestId('create-organization').click()
  await expect(refused()).toContainText('lowercase letters')
  await expect(page.getByTestId('id-field')).toHaveValue('Not An Id')
  await page.getByTestId('id-field').fill('corner-shop')
  await page.getByTestId('create-organization').click()
  await expect(page).toHaveURL(`${site.url}/portal/organizations/corner-shop`)
  await expect(done()).toBeVisible()
  await expect(page.getByTestId('account-row')).toHaveCount(2)
  const kit = await downloaded('download-kit')
  expect(kit.name).toBe('corner-shop-kit.json')
  expect(JSON.parse(kit.text)).toMatchObject({ organizationId: 'corner-shop' })
  const folder = await downloaded('download-kit-folder')
  expect(folder.name).toBe('corner-shop-kit.zip')
  expect(folder.text).toContain('corner-shop/kit.json')
  expect((await site.control('GET', 'organizations')).organizations).toContainEqual(
    expect.objectContaining({ organizationId: 'corner-shop' }),
  )
})

test('a refusal begins with the label of its field, and marks the field', async () => {
  for (const [path, field, text, button, begins] of [
    ['clock', 'rate', '-1', 'clock-scale', 'Times as fast is -1: '],
    ['clock', 'rate', 'abc', 'clock-scale', 'Times as fast is "abc": '],
    ['clock', 'rate', '1,5,0', 'clock-scale', 'Times as fast is "1,5,0": '],
    ['clock', 'duration', '1 hour', 'clock-advance', 'Forward by is "1 hour": '],
    ['webhooks', 'url', 'banana', 'add-endpoint', 'Address is "banana": '],
    ['identities', 'publicKey', 'banana', 'register-key', 'Public key is not PEM: '],
    ['identities', 'certificate', 'banana', 'trust-certificate', 'Client certificate is '],
  ] as const) {
    await page.goto(`${site.url}${PORTAL}/${path}`)
    const input = page.getByTestId(`${field}-field`)
    await input.evaluate(one => one.closest('details')?.setAttribute('open', ''))
    await input.fill(text)
    await page.getByTestId(button).click()
    await expect(refused()).toHaveText(new RegExp(`^${begins}`))
    await expectToBeTheWrongOne(input)
  }
})

test('a refusal whose sentence names no field marks the field that it is about', async () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const registered = String(publicKey.export({ format: 'pem', type: 'spki' }))
  await site.control('POST', `${site.here}/signing-keys`, { publicKey: registered })
  for (const [path, field, text, button, says] of [
    ['/portal/organizations', 'id-field', 'Not An Id', 'create-organization', 'lowercase letters'],
    ['/portal/organizations', 'id-field', 'demo-merchant', 'create-organization', 'choose another id'],
    [`${PORTAL}/dialect`, 'profile-field', 'naming: nonsense', 'speak-profile', 'naming must be one of'],
    [`${PORTAL}/lab`, 'lab-request', 'nonsense', 'lab-examine', 'There is no request line'],
    [`${PORTAL}/identities`, 'publicKey-field', registered, 'register-key', 'registered already'],
    [`${PORTAL}/scenarios?use=x`, 'scenario-field', 'NO_SUCH', 'mock-set', 'there is no scenario NO_SUCH'],
    [`${PORTAL}/scenarios?use=SUCCESS`, 'key-field', 'x'.repeat(256), 'mock-set', 'Its value must be a text of 1 to'],
  ] as const) {
    await page.goto(site.url + path)
    const input = page.getByTestId(field)
    await input.evaluate(one => one.closest('details')?.setAttribute('open', ''))
    if (path.includes('/scenarios')) await page.getByTestId('key-field').fill('payer-1')
    await input.fill(text)
    await page.getByTestId(button).click()
    await expect(refused()).toContainText(says)
    await expectToBeTheWrongOne(input)
  }
})

test.each([
  ['payments?amountFrom=ten', 'payments-amountFrom', 'Amount from is "ten"'],
  ['payments?amountTo=ten', 'payments-amountTo', 'Amount to is "ten"'],
  ['payments?status=none', 'payments-status', 'Status is "none"'],
  ['payments?state=none', 'payments-state', 'State is "none"'],
  ['payments?providerId=none', 'payments-providerId', 'Method is "none"'],
  ['payments?createdFrom=10000-01-01', 'payments-createdFrom', 'From day is "10000-01-01"'],
  ['payments?createdTo=10000-01-01', 'payments-createdTo', 'To day is "10000-01-01"'],
  ['journal?status=none', 'journal-status', 'Status is "none"'],
  ['journal?q=1+2+3+4+5+6+7+8+9+10+11', 'journal-q', 'Words in values has 11 different words'],
  ['reports?type=none', 'type-field', 'Type is "none"'],
  ['reports?processingAccountId=none', 'processingAccountId-field', 'Account is "none"'],
])('a refused filter %s begins with the label of its field %s, and marks the field', async (path, field, begins) => {
  await page.goto(`${site.url}${PORTAL}/${path}`)
  await expect(refused()).toHaveText(new RegExp(`^${begins}`))
  await expectToBeTheWrongOne(page.getByTestId(field))
})

test.each([
  ['from=2026-12-05&to=2026-11-01', 'to', 'To is before from: exchange the two.'],
  ['from=2026-11-01&to=2026-12-05', 'from', 'From and to span more than 31 days: ask in parts.'],
])(
  'a refused list of reports %s begins with the label of its field %s, and marks the field',
  async (query, field, said) => {
    await page.goto(`${site.url}${PORTAL}/reports?${query}`)
    await expect(refused()).toHaveText(said)
    await expectToBeTheWrongOne(page.getByTestId(`${field}-field`))
  },
)

test('5.1: a certificate is issued for a CSR, downloaded and revoked', async () => {
  const folder = temporaryFolder()
  const key = join(folder, 'client.pem')
  const pair = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key]
  const csr = execFileSync('openssl', ['req', '-new', ...pair, '-subj', '/CN=client'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await page.goto(`${site.url}${PORTAL}/identities`)
  await page.getByTestId('open-issue').click()
  await page.getByTestId('csr-field').fill('nonsense')
  await page.getByTestId('issue-certificate').click()
  await expect(refused()).toContainText('Certificate request')
  await page.getByTestId('csr-field').fill(csr.toString())
  await page.getByTestId('issue-certificate').click()
  await expect(done()).toBeVisible()
  const { name, text } = await downloaded('download-certificate')
  expect(name).toBe('demo-merchant-certificate.pem')
  const issued = new X509Certificate(text)
  const ca = new X509Certificate((await downloaded('download-ca')).text)
  expect(issued.verify(ca.publicKey)).toBe(true)
  expect(issued.subject).toContain('demo-merchant')

  await page.locator('.confirm > summary').click()
  await page.getByTestId('revoke-certificate').click()
  await expect(page.locator('[data-state="revoked"]')).toBeVisible()
  const { certificates } = await site.control('GET', `${site.here}/certificates`)
  expect(certificates.find((one: { fingerprint: string }) => one.fingerprint === issued.fingerprint256).state).toBe(
    'revoked',
  )
})

test('5.1: the kit is renewed with a new key and certificate, and the previous one stays valid', async () => {
  const before = await site.control('GET', `${site.here}/kit`)
  await page.goto(`${site.url}${PORTAL}/identities`)
  await page.getByTestId('open-renew-kit').click()
  await page.getByTestId('renew-kit').click()
  await expect(done()).toBeVisible()
  const kit = JSON.parse((await downloaded('download-kit')).text)
  expect(kit.privateKey).not.toBe(before.privateKey)
  expect(new X509Certificate(kit.certificate).fingerprint256).toBe(
    decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? ''),
  )
  const states = (await site.control('GET', `${site.here}/certificates`)).certificates
  const old = new X509Certificate(before.certificate).fingerprint256
  expect(states.find((one: { fingerprint: string }) => one.fingerprint === old).state).toBe('valid')
})

test('5.2: a key is rotated: both validities overlap in the picture, then the old key is deregistered', async () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  await site.control('POST', 'organizations', { id: 'key-shop' })
  await site.control('POST', 'organizations/key-shop/clock', { advance: 'P100D' })
  await page.goto(`${site.url}/portal/organizations/key-shop/identities`)
  const rows = page.getByTestId('key-row')
  await expect(rows).toHaveCount(3)
  await page.getByTestId('open-register-key').click()
  await page.getByTestId('publicKey-field').fill(JSON.stringify(publicKey.export({ format: 'jwk' })))
  await page.getByTestId('register-key').click()
  await expect(done()).toBeVisible()
  await expect(rows).toHaveCount(4)
  const [old, fresh] = [await barOf(rows.nth(0)), await barOf(rows.nth(3))]
  expect(old.begin).toBeLessThan(fresh.begin)
  expect(fresh.begin).toBeLessThan(old.end)
  expect(old.end).toBeLessThan(fresh.end)

  await rows.nth(0).locator('summary').click()
  await rows.nth(0).getByTestId('deregister-key').click()
  await expect(rows.nth(0).locator('[data-state="deregistered"]')).toBeVisible()
  expect((await barOf(rows.nth(0))).end).toBeLessThan(old.end)
  await page.getByTestId('open-register-key').click()
  await page.getByTestId('publicKey-field').fill('-----BEGIN EC PRIVATE KEY-----')
  await page.getByTestId('register-key').click()
  await expect(refused()).toBeVisible()
})

const barOf = async (row: ReturnType<Page['getByTestId']>) => {
  const bar = row.locator('svg.life rect:not(.ground)')
  const [x, width] = await Promise.all(['x', 'width'].map(async name => Number(await bar.getAttribute(name))))
  return { begin: Number(x), end: Number(x) + Number(width) }
}

test('4, D-75: a report exists after the end of its day, and is the CSV that merchants get', async () => {
  await completeBlikPayment(site)
  await page.goto(`${site.url}${PORTAL}/reports`)
  await expect(page.getByTestId('no-reports')).toBeVisible()
  await page.getByTestId('finish-day').click()
  await expect(done()).toBeVisible()
  await expect(page.getByTestId('report-row').first()).toBeVisible()
  await page.getByTestId('type-field').selectOption('TRANSACTION_DETAILS')
  await page.getByTestId('list-reports').click()
  await expect(page.getByTestId('report-row')).toHaveCount(1)
  const { name, text } = await downloaded('download-report')
  expect(name).toMatch(/^TRANSACTION_DETAILS_demo-merchant-account-1_[0-9a-f-]{36}_\d{8}\.csv$/)
  expect(text).toMatch(/^timestamp,type,transactionId,.*\r\n.*,CAPTURE,.*,BLIK,1000,PLN\r\n$/)
})

test('1, D-77: a capability is changed for one account, marked, and reset', async () => {
  await page.goto(`${site.url}${PORTAL}/capabilities`)
  const box = page.getByRole('checkbox', { name: 'BLIK: Partial capture', exact: true })
  await expect(box).toBeChecked()
  await box.uncheck()
  await page.getByTestId('set-capabilities').click()
  await expect(done()).toBeVisible()
  await expect(box).not.toBeChecked()
  await expect(page.locator('.otherwise')).toHaveCount(1)
  await expect(page.locator('.otherwise')).toHaveText('differs from the contract')
  await expect(box).toHaveAccessibleDescription('differs from the contract')
  await expect(page.getByTestId('capability-row').filter({ hasText: /\b(yes|no)\b/ })).toHaveCount(0)
  const path = (account: number) => `${site.here}/accounts/demo-merchant-account-${account}/capabilities`
  expect((await site.control('GET', path(1))).capabilities.BLIK).toMatchObject({ partialCapture: false, refund: true })
  expect((await site.control('GET', path(2))).capabilities.BLIK.partialCapture).toBe(true)
  await page.getByTestId('usual-capabilities').click()
  await expect(box).toBeChecked()
})

test('a shortened value is copied in full', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${site.url}${PORTAL}/identities`)
  const row = page.getByTestId('certificate-row').first()
  await row.getByTestId('portal-copy').click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
})

test.each([
  ['/portal/organizations', '', 'create-organization'],
  [`${PORTAL}/clock`, '', 'clock-advance'],
  [`${PORTAL}/identities`, 'open-renew-kit', 'renew-kit'],
  [`${PORTAL}/conduct`, '', 'drill-begin'],
])(
  'a form of %s is sent once by a double click, and may be sent again on a page that comes back or stays',
  async (...at) => {
    const [path, opens, button] = at
    const sent: (string | null)[] = []
    await page.route('**/*', async route => {
      if (route.request().method() !== 'POST') return route.continue()
      sent.push(route.request().postData())
      await route.fulfill({ status: 204 }) // the page stays
    })
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.goto(site.url + path)
    if (opens) await page.getByTestId(opens).click()
    await page.getByTestId(button).first().dblclick()
    await page.getByTestId(button).first().click()
    expect(sent).toHaveLength(1)
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await page.getByTestId(button).first().click()
    await expect.poll(() => sent).toEqual([sent[0], sent[0]])
    await page.clock.runFor(5_000) // the browser was told to stop
    await page.getByTestId(button).first().click()
    await expect.poll(() => sent).toEqual([sent[0], sent[0], sent[0]])
    if (button === 'drill-begin') expect(sent[0]).toMatch(/^name=\w+$/)
  },
)

test('a reload does not say again what a form has done', async () => {
  await page.goto(`${site.url}${PORTAL}/identities`)
  await page.getByText('Revoke all', { exact: true }).click()
  await page.getByTestId('revoke-tokens').click()
  await expect(done()).toContainText('Every access token is revoked')
  await expect(page).toHaveURL(`${site.url}${PORTAL}/identities`)
  await page.reload()
  await expect(page.locator('h1')).toBeVisible()
  await expect(done()).toHaveCount(0)
  await page.goto(`${site.url}${PORTAL}/clock`)
  await page.getByTestId('clock-advance').click()
  await expect(page.getByTestId('clock-told')).toBeVisible()
  await page.reload()
  await expect(page.getByTestId('clock-now')).toBeVisible()
  await expect(page.getByTestId('clock-told')).toHaveCount(0)
})

test('a page that shows a refusal is live, and a reload of its address shows the page', async () => {
  const { endpointId } = await site.control('POST', `${site.here}/webhooks`, { url: 'http://shop.example/refused' })
  const endpoint = `${PORTAL}/webhooks/${endpointId}`
  await page.goto(site.url + endpoint)
  await page.getByTestId('open-change-endpoint').click()
  await page.getByTestId('url-field').fill('nowhere')
  await page.getByTestId('change-endpoint').click()
  await expect(refused()).toBeVisible()
  await expect(page.locator('html[data-connection=live]')).toHaveCount(1)
  await site.control('PATCH', `${site.here}/webhooks/${endpointId}`, { enabled: false })
  await expect(page.getByTestId('enable-endpoint')).toBeVisible()
  await expect(page.getByTestId('url-field')).toHaveValue('nowhere')
  await page.goto(page.url())
  await expect(page).toHaveURL(site.url + endpoint)
})
