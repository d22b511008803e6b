import type { Locator, Page, Request } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, test } from 'vitest'
import { createMerchant, type Merchant } from '../../contracts/client/merchant-client.ts'
import { expect, openBrowser, type TestBrowser } from './open-browser.ts'
import { PORTAL, type PortalSandbox, startPortalSandbox } from './portal-sandbox.ts'

let site: PortalSandbox
let browser: TestBrowser
let merchant: Merchant
let page: Page
let asked: string[]
let orders = 0

beforeAll(async () => {
  site = await startPortalSandbox({ settleAfter: 3_600_000 })
  merchant = createMerchant(site.credentials, { now: () => site.controlPlane.now('demo-merchant') })
  browser = await openBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await merchant?.close()
  await site?.stop()
})
beforeEach(async () => {
  page = await browser.newPage()
  asked = []
  page.on('request', (request: Request) => asked.push(new URL(request.url()).pathname))
})
afterEach(async () => {
  await browser.closePages()
  expect(browser.complaints.splice(0)).toEqual([])
})

const open = (path: string) => page.goto(`${site.url}${PORTAL}${path}`)
const isConnected = () => expect(page.locator('html[data-connection=live]')).toHaveCount(1)

const pay = async () => {
  orders += 1
  const initiated = await merchant.initiate({
    processingAccountId: String(site.kit.processingAccountIds[0]),
    clientTransactionId: `live-${orders}`,
    transactionType: 'ONE_TIME',
    returnUrl: 'https://shop.example/back',
    paymentDetails: { amount: 1000, currency: 'EUR', country: 'GR', description: 'Honey' },
    providerDetails: { providerId: 'IRIS' },
    payerDetails: { payerId: 'shopper-1' },
  })
  if (!initiated.ok) throw new Error('not initiated')
  return { ...initiated.body, clientTransactionId: `live-${orders}` }
}

/** Tells the page that it is hidden, or seen again, as the browser does when its tab is changed. */
const hide = (isHidden: boolean) =>
  page.evaluate(hidden => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)

test('a new payment and its webhooks show up in open lists, and a clock that is moved in the head of the page', {
  timeout: 120_000,
}, async () => {
  await open('/payments')
  await isConnected()
  const { clientTransactionId } = await pay()
  await expect(page.getByTestId('payment-row').first()).toContainText(clientTransactionId)
  const day = (await page.getByTestId('portal-clock').innerText()).slice(0, 10)
  await site.control('POST', `${site.here}/clock`, { advance: 'P2D' })
  await expect(page.getByTestId('portal-clock')).not.toContainText(day)
  await open('/inbox')
  await isConnected()
  const before = await page.getByTestId('message').count()
  await pay()
  await expect.poll(() => page.getByTestId('message').count()).toBeGreaterThan(before)
})

test('a timeline shows a decision as it happens; what has the focus keeps it', async () => {
  const { transactionId } = await pay()
  await open(`/payments/${transactionId}`)
  await isConnected()
  const marks = page.getByTestId('timeline-mark')
  const link = marks.first().getByRole('link')
  await link.focus()
  await site.control('POST', `${site.here}/payments/${transactionId}/shopper`, { action: 'decline' })
  await expect(marks.filter({ hasText: 'declined' }).first()).toBeVisible()
  await expect(link).toBeFocused()
})

test('what is scrolled in a part that changes stays so, with the focus in sight', async () => {
  await page.setViewportSize({ width: 800, height: 500 })
  const { transactionId } = await pay()
  for (const freeze of Array.from({ length: 12 }, (_, at) => at % 2 === 0))
    await site.control('POST', `${site.here}/clock`, { freeze })
  await open(`/payments/${transactionId}`)
  await isConnected()
  const picture = page.getByRole('region', { name: 'Timeline' })
  const last = picture.locator('.pt:not(.planned)').last()
  const isScrolled = (part: Locator, by: 'scrollLeft' | 'scrollTop') =>
    part.evaluate((element, side) => element[side] > 50, by)
  const changes = async () => {
    const before = await page.getByTestId('timeline').getAttribute('data-now')
    await merchant.status(transactionId)
    await expect(page.getByTestId('timeline')).not.toHaveAttribute('data-now', before ?? '')
  }
  await last.focus()
  await picture.evaluate(part => part.scrollTo(9_999, 0))
  const href = await last.getAttribute('href')
  await changes()
  await expect(picture.locator(`.pt[href="${href}"]`)).toBeFocused()
  await expect(picture.locator(`.pt[href="${href}"]`)).toBeInViewport()
  expect(await isScrolled(picture, 'scrollLeft')).toBe(true)
  await picture.focus()
  await changes()
  await expect(picture).toBeFocused()
  expect(await isScrolled(picture, 'scrollLeft')).toBe(true)

  await page.setViewportSize({ width: 320, height: 500 })
  await open('/inbox')
  await isConnected()
  const messages = page.getByTestId('message')
  const opened = messages.first()
  await opened.locator('summary').click()
  const id = await opened.locator('details').getAttribute('id')
  const body = page.locator(`details[id="${id}"]`).getByLabel('Body', { exact: true })
  await body.evaluate(part => part.scrollTo(0, 100))
  expect(await isScrolled(body, 'scrollTop')).toBe(true)
  const count = await messages.count()
  await pay()
  await expect.poll(() => messages.count()).toBeGreaterThan(count)
  expect(await isScrolled(body, 'scrollTop')).toBe(true)
})

