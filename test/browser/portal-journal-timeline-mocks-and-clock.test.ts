import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { createMerchant, type Merchant } from '../../contracts/client/merchant-client.ts'
import { expect, openBrowser, type TestBrowser } from './open-browser.ts'
import { PORTAL, type PortalSandbox, startPortalSandbox } from './portal-sandbox.ts'

let site: PortalSandbox
let browser: TestBrowser
let merchant: Merchant
let receiver: Server
let received = 0

beforeAll(async () => {
  receiver = createServer((_, answer) => {
    received += 1
    answer.writeHead(received === 1 ? 500 : 200).end()
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  site = await startPortalSandbox({ journalSize: 1_000, settleAfter: 3_600_000, webhookPrivate: ['127.0.0.0/8'] })
  merchant = createMerchant(site.credentials, { now: () => site.controlPlane.now('demo-merchant') })
  browser = await openBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await merchant?.close()
  await site?.stop()
  receiver?.close()
})
afterEach(async () => {
  await browser.closePages()
  expect(browser.complaints.splice(0)).toEqual([])
})

const open = async (path: string, options = {}): Promise<Page> => {
  const page = await browser.newPage(options)
  await page.goto(`${site.url}${PORTAL}${path}`)
  return page
}
const lines = (page: Page) => page.getByTestId('journal-call')
const accountId = (): string => String(site.kit.processingAccountIds[0])

const payByBlik = async (clientTransactionId: string, payerId?: string) => {
  const { code } = await site.control('POST', `${site.here}/blik/codes`, {})
  return merchant.initiate({
    processingAccountId: accountId(),
    clientTransactionId,
    transactionType: 'ONE_TIME',
    paymentDetails: { amount: 4990, currency: 'PLN', country: 'PL', description: 'Two jars of honey' },
    providerDetails: { providerId: 'BLIK' },
    payerDetails: { oneTimeCode: code, ...(payerId === undefined ? {} : { payerId }) },
  })
}

test('the journal adds an answered call without a reload, unless a filter excludes it', async () => {
  const page = await open('/journal')
  await expect(page.getByTestId('journal-live')).toBeVisible()
  await merchant.status('first')
  await expect(lines(page).first()).toContainText('/payments/first/status')
  await expect(page.getByTestId('journal-empty')).toBeHidden()
  await lines(page).first().press('/')
  await page.keyboard.type('second')
  await expect(lines(page)).toHaveCount(0)
  await expect(page).toHaveURL(/\?q=second$/)
  await merchant.status('third')
  await merchant.status('second')
  await expect(lines(page)).toHaveCount(1)
  await expect(lines(page).first()).toContainText('/payments/second/status')
  await page.reload()
  await expect(lines(page)).toHaveCount(1)
  await expect(page.getByTestId('journal-q')).toHaveValue('second')
})

test('a call opens in the list with request, response and refusing layer, by keyboard too; its own page shows the same', async () => {
  await merchant.request('status', { path: { transactionId: 'x' } }, { token: 'none' })
  const page = await open('/journal?status=401')
  await lines(page).first().focus()
  await page.keyboard.press('Enter')
  const details = page.getByTestId('journal-details')
  await expect(details.getByTestId('call-refused')).toHaveAttribute('data-layer', 'token')
  await expect(details.getByTestId('call-response')).toContainText('4970')
  await expect(lines(page).first()).toHaveAttribute('aria-expanded', 'true')
  await details.getByTestId('call-request').locator('summary').click()
  await expect(details).toContainText('Bearer ***')
  const href = String(await lines(page).first().getAttribute('href'))
  await page.goto(new URL(href, page.url()).href)
  await expect(page.getByTestId('call-refused')).toHaveAttribute('data-layer', 'token')
})

test('single keys move among the calls and to the filter, and do nothing where the focus is elsewhere', async () => {
  await merchant.status('keys')
  await merchant.status('keys')
  const page = await open('/journal?q=keys')
  await expect(lines(page)).toHaveCount(2)
  const pause = page.getByTestId('journal-pause')
  for (const key of ['j', 'k', '/']) {
    await page.keyboard.press(key)
    await expect(page.locator(':focus')).toHaveCount(0)
  }
  await pause.focus()
  for (const key of ['j', 'k', '/']) {
    await page.keyboard.press(key)
    await expect(pause).toBeFocused()
  }
  await lines(page).first().press('j')
  await expect(lines(page).nth(1)).toBeFocused()
  await page.keyboard.press('k')
  await expect(lines(page).first()).toBeFocused()
  await page.keyboard.press('/')
  await expect(page.getByTestId('journal-q')).toBeFocused()
})

test('the journal says what a filter found, and is quiet about new calls while it is paused', async () => {
  await merchant.status('heard')
  const page = await open('/journal')
  const status = page.locator('main').getByRole('status')
  await page.getByTestId('journal-q').fill('never-called')
  await expect(status).toHaveText('No call fits this filter.')
  await page.getByTestId('journal-q').fill('heard')
  await expect(status).toHaveText('calls found: 1')
  const pause = page.getByTestId('journal-pause')
  await pause.click()
  await expect(pause).toHaveText('Go on')
  await expect(pause).not.toHaveAttribute('aria-pressed')
  await merchant.status('heard')
  await expect(page.getByTestId('journal-live')).toHaveText('new: 1')
  await expect(status).toHaveText('calls found: 1')
  await pause.click()
  await page.route('**/stream*', route => route.fulfill({ status: 503 }))
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(status).toHaveText('connection lost, trying again')
  await page.unroute('**/stream*')
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(status).toHaveText('live')
  browser.complaints.splice(0) // the browser's own word on the refused stream
})

test('one click copies commands that sign and repeat the call', async () => {
  await merchant.status('copied')
  const page = await open('/journal?q=copied', { permissions: ['clipboard-read', 'clipboard-write'] })
  await lines(page).first().click()
  await page.getByTestId('call-copy-anew').click()
  await expect(page.getByTestId('call-copy-anew')).toContainText('Copied')
  const text = await page.evaluate(() => navigator.clipboard.readText())
  expect(text).toContain('call GET /payments/copied/status')
  expect(text).toContain('--cert <(pem .certificate) --key <(pem .privateKey)')
})

test('the open call is in the address with its own title, and is open again after a reload', async () => {
  await merchant.status('in-the-address')
  const page = await open('/journal?q=in-the-address')
  const title = await page.title()
  await lines(page).first().click()
  await expect(page).toHaveURL(/q=in-the-address&call=[0-9a-f-]+$/)
  await expect(page).toHaveTitle(/^GET \/payments\/in-the-address\/status: \d{3} · /)
  await page.reload()
  await expect(page.getByTestId('journal-details')).toBeVisible()
  await expect(page).toHaveTitle(/^GET /)
  await lines(page).first().click()
  await expect(page.getByTestId('journal-details')).toHaveCount(0)
  await expect(page).toHaveURL(/q=in-the-address$/)
  await expect(page).toHaveTitle(title)
})

test('chips narrow the journal to errors, a layer, a method or calls with webhooks, and can be combined', async () => {
  await merchant.status('chips')
  await merchant.request('status', { path: { transactionId: 'chips' } }, { token: 'none' })
  const page = await open('/journal?q=chips')
  await expect(lines(page)).toHaveCount(2)
  const chip = (name: string) => page.getByTestId('journal-chip').filter({ hasText: new RegExp(`^${name}$`) })
  await chip('token').click()
  await expect(lines(page)).toHaveCount(1)
  await chip('POST').click()
  await expect(lines(page)).toHaveCount(0)
  await expect(page).toHaveURL(/q=chips&layer=token&method=POST$/)
  await chip('POST').click()
  await chip('token').click()
  await chip('errors').click()
  await expect(lines(page)).toHaveCount(2)
  await chip('webhooks sent').click()
  await expect(lines(page)).toHaveCount(0)
})

test('two calls are compared side by side with the first difference lit', async () => {
  await merchant.status('compared-a')
  await merchant.status('compared-b')
  const page = await open('/journal?q=compared-b')
  await lines(page).first().click()
  await page.getByTestId('call-compare').click()
  await expect(page.getByTestId('compare-first')).toContainText('/payments/compared-a/status')
  await expect(page.getByTestId('compare-first')).toContainText('/payments/compared-b/status')
  await expect(page.getByTestId('compare-verdict')).toContainText('request')
})

test('the calls that fit are downloaded as an HTTP archive', async () => {
  await merchant.status('archived')
  const page = await open('/journal?q=archived')
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('journal-har').click()])
  expect(file.suggestedFilename()).toBe('demo-merchant.har')
  const { log } = JSON.parse(readFileSync(await file.path(), 'utf8'))
  expect(log.version).toBe('1.2')
  expect(log.entries.map(({ request }: { request: { url: string } }) => new URL(request.url).pathname)).toEqual([
    '/payments/archived/status',
  ])
})

