import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
import { createMerchant, type Merchant, type Shapes } from '../../contracts/client/merchant-client.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { blikRequest } from '../support/payment-requests.ts'
import { expect, openBrowser, type TestBrowser } from './open-browser.ts'

let simulator: TestSimulator
let merchant: Merchant
let browser: TestBrowser

beforeAll(async () => {
  simulator = await startTestSimulator()
  merchant = createMerchant(simulator.credentials)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await merchant?.close()
  await simulator?.stop()
})
afterEach(async () => {
  await browser.closePages()
  expect(browser.complaints.splice(0)).toEqual([])
})

type Wanted = Parameters<typeof blikRequest>[1] & { locale?: string }

const SMALL = { viewport: { width: 360, height: 740 } }
const account = () => simulator.credentials.processingAccountIds[0] ?? ''

const newPhone = async (bank = 'modrzew', options: Parameters<TestBrowser['newPage']>[0] = {}): Promise<Page> => {
  const phone = await browser.newPage(options)
  await phone.goto(`${simulator.pagesUrl}/blik`)
  await phone.getByTestId(`blik-bank-${bank}`).click()
  return phone
}

/** The shop sends a payment to the code that the phone then shows. */
const pay = async (phone: Page, { locale, ...wanted }: Wanted = {}): Promise<Shapes['InitiateResponse']> => {
  await phone.getByTestId('blik-new-code').click()
  const code = (await phone.getByTestId('blik-code').textContent()) ?? ''
  const request = { ...blikRequest(code, wanted), processingAccountId: account() }
  const answer = await merchant.initiate({ ...request, ...(locale ? { requestContext: { locale } } : {}) })
  if (!answer.ok) throw new Error(answer.refusal?.statusInfo?.message)
  return answer.body
}

const finalize = async (transactionId: string) => {
  const answer = await merchant.finalize({ processingAccountId: account(), transactionId })
  if (!answer.ok) throw new Error(answer.refusal?.statusInfo?.message)
  return answer.body
}

const reasonOf = async (transactionId: string) => {
  const answer = await merchant.status(transactionId)
  return answer.ok ? [answer.body.lifecycle?.state, answer.body.statusInfo.reasonCode] : []
}

const approve = async (phone: Page, pin = '1234') => {
  await phone.getByTestId('blik-pin').fill(pin)
  await phone.getByTestId('blik-approve').click()
}
const outcome = (phone: Page) => phone.getByTestId('blik-outcome')

describe('7.5, D-104: declines by a button', () => {
  test.each([
    ['blik-decline', 'declined', 'Payment declined', ['DECLINED', '2001']],
    ['blik-insufficient-funds', 'declined', 'The bank declined the payment', ['DECLINED', '1001']],
    ['blik-limit-exceeded', 'declined', 'The bank declined the payment', ['DECLINED', '1003']],
    ['blik-lapse', 'expired', 'Too late to decide', ['EXPIRED', '2000']],
  ])('%s', async (button, ended, title, reason) => {
    const phone = await newPhone('jaskolka', SMALL)
    const { transactionId } = await pay(phone)
    await phone.getByTestId(button).click()
    await expect(outcome(phone)).toHaveAttribute('data-outcome', ended)
    await expect(outcome(phone)).toHaveText(title)
    expect(await reasonOf(transactionId)).toEqual(reason)
  })

  test('a wrong PIN decides nothing, and the right one is still accepted', async () => {
    const phone = await newPhone()
    const { transactionId } = await pay(phone)
    await expect(phone.getByTestId('blik-account')).toHaveText('•••• 4821')
    await approve(phone, '0000')
    await expect(phone.getByTestId('blik-wrong-pin')).toBeVisible()
    await expect(phone.getByTestId('blik-pin')).toBeFocused()
    expect(await reasonOf(transactionId)).toEqual(['AWAITING_SHOPPER', '-1'])
    await approve(phone)
    await expect(outcome(phone)).toHaveAttribute('data-outcome', 'approved')
    expect(await reasonOf(transactionId)).toEqual(['AUTHENTICATED', '-1'])
  })

  test('a missing or malformed PIN is not sent', async () => {
    const phone = await newPhone()
    const { transactionId } = await pay(phone)
    await phone.getByTestId('blik-approve').click()
    await approve(phone, '12a')
    await expect(phone.locator('#pin:invalid')).toHaveCount(1)
    expect(await reasonOf(transactionId)).toEqual(['AWAITING_SHOPPER', '-1'])
  })
})