test('a message that was opened in the inbox stays open when others arrive', async () => {
  await pay()
  await open('/inbox')
  await isConnected()
  const summary = page.getByTestId('message').first().locator('summary')
  const text = await summary.innerText()
  await summary.click()
  const count = await page.getByTestId('message').count()
  await pay()
  await expect.poll(() => page.getByTestId('message').count()).toBeGreaterThan(count)
  await expect(page.locator('details[open] > summary', { hasText: text.split(' ')[0] ?? '' }).first()).toBeVisible()
})

test('the clock in the head of the page ticks by itself at its rate', async () => {
  await site.control('POST', `${site.here}/clock`, { scale: 60 })
  await page.clock.install()
  await open('/scenarios')
  await isConnected()
  const clock = async () => Date.parse(`${await page.getByTestId('portal-clock').innerText()}Z`)
  const before = await clock()
  asked.length = 0
  await page.clock.runFor(10_000)
  expect((await clock()) - before).toBeGreaterThanOrEqual(540_000) // it ticks each second: up to one tick less
  expect(asked).toEqual([])
  await page.context().close() // with the clock that it has
  await site.control('POST', `${site.here}/clock`, { freeze: false })
})

test('no page asks for anything while nothing happens', { timeout: 120_000 }, async () => {
  const { transactionId, providerDetails } = await pay()
  const { code, codeId, phoneId } = await site.controlPlane.shopper.createCode('demo-merchant', {
    phoneId: (await site.controlPlane.phones.create('demo-merchant', 'modrzew')).phoneId,
  })
  expect(code).toMatch(/^\d{6}$/)
  const portal = [
    '',
    '/journal',
    '/payments',
    `/payments/${transactionId}`,
    '/webhooks',
    '/inbox',
    '/clock',
    '/conduct',
  ]
  const shopper = [`/blik/demo-merchant/phones/${phoneId}`, `/blik/demo-merchant/phones/${phoneId}/codes/${codeId}`]
  const iris = new URL(providerDetails.redirectUrl ?? '').pathname
  await site.control('POST', `${site.here}/clock`, { freeze: true })
  await page.clock.install()
  for (const path of ['/', ...portal.map(path => `${PORTAL}${path}`), ...shopper, iris, `${iris}/banks/elaia`]) {
    await page.goto(site.url + path)
    if ((await page.locator('[data-stream]').count()) > 0) await isConnected()
    asked.length = 0
    for (let seconds = 0; seconds < 60; seconds += 10) await page.clock.runFor(10_000)
    expect([path, asked]).toEqual([path, []])
  }
  await page.context().close() // with the clock that it has
  await site.control('POST', `${site.here}/clock`, { freeze: false })
})

test('a hidden page is silent, and shows what it missed when it is seen again', async () => {
  for (const path of ['/payments', '/journal']) {
    await open(path)
    await isConnected()
    await hide(true)
    asked.length = 0
    const { transactionId, clientTransactionId } = await pay()
    await merchant.status(transactionId)
    expect([path, asked]).toEqual([path, []])
    await hide(false)
    const row = path === '/payments' ? page.getByTestId('payment-row') : page.getByTestId('journal-call')
    await expect(row.first()).toContainText(path === '/payments' ? clientTransactionId : transactionId.slice(-6))
  }
})

test('a page that lost its server says so, and goes on with what it missed once that is back', async () => {
  await open('/journal')
  await isConnected()
  await page.context().setOffline(true)
  await page.route('**/stream*', route => route.abort())
  await hide(true)
  await hide(false)
  await expect(page.getByTestId('journal-live')).toHaveText('connection lost, trying again')
  await merchant.status('while-away')
  await page.unroute('**/stream*')
  await page.context().setOffline(false)
  await expect(page.getByTestId('journal-call').first()).toContainText('while-away')
  await expect(page.getByTestId('journal-live')).toHaveText('live')
  browser.complaints.splice(0) // the browser's own word on the lost connection
})

