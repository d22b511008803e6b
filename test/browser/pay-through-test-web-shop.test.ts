import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { createMerchant, type Merchant } from '../../contracts/client/merchant-client.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { createTestShop } from '../support/test-web-shop.ts'
import { goToBankConfirmation } from './iris-bank-steps.ts'
import { expect, openBrowser, type TestBrowser } from './open-browser.ts'
import { serveOnFreePort } from './serve-on-free-port.ts'

let simulator: TestSimulator
let merchant: Merchant
let shop: Awaited<ReturnType<typeof serveOnFreePort>>
let browser: TestBrowser

beforeAll(async () => {
  simulator = await startTestSimulator({ settleAfter: 3_600_000 })
  merchant = createMerchant(simulator.credentials)
  await simulator.controlPlane.clock.freeze('demo-merchant', true)
  shop = await serveOnFreePort(createTestShop(merchant))
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await shop?.close()
  await merchant?.close()
  await simulator?.stop()
})
afterEach(async () => {
  await browser.closePages()
  expect(browser.complaints.splice(0)).toEqual([])
})

const state = (page: Page) => page.getByTestId('shop-state')

/** Moves the clock of the organization as a test script would, over control. */
async function advance(duration: string): Promise<void> {
  const answer = await fetch(`${simulator.pagesUrl}/control/organizations/demo-merchant/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: duration }),
  })
  expect(answer.status).toBe(200)
}

/** A phone that shows a code, and the shop's checkout into which it was typed. */
async function payWithCode(): Promise<[shopper: Page, phone: Page]> {
  const [shopper, phone] = [await browser.newPage(), await browser.newPage({ viewport: { width: 360, height: 740 } })]
  await phone.goto(`${simulator.pagesUrl}/blik`)
  await phone.getByTestId('blik-bank-modrzew').click()
  await phone.getByTestId('blik-new-code').click()
  await shopper.goto(shop.url)
  await shopper.getByTestId('shop-blik-code').fill((await phone.getByTestId('blik-code').textContent()) ?? '')
  await shopper.getByTestId('shop-pay-blik').click()
  return [shopper, phone]
}

test('BLIK: a code typed into the shop, approved on the phone, captured, settled by the clock, refunded', async () => {
  const [shopper, phone] = await payWithCode()
  await expect(state(shopper)).toHaveText('AWAITING_SHOPPER')
  await expect(phone.getByTestId('blik-amount')).toHaveText('PLN 49.90')
  await expect(phone.getByTestId('blik-description')).toHaveText('Two jars of honey')
  await phone.getByTestId('blik-pin').fill('1234')
  await phone.getByTestId('blik-approve').click()
  await expect(phone.getByTestId('blik-outcome')).toHaveAttribute('data-outcome', 'approved')
  await expect(state(shopper)).toHaveText('CAPTURED')
  await advance('PT1H')
  await expect(state(shopper)).toHaveText('SETTLED')
  await shopper.getByTestId('shop-refund').click()
  await expect(state(shopper)).toHaveText('REFUNDED')
  await expect(phone.getByTestId('blik-outcome')).toHaveAttribute('data-outcome', 'approved')
})

test('BLIK: declined on the phone', async () => {
  const [shopper, phone] = await payWithCode()
  await phone.getByTestId('blik-decline').click()
  await expect(phone.getByTestId('blik-outcome')).toHaveAttribute('data-outcome', 'declined')
  await expect(state(shopper)).toHaveText('DECLINED')
})

test('BLIK: no decision for 45 seconds of the organization’s clock', async () => {
  const [shopper, phone] = await payWithCode()
  await phone.getByTestId('blik-approve').waitFor()
  await advance('PT45S')
  await expect(phone.getByTestId('blik-outcome')).toHaveAttribute('data-outcome', 'expired')
  await expect(state(shopper)).toHaveText('EXPIRED')
})

test('BLIK: the shop refuses an expired code', async () => {
  const [shopper, phone] = [await browser.newPage(), await browser.newPage()]
  await phone.goto(`${simulator.pagesUrl}/blik`)
  await phone.getByTestId('blik-bank-modrzew').click()
  await phone.getByTestId('blik-new-code').click()
  const code = (await phone.getByTestId('blik-code').textContent()) ?? ''
  await advance('PT2M')
  await expect(phone.getByTestId('blik-outcome')).toHaveAttribute('data-outcome', 'code-expired')
  await shopper.goto(shop.url)
  await shopper.getByTestId('shop-blik-code').fill(code)
  await shopper.getByTestId('shop-pay-blik').click()
  await expect(shopper.getByTestId('shop-problem')).toHaveText('The payment was not accepted.')
})

/** The shopper at the bank's question, on the way from the shop. */
async function payAtBank(bank: string, account?: string): Promise<Page> {
  const shopper = await browser.newPage()
  await shopper.goto(shop.url)
  await shopper.getByTestId('shop-pay-iris').click()
  await goToBankConfirmation(shopper, bank, account)
  return shopper
}

test('IRIS: from the shop to a bank and back, keeping the query of the return URL', async () => {
  const shopper = await payAtBank('meltemi')
  await expect(shopper.getByTestId('iris-amount')).toHaveText('€49.90')
  await shopper.getByTestId('iris-confirm').click()
  await shopper.waitForURL(/\/orders\/order-\d+\?from=bank&note=a%20b$/)
  await expect(state(shopper)).toHaveText('CAPTURED')
})

test('IRIS: cancelled at the bank', async () => {
  const shopper = await payAtBank('elaia')
  await shopper.getByTestId('iris-cancel').click()
  await shopper.waitForURL(/\/orders\//)
  await expect(state(shopper)).toHaveText('DECLINED')
})

test('IRIS: insufficient funds', async () => {
  const shopper = await payAtBank('elaia', 'travel')
  await shopper.getByTestId('iris-confirm').click()
  await expect(shopper.getByTestId('iris-outcome')).toHaveText('Your bank declined the payment')
  await shopper.getByTestId('iris-return').click()
  await expect(state(shopper)).toHaveText('DECLINED')
})

test('IRIS: a slow bank, and a shopper who returns before it has answered', async () => {
  const shopper = await payAtBank('thymari')
  await shopper.getByTestId('iris-confirm').click()
  await shopper.getByTestId('iris-confirming').waitFor()
  await shopper.getByTestId('iris-return').click()
  await expect(state(shopper)).toHaveText('AWAITING_SHOPPER')
  await advance('PT20S')
  await expect(state(shopper)).toHaveText('CAPTURED')
})

test('IRIS: paid without return, and the shop learns it by polling (E5)', async () => {
  const shopper = await payAtBank('alkyon')
  await shopper.getByTestId('iris-confirm-and-leave').click()
  await expect(shopper.getByTestId('iris-outcome')).toHaveAttribute('data-outcome', 'left')
  const elsewhere = await browser.newPage()
  await elsewhere.goto(`${shop.url}/orders/${await lastOrder()}`)
  await expect(state(elsewhere)).toHaveText('CAPTURED')
})

test('IRIS: the request expires while the banks are shown', async () => {
  const shopper = await browser.newPage()
  await shopper.goto(shop.url)
  await shopper.getByTestId('shop-pay-iris').click()
  await shopper.getByTestId('iris-countdown').waitFor()
  await advance('PT30M')
  await expect(shopper.getByTestId('iris-outcome')).toHaveAttribute('data-outcome', 'expired')
  await shopper.getByTestId('iris-return').click()
  await expect(state(shopper)).toHaveText('EXPIRED')
})

/** What the shop called its newest payment. */
async function lastOrder(): Promise<string> {
  const found = await merchant.search({ limit: 1 })
  return (found.ok && found.body.payments[0]?.clientTransactionId) || ''
}