describe('1, D-62: saved shops', () => {
  test('the payment is approved, then the shop is saved; it is listed, charged, and after revocation refused', async () => {
    const phone = await newPhone('jarzebina', SMALL)
    const { transactionId } = await pay(phone, { transactionType: 'RECURRING' })
    await expect(phone.getByTestId('blik-keeps-shop')).toBeVisible()
    await approve(phone)
    await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Keep this shop?')
    expect(await reasonOf(transactionId)).toEqual(['AWAITING_SHOPPER', '-1'])
    await phone.getByTestId('blik-keep').click()
    await expect(outcome(phone)).toHaveText('Payment approved')
    const { paymentToken = '' } = (await finalize(transactionId)).payerDetails

    await phone.getByTestId('blik-close').click()
    const shop = phone.getByTestId('blik-shop')
    await expect(shop).toHaveAttribute('data-standing', 'valid')
    await expect(shop).toContainText('Demo merchant')
    await expect(phone.getByTestId('blik-revoke')).toBeHidden()
    await phone.getByTestId('blik-ask-revoke').click()
    await phone.getByTestId('blik-revoke').click()
    await expect(shop).toHaveAttribute('data-standing', 'revoked')
    const { payerDetails: _, ...request } = blikRequest('', { transactionType: 'RECURRING' })
    const charge = { ...request, transactionType: 'RECURRING', processingAccountId: account() } as const
    expect((await merchant.charge({ ...charge, payerDetails: { paymentToken } })).status).toBe(422)
  })

  test('the payment is approved and the shop not saved: paid, and no mandate', async () => {
    const phone = await newPhone()
    const { transactionId } = await pay(phone, { transactionType: 'RECURRING' })
    await approve(phone)
    await phone.getByTestId('blik-do-not-keep').click()
    await expect(outcome(phone)).toHaveAttribute('data-outcome', 'approved')
    await expect(phone.getByText('The shop is not kept.')).toBeVisible()
    expect((await finalize(transactionId)).payerDetails).not.toHaveProperty('paymentToken')
    expect(await reasonOf(transactionId)).toEqual(['CAPTURED', '-1'])
    await phone.getByTestId('blik-close').click()
    await expect(phone.getByTestId('blik-no-shops')).toBeVisible()
  })

  test('a TOKEN_ONLY request is one question', async () => {
    const phone = await newPhone()
    const { transactionId } = await pay(phone, { transactionType: 'TOKEN_ONLY' })
    await approve(phone)
    await expect(outcome(phone)).toHaveText('You agreed')
    await finalize(transactionId)
    expect(await reasonOf(transactionId)).toEqual(['TOKENIZED', '-1'])
    await expect(outcome(phone)).toHaveText('Shop kept')
  })

  test('an open end page follows the consent: the shop finalizes, then the shopper revokes it in another tab', async () => {
    const phone = await newPhone()
    const { transactionId } = await pay(phone, { transactionType: 'RECURRING' })
    await approve(phone)
    await phone.getByTestId('blik-keep').click()
    const lead = phone.locator('.lead')
    await expect(lead).toContainText('once it has completed this request')
    await finalize(transactionId)
    await expect(lead).toHaveText('It may charge you without asking you, until you revoke that.')
    const tab = await phone.context().newPage()
    await tab.goto(phone.url().replace(/\/codes\/.*/, ''))
    await tab.getByTestId('blik-ask-revoke').click()
    await tab.getByTestId('blik-revoke').click()
    await expect(lead).toContainText('You have revoked the consent since')
  })

  test.each(['RECURRING', 'TOKEN_ONLY'] as const)('a bank that saves no shops declines %s at once', async type => {
    const phone = await newPhone('rumianek')
    await expect(phone.getByTestId('blik-no-shops')).toHaveText('Keeps no shops: each payment needs a code')
    const { status, statusInfo, providerDetails } = await pay(phone, { transactionType: type })
    expect([status, statusInfo.reasonCode]).toEqual(['DECLINED', '8003'])
    expect(providerDetails.providerStatusInfo?.reasonCode).toBe('3004')
  })
})