test('a call is copied on plain HTTP, where the page has no clipboard, and screen readers hear what', async () => {
  await merchant.status('copied-plainly')
  const page = await browser.newPage({ permissions: ['clipboard-read'] })
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }),
  )
  await page.goto(`${site.url}${PORTAL}/journal?q=copied-plainly`)
  await lines(page).first().click()
  await page.getByTestId('call-copy-node').click()
  await expect(page.getByTestId('call-copy-node')).toContainText('Copied')
  await expect(page.locator('body > [role=status]')).toHaveText('Copied: the Node program')
  await page.evaluate(() => Reflect.deleteProperty(navigator, 'clipboard'))
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("['@request-target', target]")
})

test('a pause counts new calls without showing them; older ones are loaded below', async () => {
  for (let at = 0; at < 70; at += 1) await merchant.status(`many-${at}`)
  const page = await open('/journal?q=many')
  await expect(lines(page)).toHaveCount(25)
  await page.getByTestId('journal-older').click()
  await expect(lines(page)).toHaveCount(70)
  await page.getByTestId('journal-pause').click()
  await merchant.status('many-more')
  await expect(page.getByTestId('journal-live')).toHaveText('new: 1')
  await expect(lines(page)).toHaveCount(70)
  await page.getByTestId('journal-pause').click()
  await expect(lines(page)).toHaveCount(71)
})

