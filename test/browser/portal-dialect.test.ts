import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { credentialsFromKit } from '../../contracts/client/credentials.ts'
import { responseJson } from '../../contracts/client/http-exchange.ts'
import { createMerchant } from '../../contracts/client/merchant-client.ts'
import { switchableDecisions } from '../../contracts/dialect/decision-choices.ts'
import { irisRequest } from '../support/payment-requests.ts'
import { accessibilityFlaws } from './accessibility-flaws.ts'
import { layoutFlaws } from './layout-flaws.ts'
import { expect } from './open-browser.ts'
import { PORTAL } from './portal-sandbox.ts'
import { setUpPortalTests, type Visit } from './portal-test-setup.ts'

let { site, page } = {} as Visit
setUpPortalTests(visit => {
  ;({ site, page } = visit)
})

const profileText = (name: string): string =>
  readFileSync(join(import.meta.dirname, `../conformance/dialects/${name}.yaml`), 'utf8')

const field = () => page.getByTestId('profile-field')
const name = () => page.getByTestId('dialect-name')
const refused = () => page.getByTestId('portal-refused')
const speak = async (text: string) => {
  await field().fill(text)
  await page.getByTestId('speak-profile').click()
}

/** Initiates a payment as a merchant made from an organization's kit; returns the response as it is on the wire. */
const initiate = async (organization: string) => {
  const kit = await site.control('GET', `${organization}/kit`)
  const merchant = createMerchant(credentialsFromKit(kit))
  try {
    const exchange = await merchant.request('initiate', {
      json: { ...irisRequest(), processingAccountId: kit.processingAccountIds[0] },
    })
    return { status: exchange.response?.status, body: responseJson(exchange) }
  } finally {
    await merchant.close()
  }
}

test('2: an organization speaks the dialect of a pasted profile, and a payment is told in it, until the usual is back', async () => {
  await page.goto(`${site.url}${PORTAL}`)
  await page.getByTestId('nav-dialect').click()
  await expect(page.getByTestId('nav-dialect')).toHaveAttribute('aria-current', 'page')
  await expect(name()).toHaveText('our own')
  await expect(page.getByTestId('speak-usual')).toHaveCount(0)
  const text = profileText('snake-case')
  await field().fill(text)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('portal-done')).toBeVisible()
  await expect(name()).toHaveText('Snake')
  await expect(field()).toHaveValue(text)
  expect(await site.control('GET', `${site.here}/dialect`)).toMatchObject({ name: 'Snake', profile: text })
  expect(await initiate(site.here)).toMatchObject({ status: 201, body: { payment_ref: expect.any(String) } })
  await page.getByTestId('speak-usual').click()
  await expect(page.getByTestId('portal-done')).toBeVisible()
  await expect(name()).toHaveText('our own')
  await expect(field()).toHaveValue('')
  expect(await initiate(site.here)).toMatchObject({ status: 200, body: { transactionId: expect.any(String) } })
})

test.each([
  ['a line that no profile has', 'name: Snake\nlingo: x', 'profile:2: lingo'],
  ['the same after an empty line', '\nlingo: x', 'profile:2: lingo'],
  ['a value that a decision does not have', 'decisions:\n  D-07: "418"', 'profile:2: decisions.D-07 is "418": give'],
  ['no YAML', 'naming: [', 'profile:1'],
])('2: %s is refused with its line above the form, which keeps what was typed', async (_what, text, message) => {
  await page.goto(`${site.url}${PORTAL}/dialect`)
  await speak(text)
  await expect(refused()).toContainText(message)
  await expect(field()).toHaveValue(text)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width: 390, height: 800 })
    expect([...(await accessibilityFlaws(page)), ...(await layoutFlaws(page))]).toEqual([])
  }
  expect(await site.control('GET', `${site.here}/dialect`)).toMatchObject({ name: 'our own', lines: {} })
})

test('the decisions that a profile chooses otherwise are listed, and the usual ones counted', async () => {
  const rows = page.getByTestId('decision-row')
  await page.goto(`${site.url}${PORTAL}/dialect`)
  await expect(rows).toHaveCount(0)
  await expect(page.getByTestId('usual-decisions')).toHaveText(/^All \d+ decisions/)
  await speak("naming: snake_case\ndecisions:\n  D-07: '402'\n  D-73: newest-first\n")
  await expect(name()).toHaveText('a profile without a name')
  await expect(rows).toHaveCount(1)
  await expect(rows.first()).toContainText('D-07')
  await expect(rows.first()).toContainText('Is a decline by the shopper or the bank an HTTP error?')
  await expect(rows.first()).toContainText('402')
  await expect(rows.first()).toContainText('the same body with 402')
  await expect(page.getByTestId('usual-decisions')).toHaveText(
    `The other ${switchableDecisions().length - 1} that a profile can switch are as usual.`,
  )
})

test('payments are shown, found and opened by the numbers that their organization has as ids', async () => {
  const here = 'organizations/ledger-shop'
  await site.control('POST', 'organizations', { id: 'ledger-shop' })
  await site.control('PUT', `${here}/dialect`, { profile: profileText('bookkeeping') })
  const [, wire] = [await initiate(here), (await initiate(here)) as { body: { data: { payment: number } } }]
  const id = String(wire.body.data.payment)
  expect(id).toMatch(/^\d+$/)
  const rows = page.getByTestId('payment-row')
  const portal = `${site.url}/portal/organizations/ledger-shop`
  await page.goto(`${portal}/payments`)
  await expect(rows).toHaveCount(2)
  await page.getByTestId('payments-transactionId').fill(id)
  await page.getByTestId('payments-find').click()
  await expect(rows).toHaveCount(1)
  await expect(rows.locator('[data-copy]')).toHaveAttribute('data-copy', id)
  await page.getByTestId('payment-timeline').click()
  await expect(page).toHaveURL(`${portal}/payments/${id}`)
  await expect(page.getByRole('main').locator('code.id')).toHaveText(id)
  const file = await page.getByTestId('timeline-file').getAttribute('href')
  expect(await (await fetch(site.url + file)).text()).toContain(`<title>${id}</title>`)
  await page.goto(`${portal}/clock`)
  await expect(page.locator(`a.id[href$="/payments/${id}"]`)).not.toHaveCount(0)
  await site.control('POST', `${here}/clock`, { advance: 'P1D' })
  await page.goto(`${portal}/inbox`)
  await expect(page.getByTestId('message').locator(`a.id[href$="/payments/${id}"]`)).not.toHaveCount(0)
  await page.goto(`${portal}/journal?transactionId=${id}`)
  await page.getByTestId('journal-call').first().click()
  await page.getByTestId('call-timeline').click()
  await expect(page.getByRole('main').locator('code.id')).toHaveText(id)
})
