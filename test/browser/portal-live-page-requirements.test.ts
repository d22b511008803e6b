import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMerchant } from '../../contracts/client/merchant-client.ts'
import { openBrowser, type TestBrowser } from './open-browser.ts'
import { LIVE_TEST_IDS } from './portal-live-page-test-ids.ts'
import { testPortalPageRequirements } from './portal-page-requirements.ts'
import { completeBlikPayment, PORTAL, type PortalSandbox, startPortalSandbox } from './portal-sandbox.ts'

let site: PortalSandbox
let browser: TestBrowser
let pages: [name: string, path: string][]

beforeAll(async () => {
  site = await startPortalSandbox({ settleAfter: 3_600_000 })
  browser = await openBrowser()
  pages = await everyLivePage()
}, 180_000)
afterAll(async () => {
  await browser?.close()
  await site?.stop()
})

const LONG_REFERENCE = 'x'.repeat(200)
/** A word as long as no column, and the mark that writes from right to left. */
const HOSTILE_DESCRIPTION = `Honey ${'w'.repeat(100)} \u202elive 00.1€`

/** Each page with nothing in it, and with enough to fill it. */
async function everyLivePage(): Promise<[name: string, path: string][]> {
  const { control, here } = site
  await control('POST', 'organizations', { id: 'second-shop' })
  const transactionId = await completeBlikPayment(site)
  await control('POST', `${here}/mocks`, {
    processingAccountId: 'demo-merchant-account-1',
    key: { type: 'CLIENT_TRANSACTION_ID', value: 'order-1' },
    type: 'MOCK',
    scenario: 'INSUFFICIENT_FUNDS',
    oneTime: true,
  })
  await control('POST', `${here}/clock`, { advance: 'PT20M' })
  await control('POST', `${here}/clock`, { freeze: true })
  const merchant = createMerchant(site.credentials, { now: () => site.controlPlane.now('demo-merchant') })
  for (let at = 0; at < 70; at += 1) await merchant.status(transactionId)
  await merchant.request('status', { path: { transactionId } }, { token: 'none' })
  await merchant.request('status', { path: { transactionId } }, { connection: { identity: null }, token: 'none' })
  for (let at = 0; at < 51; at += 1)
    await merchant.initiate({
      processingAccountId: 'demo-merchant-account-1',
      clientTransactionId: 'order-1',
      transactionType: 'ONE_TIME',
      returnUrl: 'https://shop.example/back',
      paymentDetails: { amount: 1000, currency: 'EUR', country: 'GR', description: 'Honey' },
      providerDetails: { providerId: 'IRIS' },
      payerDetails: { payerId: 'shopper-1' },
    })
  const hostile = await merchant.initiate({
    processingAccountId: 'demo-merchant-account-1',
    clientTransactionId: LONG_REFERENCE,
    transactionType: 'ONE_TIME',
    returnUrl: 'https://shop.example/back',
    paymentDetails: { amount: 1000, currency: 'EUR', country: 'GR', description: HOSTILE_DESCRIPTION },
    providerDetails: { providerId: 'IRIS' },
    payerDetails: { payerId: 'p'.repeat(64) },
  })
  const hostileId = hostile.ok ? hostile.body.transactionId : ''
  await merchant.close()
  const { journal } = site.controlPlane
  const newest = async (wish: object) => (await journal.page('demo-merchant', { ...wish, limit: 1 })).calls[0]?.callId
  const refused = await newest({ reasonCode: '4970' })
  const mocked = await newest({ q: 'INSUFFICIENT_FUNDS initiate' })
  const stranger = (await journal.page(undefined, { limit: 1 })).calls[0]?.callId
  const empty = '/portal/organizations/second-shop'
  const before = (await journal.page('demo-merchant', { limit: 80 })).calls.at(-1)?.callId
  return [
    ['journal', `${PORTAL}/journal`],
    ['journal, empty', `${empty}/journal`],
    ['journal, filtered to nothing', `${PORTAL}/journal?q=nothing-like-it`],
    ['journal, older', `${PORTAL}/journal?before=${before}`],
    ['journal of unknown callers', '/portal/journal'],
    ['call, refused', `${PORTAL}/journal/${refused}`],
    ['call, mocked', `${PORTAL}/journal/${mocked}`],
    ['journal, call open', `${PORTAL}/journal?call=${mocked}`],
    ['compare', `${PORTAL}/journal/${mocked}/compare`],
    ['compare, nothing', `/portal/journal/${stranger}/compare`],
    ['payments', `${PORTAL}/payments`],
    ['payments, filtered', `${PORTAL}/payments?providerId=IRIS&amountFrom=10&state=AWAITING_SHOPPER`],
    ['payments, refused', `${PORTAL}/payments?amountFrom=ten`],
    ['payments, older', `${PORTAL}/payments?before=${transactionId}`],
    ['payments, none', `${empty}/payments`],
    ['timeline', `${PORTAL}/payments/${transactionId}`],
    ['timeline, long names', `${PORTAL}/payments/${hostileId}`],
    ['scenarios', `${PORTAL}/scenarios`],
    ['scenarios, form', `${empty}/scenarios?use=OK&q=blik`],
    ['clock, frozen', `${PORTAL}/clock?ran=7&deliveries=3&unresponsive=1&from=0&now=5000`],
    ['clock', `${empty}/clock`],
  ]
}

const read = (path: string, headers = {}) => fetch(site.url + path, { headers })

testPortalPageRequirements(() => ({ url: site.url, browser, pages }))

test('every page is complete, and in English for any browser language', async () => {
  for (const [name, path] of pages) {
    const text = await (await read(path, { 'Accept-Language': 'el' })).text()
    expect(text, name).toContain('<html lang="en">')
    expect(text, name).not.toMatch(/>[^<]*\b(undefined|\[object)\b|>\s*\{\w+\}/)
  }
})

test('the table of test ids and the pages agree', async () => {
  const seen = new Set<string>()
  for (const [, path] of pages)
    for (const [, id] of (await (await read(path)).text()).matchAll(/data-testid="([^"]+)"/g)) seen.add(String(id))
  const known = LIVE_TEST_IDS.map(([id]): string => id)
  const elsewhere = ['call-lab', 'payments-add-up'] // where a signature was refused; above a thousand payments
  expect(known.filter(id => !seen.has(id) && !elsewhere.includes(id))).toEqual([])
  const frame = /^(portal-|nav-|sandbox-mark$|not-live$|appearance$|theme-)/
  expect([...seen].filter(id => !known.includes(id) && !frame.test(id))).toEqual([])
})

test('pages of an unknown call or payment are 404', async () => {
  for (const path of ['journal/none', 'payments/none'])
    expect([path, (await read(`${PORTAL}/${path}`)).status]).toEqual([path, 404])
})