test('a filter on a page of older calls is live, and while it is paused new calls are counted anew', async () => {
  for (let at = 0; at < 30; at += 1) await merchant.status(`elder-${at}`)
  const { calls } = await site.control('GET', `${site.here}/journal?q=elder&limit=5`)
  const page = await open(`/journal?q=elder&before=${calls.at(-1).callId}`)
  await expect(page.getByTestId('journal-newest')).toBeVisible()
  await page.getByTestId('journal-q').fill('elder-7')
  await expect(lines(page)).toHaveCount(1)
  await expect(page.getByTestId('journal-newest')).toHaveCount(0)
  await expect(page.getByTestId('journal-live')).toHaveText('live')
  await merchant.status('elder-7')
  await expect(lines(page)).toHaveCount(2)
  await page.getByTestId('journal-pause').click()
  await merchant.status('elder-7')
  await expect(page.getByTestId('journal-live')).toHaveText('new: 1')
  await page.getByTestId('journal-path').fill('status')
  await expect(lines(page)).toHaveCount(3)
  await expect(page.getByTestId('journal-live')).toHaveText('new: 0')
})

test('a word that is no filter yet leaves the calls and says why', async () => {
  await merchant.status('stays-in-view')
  const page = await open('/journal?q=stays-in-view')
  await expect(lines(page)).toHaveCount(1)
  for (const [word, refusals] of [
    ['er', 1],
    ['erro', 1],
    ['error', 0],
  ] as const) {
    const answered = page.waitForResponse(new RegExp(`status=${word}$`))
    await page.getByTestId('journal-status').fill(word)
    await answered
    await expect(page.getByTestId('portal-refused')).toHaveCount(refusals)
    await expect(page.locator('#f-status[aria-invalid=true][aria-describedby=refused]')).toHaveCount(refusals)
    await expect(lines(page)).toHaveCount(1)
  }
})