test('every page that is not live for the moment says so, the journal in its own words', async () => {
  for (const path of ['', '/payments', '/journal']) {
    await open(path)
    await isConnected()
    await expect(page.getByTestId('not-live')).toBeHidden()
    await page.route('**/stream*', route => route.fulfill({ status: 503 }))
    await hide(true)
    await hide(false)
    await expect(page.locator('html[data-connection=broken]')).toHaveCount(1)
    await expect(page.getByTestId('not-live')).toBeVisible({ visible: path !== '/journal' })
    await page.unroute('**/stream*')
    await hide(false)
    await isConnected()
    await expect(page.getByTestId('not-live')).toBeHidden()
  }
  browser.complaints.splice(0) // the browser's own word on the refused stream
})

test('the older page goes on where the list of payments ends that has updated itself, and its totals are counted anew', {
  timeout: 120_000,
}, async () => {
  for (let count = 0; count < 22; count += 1) await pay()
  await open('/payments')
  await isConnected()
  const totals = page.getByTestId('payments-totals').getByRole('heading')
  const before = Number.parseInt(await totals.innerText(), 10)
  const newest = [await pay(), await pay(), await pay()].at(-1)?.clientTransactionId ?? ''
  await expect(page.getByTestId('payment-row').first()).toContainText(newest)
  await expect(totals).toHaveText(`${before + 3} payments in total`)
  const last = Number(/live-(\d+)/.exec(await page.getByTestId('payment-row').last().innerText())?.[1])
  await page.getByTestId('payments-older').click()
  await expect(page).toHaveURL(/before=/)
  await expect(page.getByTestId('payment-row').first()).toContainText(`live-${last - 1}`)
})

test('the links and buttons around a list appear once it has something for them', async () => {
  const { endpointId } = await site.control('POST', `${site.here}/webhooks`, { url: 'http://shop.example/hooks' })
  const endpoint = `${site.here}/webhooks/${endpointId}`
  for (let count = 0; count < 25; count += 1) await site.control('POST', `${endpoint}/test`)
  await open(`/webhooks/${endpointId}`)
  await isConnected()
  await expect(page.getByTestId('deliveries-older')).toHaveCount(0)
  await site.control('POST', `${endpoint}/test`)
  await expect(page.getByTestId('deliveries-older')).toBeVisible()
  await site.control('PATCH', endpoint, { enabled: false })
  await expect(page.getByTestId('enable-endpoint')).toBeVisible()
  await site.control('DELETE', endpoint)
  await site.control('DELETE', `${site.here}/inbox`)
  await open('/inbox')
  await isConnected()
  await expect(page.getByTestId('no-messages')).toBeVisible()
  await pay()
  await page.getByText('Clear the inbox').click()
  await expect(page.getByTestId('clear-inbox')).toBeVisible()
  await open('/clock')
  await isConnected()
  await site.control('POST', `${site.here}/clock`, { freeze: true })
  await expect(page.getByTestId('clock-real')).toBeVisible()
  await expect(page.getByTestId('clock-freeze')).toHaveCount(0)
  await site.control('POST', `${site.here}/clock`, { freeze: false })
})

test('a text that is selected is left alone without asking for the page again and again', async () => {
  const { transactionId } = await pay()
  await page.clock.install()
  await open(`/payments/${transactionId}`)
  await isConnected()
  const mark = page.getByTestId('timeline-mark').first()
  await mark.locator('b').selectText()
  asked.length = 0
  await site.control('POST', `${site.here}/payments/${transactionId}/shopper`, { action: 'decline' })
  await expect(page.locator('h1')).toContainText('DECLINED')
  await page.clock.runFor(5_000)
  asked.length = 0
  for (let seconds = 0; seconds < 10; seconds += 1) await page.clock.runFor(1_000)
  expect(asked).toEqual([])
  await expect(page.getByTestId('timeline-mark').filter({ hasText: 'declined' })).toHaveCount(0)
  await page.evaluate(() => getSelection()?.removeAllRanges())
  await expect(page.getByTestId('timeline-mark').filter({ hasText: 'declined' }).first()).toBeVisible()
  await page.context().close() // with the clock that it has
})

test('of several messages of one instant only the one that was opened stays open', async () => {
  await site.control('DELETE', `${site.here}/inbox`)
  await site.control('POST', `${site.here}/clock`, { freeze: true })
  await Promise.all([pay(), pay()])
  await open('/inbox')
  await isConnected()
  const messages = page.getByTestId('message')
  await messages.first().locator('summary').click()
  const count = await messages.count()
  await pay()
  await expect.poll(() => messages.count()).toBeGreaterThan(count)
  await expect(messages.locator('details[open]')).toHaveCount(1)
  await site.control('POST', `${site.here}/clock`, { freeze: false })
})

