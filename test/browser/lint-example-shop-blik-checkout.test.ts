import { setTimeout } from 'node:timers/promises'
import type { Merchant } from '@assay-sandbox/assay/merchant'
import { type Context, Hono } from 'hono'
import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { BLIK_CHECKOUT_PAGE_RULES } from '../../contracts/conduct/blik-checkout-page-rules.ts'
import { createShop } from '../../examples/shop/shop.ts'
import { lintCheckout } from '../../fixtures/lint-blik-checkout.ts'
import { openBrowser, type TestBrowser } from './open-browser.ts'
import { serveOnFreePort } from './serve-on-free-port.ts'

let browser: TestBrowser
let page: Page
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())
afterEach(async () => {
  await browser.closePages()
  for (const close of closing.splice(0)) await close()
})

/** A service that knows one wrong code, and lets every payment wait for its bank. */
const answering = (oneTimeCode?: string) => {
  const statusInfo = { reasonCode: '4000', message: 'The code is wrong or has expired.' }
  const status = oneTimeCode === '000000' ? 'DECLINED' : 'PENDING'
  return { ok: true, status: 200, body: { transactionId: 'payment-1', status, statusInfo, providerDetails: {} } }
}
const merchant = {
  credentials: { processingAccountIds: ['account-1'] },
  initiate: async ({ payerDetails }: Parameters<Merchant['initiate']>[0]) => answering(payerDetails.oneTimeCode),
  status: async () => answering(),
} as unknown as Merchant

type Spoil = readonly (readonly [text: string, other: string])[]

/** Time of a slow response, in milliseconds: longer than the linter waits for the request of a second press. */
const SLOW_MS = 300

/** Serves the example shop, for other ways to pay too, its pages and its script with some texts replaced. */
const open = async (spoil: Spoil): Promise<string> => {
  const shop = createShop({ merchant })
  const spoilt = new Hono()
  const paying = async (c: Context) => {
    const body = new URLSearchParams(c.req.method === 'GET' ? c.req.query() : await c.req.text())
    return shop.request(`http://${c.req.header('host')}/pay/blik`, { method: 'POST', body })
  }
  let orders = 0
  spoilt.post('/orders', async c => {
    orders += 1
    if (orders === 2) await setTimeout(SLOW_MS)
    return c.text(`/orders/${orders}/pay`)
  })
  spoilt.post('/orders/:id/pay', paying)
  spoilt.on(['GET', 'PUT'], '/pay/blik', paying)
  spoilt.all('*', async c => {
    const answer = await shop.fetch(c.req.raw)
    if (answer.status >= 300) return answer
    let text = await answer.text()
    for (const [before, after] of spoil) text = text.replace(before, after)
    return new Response(text, { status: answer.status, headers: answer.headers })
  })
  const { url, close } = await serveOnFreePort(spoilt)
  closing.push(close)
  return url
}

const failing = async (spoil: Spoil, interrupted = 0): Promise<string[]> => {
  const url = await open(spoil)
  let opened = 0
  page = await browser.newPage()
  const findings = await lintCheckout({
    page,
    open: async () => {
      opened += 1
      if (opened === interrupted)
        throw new Error(`page.goto: Navigation to ${url} is interrupted by another navigation`)
      return page.goto(url)
    },
    field: page.getByTestId('shop-blik-code'),
    pay: page.getByTestId('shop-pay-blik'),
    code: async () => '123456',
    patience: 2_000,
  })
  expect(findings.map(({ id }) => id)).toEqual(BLIK_CHECKOUT_PAGE_RULES.map(({ id }) => id))
  return findings.flatMap(({ id, verdict, reason }) => (verdict === 'fail' ? `${id} ${reason}` : []))
}

const GROUPED = ['{digits.slice(0, 3)} $', '{digits.slice(3)}'].join('')
const AT_SUBMIT = (script: string) => `<script>addEventListener('submit', () => { ${script} }, true)</script></body>`
const BY_SCRIPT = (request: string) => `<script>addEventListener('submit', async event => {
  event.preventDefault()
  const typed = new URLSearchParams({ code: code.value })
  const paid = await (${request})
  location = paid.url
}, true)</script></body>`
const SENDING = "fetch('/pay/blik', { method: 'POST', body: typed })"
const ORDERING =
  "fetch('/orders', { method: 'POST' }).then(made => made.text()).then(order => fetch(order, { method: 'POST', body: typed }))"
const TOLD = 'Approve the payment in your bank app or on your bank’s page. This page updates by itself.'