test('where a call or the calls of a filter cannot be fetched, the page leads to them', async () => {
  await merchant.status('found-anyway')
  const page = await open('/journal?q=found')
  await expect(lines(page)).toHaveCount(1)
  await page.route(/\/journal[/?]/, route => {
    if (route.request().resourceType() !== 'fetch') return route.continue()
    return route.request().url().includes('?') ? route.abort() : route.fulfill({ status: 500, body: 'no' })
  })
  await page.getByTestId('journal-q').fill('found-any')
  await expect(page.getByTestId('journal-chip').first()).toHaveAttribute('href', /\?q=found-any&/)
  await lines(page).first().click()
  await expect(page).toHaveURL(/\/journal\/[0-9a-f-]+$/)
  await expect(page.getByTestId('call-response')).toBeVisible()
  const complaints = browser.complaints.splice(0) // the browser's own words on the failures
  expect(complaints.filter(complaint => !complaint.startsWith('Failed to load resource'))).toEqual([])
})

test('the journal shows the calls of the filter in the field, also where the answer to an earlier one comes late', async () => {
  await merchant.status('typed-early')
  await merchant.status('typed-late')
  const page = await open('/journal')
  let [asked, letGo] = [false, () => {}]
  const held = new Promise<void>(resolve => {
    letGo = resolve
  })
  const answered = new Promise<void>(resolve => {
    void page.route(/q=typed-early/, async route => {
      asked = true
      await held
      await route.continue().catch(() => {}) // nobody waits for it any more
      resolve()
    })
  })
  await page.getByTestId('journal-q').fill('typed-early')
  await expect.poll(() => asked).toBe(true)
  await page.getByTestId('journal-q').fill('typed-late')
  await expect(lines(page)).toHaveCount(1)
  letGo()
  await answered
  await page.unroute(/q=typed-early/)
  await merchant.status('typed-late')
  await expect(lines(page)).toHaveCount(2)
  await expect(lines(page).filter({ hasText: 'typed-late' })).toHaveCount(2)
  await expect(page.getByTestId('journal-har')).toHaveAttribute('href', /\?q=typed-late$/)
  await expect(page.getByTestId('journal-chip').first()).toHaveAttribute('href', /\?q=typed-late&/)
})

test('older calls go on below the last line, also where so many came that the list has let some go', {
  timeout: 120_000,
}, async () => {
  const page = await open('/journal?q=flood')
  await expect(page.getByTestId('journal-live')).toHaveText('live')
  await expect(page.getByTestId('journal-older')).toBeHidden()
  for (let at = 0; at < 520; at += 1) await merchant.status(`flood-${at}`)
  await expect(lines(page).first()).toContainText('flood-519')
  await expect(lines(page)).toHaveCount(500)
  await page.getByTestId('journal-older').click()
  await expect(lines(page)).toHaveCount(520)
  await expect(lines(page).last()).toContainText('flood-0')
  await expect(page.getByTestId('journal-older')).toBeHidden()
})

test('5.2: a refused signature leads to the lab, with the call', async () => {
  const afterSigning = <Draft extends { target: string }>(draft: Draft): Draft => ({
    ...draft,
    target: '/payments/y/status',
  })
  await merchant.request('status', { path: { transactionId: 'x' } }, { afterSigning })
  const page = await open('/journal?q=y%20signature&status=401')
  const callId = String((await lines(page).first().getAttribute('href')) ?? '').split('/')[1]
  await lines(page).first().click()
  await expect(page.getByTestId('call-refused')).toHaveAttribute('data-layer', 'signature')
  await expect(page.getByTestId('call-refused')).toContainText('@request-target')
  await expect(page.getByTestId('call-lab')).toHaveAttribute('href', new RegExp(`/lab\\?call=${callId}$`))
})