test('a form that leads to the same page does not end its live updates', async () => {
  await open('/webhooks')
  for (const address of [/transactionId=#deliveries$/, /transactionId=#deliveries$/]) {
    await page.getByTestId('find-deliveries').click()
    await expect(page).toHaveURL(address)
    await isConnected()
  }
  await hide(true)
  await hide(false)
  const { endpointId } = await site.control('POST', `${site.here}/webhooks`, { url: 'http://shop.example/hooks' })
  await expect(page.getByTestId('endpoint-row')).toHaveCount(1)
  await site.control('DELETE', `${site.here}/webhooks/${endpointId}`)
})

test('what has the focus keeps it among others that read alike, and of charts only the table that was opened stays so', {
  timeout: 120_000,
}, async () => {
  for (let count = 0; count < 3; count += 1) await pay()
  await open('/payments')
  await isConnected()
  const copied = () => page.evaluate(() => (document.activeElement as HTMLElement).dataset.copy)
  await page.getByTestId('payment-row').nth(2).getByTestId('portal-copy').first().focus()
  const before = await copied()
  const { clientTransactionId } = await pay()
  await expect(page.getByTestId('payment-row').first()).toContainText(clientTransactionId)
  expect(await copied()).toBe(before)

  const { endpointId } = await site.control('POST', `${site.here}/webhooks`, { url: 'http://127.0.0.1:1/nobody' })
  const sendTests = async () => {
    for (let count = 0; count < 3; count += 1) await site.control('POST', `${site.here}/webhooks/${endpointId}/test`)
  }
  await sendTests()
  await site.control('POST', `${site.here}/clock`, { advance: 'P3D' })
  await sendTests()
  await pay()
  await open('')
  await isConnected()
  await expect(page.getByTestId('resend-failing')).toBeVisible()
  const tables = page.locator('.chart details')
  await tables.nth(1).locator('summary').click()
  await page.getByTestId('resend-given-up').focus()
  const newest = await pay()
  await expect(page.getByTestId('newest-payment').first()).toContainText(newest.clientTransactionId)
  await expect(page.getByTestId('resend-given-up')).toBeFocused()
  expect(await tables.evaluateAll(all => all.map(one => (one as HTMLDetailsElement).open))).toEqual(
    [false, true, false].slice(0, await tables.count()),
  )
  await site.control('DELETE', `${site.here}/webhooks/${endpointId}`)
})

test('where what had the focus is gone, the part of the page has it', async () => {
  await open('/clock')
  await isConnected()
  await page.getByTestId('clock-freeze').focus()
  await site.control('POST', `${site.here}/clock`, { freeze: true })
  await expect(page.getByTestId('clock-real')).toBeVisible()
  await expect(page.locator('#paces')).toBeFocused()
  await site.control('POST', `${site.here}/clock`, { freeze: false })
})

test.each(['answered 503', 'answered 429', 'not answered'])(
  'a change is shown although the page was %s when it was fetched anew',
  async failure => {
    await open('/payments')
    await isConnected()
    let failed = false
    await page.route(`${site.url}${PORTAL}/payments`, async route => {
      if (failed) return route.continue()
      failed = true
      return failure === 'not answered' ? route.abort() : route.fulfill({ status: Number(failure.split(' ')[1]) })
    })
    const { clientTransactionId } = await pay()
    await expect(page.getByTestId('payment-row').first()).toContainText(clientTransactionId)
    expect(failed).toBe(true)
    browser.complaints.splice(0) // the browser's own word on the failure
  },
)

test('open pages of keys and mocks show what others change, and keep what is typed', async () => {
  await open('/identities')
  await isConnected()
  await page.getByTestId('open-register-key').click()
  await page.getByTestId('publicKey-field').fill('half typed')
  const certificates = page.getByTestId('certificate-row')
  const count = await certificates.count()
  await site.controlPlane.organizations.renew('demo-merchant')
  await expect(certificates).toHaveCount(count + 1)
  await expect(page.getByTestId('publicKey-field')).toHaveValue('half typed')
  const { signingKeys } = await site.control('GET', `${site.here}/signing-keys`)
  await site.control('DELETE', `${site.here}/signing-keys/${signingKeys.at(-1).keyId}`)
  await expect(page.locator('[data-testid=key-row] [data-state=deregistered]')).toHaveCount(1)
  await open('/scenarios')
  await isConnected()
  await site.control('POST', `${site.here}/mocks`, {
    processingAccountId: site.kit.processingAccountIds[0],
    key: { type: 'PAYER_ID', value: 'payer-of-a-colleague' },
    type: 'MOCK',
    scenario: 'INSUFFICIENT_FUNDS',
  })
  await expect(page.getByTestId('mock-row')).toContainText('payer-of-a-colleague')
})