const looksOf = (phone: Page) =>
  phone.getByTestId('blik-payment').evaluateAll(items => items.map(item => (item as HTMLElement).dataset.outcome))

test.each([
  ['before it is finalized', false],
  ['as a hold', true],
])('the phone lists a payment that the shop cancels %s as cancelled, without a reload', async (_when, isHeld) => {
  const phone = await newPhone()
  const { transactionId } = await pay(phone, { autoCapture: false })
  await approve(phone)
  await outcome(phone).waitFor()
  if (isHeld) await finalize(transactionId)
  await phone.getByTestId('blik-close').click()
  await expect.poll(() => looksOf(phone)).toEqual(['approved'])
  const request = { processingAccountId: account(), clientTransactionId: 'cancel-1', transactionId }
  expect((await merchant.cancel(request)).status).toBe(200)
  await expect.poll(() => looksOf(phone)).toEqual(['canceled'])
})

test('two phones of one organization have their own bank, code, payment and shops', async () => {
  const [one, two] = [await newPhone('modrzew', SMALL), await newPhone('jarzebina')]
  const first = await pay(one, { transactionType: 'RECURRING', amount: 1100 })
  const second = await pay(two, { transactionType: 'RECURRING', amount: 2200 })
  await expect(one.getByTestId('blik-amount')).toHaveText('PLN 11.00')
  await expect(two.getByTestId('blik-amount')).toHaveText('PLN 22.00')
  await expect(one.getByTestId('blik-bank-name')).toHaveText('Bank Modrzew')
  await expect(two.getByTestId('blik-bank-name')).toHaveText('Bank Jarzębina')
  await two.getByTestId('blik-decline').click()
  await approve(one)
  await one.getByTestId('blik-keep').click()
  await expect(outcome(one)).toHaveAttribute('data-outcome', 'approved')
  await expect(outcome(two)).toHaveAttribute('data-outcome', 'declined')
  await finalize(first.transactionId)
  expect(await reasonOf(second.transactionId)).toEqual(['DECLINED', '2001'])
  for (const phone of [one, two]) await phone.getByTestId('blik-close').click()
  await expect(one.getByTestId('blik-shop')).toHaveCount(1)
  await expect(two.getByTestId('blik-shop')).toHaveCount(0)
})

test.each([
  ['pl-PL', 'Potwierdzić tę płatność?', '10,00\u00a0zł'],
  ['el-GR', 'Έγκριση αυτής της πληρωμής;', '10,00\u00a0PLN'],
])('2.4: a payment of locale %s is shown in that language on an English phone', async (locale, title, amount) => {
  const phone = await newPhone('zuraw', { ...SMALL, locale: 'en-GB' })
  await pay(phone, { locale })
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText(title)
  await expect(phone.getByTestId('blik-amount')).toHaveText(amount)
  await expect(phone.locator('html')).toHaveAttribute('lang', locale.slice(0, 2))
  await approve(phone)
  await expect(outcome(phone)).toHaveAttribute('data-outcome', 'approved')
})

test('the phone is in Polish for a Polish browser', async () => {
  const phone = await newPhone('modrzew', { locale: 'pl-PL' })
  await expect(phone.getByTestId('blik-new-code')).toHaveText('Wygeneruj kod BLIK')
})

test('after a second tab and the Back button the first decision stands', async () => {
  const phone = await newPhone()
  const { transactionId } = await pay(phone, { transactionType: 'RECURRING' })
  await phone.getByTestId('blik-approve').waitFor()
  const tab = await phone.context().newPage()
  await tab.goto(phone.url())
  await approve(phone)
  await phone.getByTestId('blik-do-not-keep').click()
  await outcome(phone).waitFor()
  await expect(outcome(tab)).toHaveAttribute('data-outcome', 'approved')
  await phone.goBack()
  await expect(outcome(phone)).toHaveAttribute('data-outcome', 'approved')
  expect(await reasonOf(transactionId)).toEqual(['AUTHENTICATED', '-1'])
})