test('the timeline shows a webhook with two attempts, a click and a clock move, each with its description', async () => {
  const { port } = receiver.address() as AddressInfo
  received = 0
  await site.control('POST', `${site.here}/webhooks`, { url: `http://127.0.0.1:${port}/hooks` })
  const answer = await payByBlik('order-on-axis')
  if (!answer.ok) throw new Error('not initiated')
  const { transactionId } = answer.body
  await site.control('POST', `${site.here}/payments/${transactionId}/shopper`, { action: 'approve' })
  await merchant.finalize({ processingAccountId: accountId(), transactionId })
  await site.control('POST', `${site.here}/clock`, { advance: 'PT30M' })

  const page = await open('/payments?clientTransactionId=order-on-axis')
  await page.getByTestId('payment-timeline').click()
  const marks = page.getByTestId('timeline-mark')
  for (const lane of ['call', 'state', 'shopper', 'clock', 'webhook'])
    await expect(page.locator(`[data-testid=timeline-mark][data-lane=${lane}]`).first()).toBeVisible()
  await expect(marks.filter({ hasText: 'INITIATE 500' })).toHaveCount(1)
  await expect(marks.filter({ hasText: 'INITIATE 200, try 2' })).toHaveCount(1)
  await expect(marks.filter({ hasText: 'forward 30 min' })).toHaveCount(1)
  await expect(marks.last()).toContainText('to come')
  const inPicture = page.locator('.timeline .wide a.pt')
  await expect(inPicture).toHaveCount(await marks.count())
  await inPicture.filter({ hasText: 'approved' }).first().focus()
  await expect(page.locator('.card-of-mark')).toContainText('approved')
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('.card-of-mark')).toContainText('AUTHENTICATED')
  await expect(page.locator('.timeline .gap.jump').first()).toBeVisible()
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('timeline-file').click()])
  expect(file.suggestedFilename()).toBe(`timeline-${transactionId}.svg`)
})