// biome-ignore format: a table reads by its columns
const SPOILED: readonly (readonly [what: string, spoil: Spoil, told: string])[] = [
  ['shows letters on the phone',      [['inputmode="numeric"', '']],                                    'BCL-01 its inputmode is text: make it numeric'],
  ['has no label',                    [['<label for="code">BLIK code</label>', '<b>BLIK code</b>']],    'BCL-01 it has no label'],
  ['has a blank label',               [['<label for="code">BLIK code</label>', '<label for="code"> </label>']], 'BCL-01 it has no label'],
  ['is labelled by nothing',          [['<label for="code">BLIK code</label>', ''], ['<input id="code"', '<input aria-labelledby="nope" id="code"']], 'BCL-01 it has no label'],
  ['is labelled by a blank name',     [['<label for="code">BLIK code</label>', ''], ['<input id="code"', '<input aria-label=" " id="code"']], 'BCL-01 it has no label'],
  ['shows six digits in a row',       [[GROUPED, '{digits}']],                                         'BCL-02 123456 is shown as "123456"'],
  ['takes a seventh digit',           [['.slice(0, 6)', ''], ['maxlength="7"', ''], ['pattern=', 'data-pattern=']], 'BCL-03 12a34567 became "123 4567"'],
  ['pays at every press',             [['data-once', '']],                                              'BCL-04 two presses sent 2 requests'],
  ['sends the code by script, twice', [['data-once', ''], ['</body>', BY_SCRIPT(`${SENDING}, ${SENDING}`)]], 'BCL-04 two presses sent 4 requests'],
  ['makes an order at every press',   [['data-once', ''], ['</body>', BY_SCRIPT(ORDERING)]],           'BCL-04 two presses sent 2 requests'],
  ['sends the code by GET',           [['</body>', BY_SCRIPT("fetch('/pay/blik?' + typed)")]],          'BCL-04 no request with the code was seen: send it by POST, PUT or PATCH'],
  ['says nothing of the bank',        [['Confirm at your bank', 'One moment'], ['Confirm at your bank', 'One moment'], [TOLD, '']], 'BCL-05 nothing on the page speaks of the bank'],
  ['spoke of banks all the time',     [['<h1>Two jars', '<p>Any bank, any app</p><h1>Two jars'], ['Confirm at your bank', 'Any bank, any app'], ['Confirm at your bank', 'Any bank, any app'], [TOLD, '']], 'BCL-05 nothing on the page speaks of the bank'],
  ['is silent about a wrong code',    [['role="alert"', '']],                                           'BCL-06 no alert explains what happened'],
  ['tells other news all the time',   [['<h1>Two', '<div aria-live="polite"><p>Basket</p><p>2 jars</p></div><h1>Two'], ['<h1 data-testid', '<div aria-live="polite"><p>Basket</p><p>0 jars</p></div><h1 data-testid'], ['role="alert"', '']], 'BCL-06 no alert explains what happened'],
  ['has no way back',                 [['<a class="button" href="/" data-testid="shop-again">Try again</a>', '']], 'BCL-06 there is no way to try again'],
]

test('the example shop has no findings, also after an interrupted navigation', async () => {
  expect(await failing([], 3)).toEqual([])
  expect(browser.complaints.splice(0)).toEqual([])
})

// biome-ignore format: a table reads by its columns
const KEPT: readonly (readonly [what: string, spoil: Spoil])[] = [
  ['reports each press by a beacon',          [['</body>', AT_SUBMIT("navigator.sendBeacon('/t', 'press')")]]],
  ['reports each press by a request',         [['</body>', AT_SUBMIT("fetch('/t', { method: 'POST', keepalive: true }).catch(() => {})")]]],
  ['waits for its report before it sends',    [['</body>', `<script>document.querySelector('form').addEventListener('submit', async event => {
    event.preventDefault()
    await fetch('/t', { method: 'POST' }).catch(() => {})
    event.target.submit()
  }, { once: true })</script></body>`]]],
  ['tells other news all the time',           [['<h1>Two', '<div aria-live="polite"><p>Basket</p><p>2 jars</p></div><h1>Two'], ['<h1 data-testid', '<div aria-live="polite"><p>Basket</p><p>0 jars</p></div><h1 data-testid']]],
  ['checks the code before it sends',         [['</body>', `<script>document.querySelector('form').addEventListener('submit', async event => {
    event.preventDefault()
    await fetch('/check', { method: 'POST', body: code.value }).catch(() => {})
    event.target.submit()
  }, { once: true })</script></body>`]]],
  ['sends the code by PUT',                   [['</body>', BY_SCRIPT("fetch('/pay/blik', { method: 'PUT', body: typed })")]]],
  ['makes an order before it sends',          [['</body>', BY_SCRIPT(ORDERING)]]],
  ['has a link "Bank" in its navigation',     [['<h1>Two jars', '<nav><a href="/">Bank</a></nav><h1>Two jars']]],
  ['is labelled by another element',          [['<label for="code">BLIK code</label>', '<b id="told">BLIK code</b>'], ['<input id="code"', '<input aria-labelledby="none told" id="code"']]],
  ['has a second label with the words',       [['<label for="code">BLIK code</label>', '<label for="code"></label><label for="code">BLIK code</label>']]],
]

test.each(KEPT)('a checkout that %s has no findings', { timeout: 60_000 }, async (_, spoil) => {
  expect(await failing(spoil)).toEqual([])
})

test.each(SPOILED)('a checkout that %s fails that, and nothing else', { timeout: 60_000 }, async (_, spoil, told) => {
  expect(await failing(spoil)).toEqual([told])
})

test('every finding has a checkout that fails it', () => {
  expect([...new Set(SPOILED.map(([, , told]) => told.slice(0, 6)))]).toEqual(
    BLIK_CHECKOUT_PAGE_RULES.map(({ id }) => id),
  )
})