test('the card of a mark stays while the pointer is on it, and goes soon after', async () => {
  const answer = await payByBlik('order-with-card')
  if (!answer.ok) throw new Error('not initiated')
  const { transactionId } = answer.body
  const page = await browser.newPage()
  await page.clock.install()
  await page.goto(`${site.url}${PORTAL}/payments/${transactionId}`)
  await expect(page.locator('html[data-connection=live]')).toHaveCount(1)
  const [mark, card] = [page.locator('.timeline .wide .pt').first(), page.locator('.card-of-mark')]
  const pointAt = async (part: Locator) => {
    const { x, y, width, height } = (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.mouse.move(x + width / 2, y + height / 2)
  }
  const marks = page.getByTestId('timeline-mark')
  const count = await marks.count()
  await page.clock.pauseAt(Date.now() + 60_000)
  await pointAt(mark.locator('path').first())
  await expect(card).toBeVisible()
  await pointAt(card)
  await page.clock.runFor(1_000)
  await expect(card).toBeVisible()
  await merchant.status(transactionId)
  await expect.poll(() => marks.count()).toBeGreaterThan(count)
  await expect(card).toBeVisible()
  await pointAt(page.locator('h1'))
  await page.clock.runFor(1_000)
  await expect(card).toBeHidden()
  await expect.poll(() => page.locator('.timeline .wide .pt').count()).toBe(await marks.count())
  await mark.focus()
  await expect(card).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(card).toBeHidden()
  await page.context().close() // with the clock that it has
})

test('a mock set from the catalogue answers the next call', async () => {
  const page = await open('/scenarios')
  await expect(page.getByTestId('mocks-none')).toBeVisible()
  await page.getByTestId('scenarios-q').fill('insufficient')
  await page.getByTestId('scenarios-show').click()
  await page.locator('[data-testid=scenario][data-name=INSUFFICIENT_FUNDS]').getByTestId('scenario-use').click()
  await page.getByTestId('keyType-field').selectOption('CLIENT_TRANSACTION_ID')
  await page.getByTestId('key-field').fill('order-mocked')
  await page.getByTestId('mock-set').click()
  await expect(page.getByTestId('portal-done')).toBeVisible()
  await expect(page.getByTestId('scenarios-q')).toHaveValue('insufficient')
  await expect(page.getByTestId('mock-row')).toContainText('INSUFFICIENT_FUNDS')
  await payByBlik('order-mocked')
  await page.goto(`${site.url}${PORTAL}/journal?q=order-mocked`)
  await lines(page).first().click()
  await expect(page.getByTestId('call-script')).toContainText('INSUFFICIENT_FUNDS')
  await expect(page.getByTestId('call-script')).toContainText('matched')
})

test('an unknown scenario is refused in one sentence, and the input is kept', async () => {
  const page = await open('/scenarios?use=INSUFFICIENT_FUND')
  await page.getByTestId('key-field').fill('kept')
  await Promise.all([page.waitForResponse(answer => answer.status() === 400), page.getByTestId('mock-set').click()])
  await expect(page.getByTestId('portal-refused')).toContainText('did you mean INSUFFICIENT_FUNDS')
  await expect(page.getByTestId('key-field')).toHaveValue('kept')
  expect(browser.complaints.splice(0)).toHaveLength(1) // the browser's own word on the 400
})

test('the clock is frozen, moved and drained; the portal and the landing page show its mode', async () => {
  await payByBlik('order-of-the-clock')
  const page = await open('/clock')
  await expect(page.getByTestId('clock-coming').first()).toBeVisible()
  await page.getByTestId('clock-freeze').click()
  await expect(page.getByTestId('clock-mode')).toHaveText('frozen')
  await expect(page.getByTestId('clock-pace')).toHaveText('frozen')
  await page.goto(site.url)
  await expect(page.getByTestId('clock-pace')).toHaveText('frozen')
  await page.goto(`${site.url}${PORTAL}/clock`)
  await expect(page.getByTestId('clock-drain')).toBeHidden()
  await page.getByText('Drain', { exact: true }).click()
  await page.getByTestId('clock-drain').click()
  const told = page.getByTestId('clock-told')
  expect(Number(await told.getAttribute('data-ran'))).toBeGreaterThan(0)
  await expect(page.getByTestId('clock-nothing')).toBeVisible()
  await page.getByTestId('clock-real').click()
  await expect(page.getByTestId('clock-pace')).toHaveCount(0)
  await page.getByTestId('duration-field').fill('1 hour')
  await Promise.all([
    page.waitForResponse(answer => answer.status() === 400),
    page.getByTestId('clock-advance').click(),
  ])
  await expect(page.getByTestId('portal-refused')).toContainText('PT45S')
  expect(browser.complaints.splice(0)).toHaveLength(1) // the browser's own word on the 400
})

test('a change of the pace is told as that, and a move of the clock as how far it went', async () => {
  const page = await open('/clock')
  const told = page.getByTestId('clock-told')
  await page.getByTestId('clock-freeze').click()
  await expect(told).toContainText('The clock is frozen.')
  for (const [rate, sentence] of [
    ['1,5', 'The clock runs 1.5 × as fast as real time.'],
    ['60', 'The clock runs 60 × as fast as real time.'],
    ['1', 'The clock runs at real pace.'],
  ] as const) {
    await page.getByTestId('rate-field').fill(rate)
    await page.getByTestId('clock-scale').click()
    await expect(told).toContainText(sentence)
  }
  await page.getByTestId('clock-freeze').click()
  await expect(told).toContainText('The clock is frozen.')
  await page.getByTestId('duration-field').fill('pt1h')
  await page.getByTestId('clock-advance').click()
  await expect(told).toContainText('Forward 1 h. Ran on the way: ')
  await page.getByTestId('clock-real').click()
  await expect(told).toContainText('The clock runs at real pace.')
})
