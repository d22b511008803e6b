import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, test } from 'vitest'
import { createPages } from '../../hosted-pages/all-page-routes.ts'
import { createFakeShopperFeatures } from './fake-shopper-features.ts'
import { expect, openBrowser, type TestBrowser } from './open-browser.ts'
import { serveOnFreePort } from './serve-on-free-port.ts'

let browser: TestBrowser
let site: Awaited<ReturnType<typeof serveOnFreePort>>
let page: Page
const fake = createFakeShopperFeatures()

beforeAll(async () => {
  browser = await openBrowser()
  site = await serveOnFreePort(createPages(fake.features))
})
afterAll(async () => {
  await browser.close()
  await site.close()
})
beforeEach(async () => {
  page = await browser.newPage({ permissions: ['clipboard-read', 'clipboard-write'] })
})
afterEach(async () => {
  await browser.closePages()
  expect(browser.complaints.splice(0)).toEqual([])
})

/** Makes a code on a new phone; the answer is its digits. */
async function makeCode(on: Page = page): Promise<string> {
  await on.goto(`${site.url}/blik/demo-merchant`)
  await on.getByTestId('blik-bank-modrzew').click()
  await on.getByTestId('blik-new-code').click()
  return (await on.getByTestId('blik-code').textContent()) ?? ''
}

/** Says yes to the payment, with a PIN. */
async function approve(on: Page = page): Promise<void> {
  await on.getByTestId('blik-pin').fill('1234')
  await on.getByTestId('blik-approve').click()
}

test('a code is shown with its remaining time on the organization’s clock, and can be copied', async () => {
  const code = await makeCode()
  expect(code).toMatch(/^\d{6}$/)
  await expect(page.getByTestId('blik-countdown')).toHaveText('2:00')
  fake.advance(75)
  await expect(page.getByTestId('blik-countdown')).toHaveText('0:45')

  await page.getByTestId('blik-copy').click()
  await expect(page.getByTestId('blik-copy')).toHaveText('Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code)
})

test('a pushed payment appears by itself and is approved', async () => {
  fake.push(await makeCode(), { amount: 1_234_567, payee: 'Shop <b>&', description: 'Order "7"' })
  await expect(page.getByTestId('blik-amount')).toHaveText('PLN 12,345.67')
  await expect(page.getByTestId('blik-payee')).toHaveText('Shop <b>&')
  await expect(page.getByTestId('blik-description')).toHaveText('Order "7"')
  await expect(page.getByTestId('blik-countdown')).toHaveText('0:45')
  await expect(page).toHaveTitle(/^Approve this payment\?/)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  await approve()
  await expect(page.getByTestId('blik-outcome')).toHaveAttribute('data-outcome', 'approved')
  await page.reload()
  await expect(page.getByTestId('blik-outcome')).toHaveText('Payment approved')
})

test('a TOKEN_ONLY request is shown without an amount', async () => {
  fake.push(await makeCode(), { transactionType: 'TOKEN_ONLY', amount: 0 })
  await expect(page).toHaveTitle(/^Keep this shop\?/)
  await expect(page.getByTestId('blik-amount')).toHaveText('Nothing is paid now')
  await expect(page.getByTestId('blik-keeps-shop')).toBeVisible()
  await approve()
  await expect(page.getByTestId('blik-outcome')).toHaveText('You agreed')
})

test('a ONE_TIME payment does not mention later payments', async () => {
  fake.push(await makeCode())
  await page.getByTestId('blik-approve').waitFor()
  await expect(page.getByTestId('blik-keeps-shop')).toHaveCount(0)
})

test('a pushed payment is declined, and the next code is independent of it', async () => {
  fake.push(await makeCode())
  await page.getByTestId('blik-decline').click()
  await expect(page.getByTestId('blik-outcome')).toHaveAttribute('data-outcome', 'declined')
  await page.getByTestId('blik-new-code').click()
  await expect(page.getByTestId('blik-countdown')).toHaveText('2:00')
})

test('forty-five seconds without a decision end the payment while the page is open', async () => {
  fake.push(await makeCode())
  await page.getByTestId('blik-approve').waitFor()
  fake.advance(44)
  await expect(page.getByTestId('blik-countdown')).toHaveText('0:01')
  fake.advance(1)
  await expect(page.getByTestId('blik-outcome')).toHaveAttribute('data-outcome', 'expired')
})

test('a code that no shop used expires while the page is open, and offers a new one', async () => {
  const code = await makeCode()
  fake.advance(120)
  await expect(page.getByTestId('blik-outcome')).toHaveAttribute('data-outcome', 'code-expired')
  await page.getByTestId('blik-new-code').click()
  await expect(page.getByTestId('blik-code')).not.toHaveText(code)
})

test('without JavaScript a link and two forms suffice', async () => {
  const plain = await browser.newPage({ javaScriptEnabled: false })
  const code = await makeCode(plain)
  await expect(plain.getByTestId('blik-copy')).toBeHidden()
  await expect(plain.getByTestId('blik-countdown')).toHaveText('2:00')
  fake.push(code)
  await plain.getByTestId('blik-refresh').click()
  await approve(plain)
  await expect(plain.getByTestId('blik-outcome')).toHaveAttribute('data-outcome', 'approved')
})

test('a second tab with an old screen cannot turn an approved payment into a declined one', async () => {
  const stale = await browser.newPage({ javaScriptEnabled: false })
  fake.push(await makeCode())
  await page.getByTestId('blik-approve').waitFor()
  await stale.goto(page.url())
  await approve()
  await page.getByTestId('blik-outcome').waitFor()
  await stale.getByTestId('blik-decline').click()
  await expect(stale.getByTestId('blik-outcome')).toHaveAttribute('data-outcome', 'approved')
})

test('two phones at once each get their own payment', async () => {
  const other = await browser.newPage()
  const [first, second] = [await makeCode(), await makeCode(other)]
  fake.push(second, { payee: 'Second shop' })
  fake.push(first, { payee: 'First shop' })
  await expect(page.getByTestId('blik-payee')).toHaveText('First shop')
  await expect(other.getByTestId('blik-payee')).toHaveText('Second shop')
})

test('the keyboard suffices to choose a phone, create a code and approve with Enter in the PIN', async () => {
  await page.goto(`${site.url}/blik/demo-merchant`)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByTestId('blik-new-code').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  fake.push((await page.getByTestId('blik-code').textContent()) ?? '')
  await page.getByTestId('blik-approve').waitFor()
  await page.keyboard.press('Tab')
  await expect(page.getByTestId('blik-pin')).toBeFocused()
  await page.keyboard.type('2580')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('blik-outcome')).toHaveAttribute('data-outcome', 'approved')
})

test('where the stream is refused, what is typed stays, the page says that it is not live, and it goes on later', async () => {
  await page.clock.install()
  fake.push(await makeCode())
  await page.getByTestId('blik-pin').fill('12')
  await expect(page.locator('html[data-connection=live]')).toHaveCount(1)
  await expect(page.getByTestId('not-live')).toBeHidden()
  const [stream, path] = [/\/stream/, new URL(page.url()).pathname]
  await page.route(stream, route => route.fulfill({ status: 503, body: 'Too many pages are open.' }))
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByTestId('not-live')).toBeVisible()
  const isAsked = page.waitForResponse(answer => new URL(answer.url()).pathname === path)
  const isTriedAgain = page.waitForResponse(stream)
  await page.clock.runFor(5_000)
  await Promise.all([isAsked, isTriedAgain])
  await expect(page.getByTestId('blik-pin')).toHaveValue('12')
  fake.advance(45)
  await page.clock.runFor(10_000)
  await expect(page.getByTestId('blik-outcome')).toHaveAttribute('data-outcome', 'expired')
  browser.complaints.splice(0) // the browser's own word on the refused stream
  await page.context().close() // with the clock that it has
})

/** A phone on its home screen, which follows its stream. */
const openHome = async (): Promise<string> => {
  const { phoneId, path } = await fake.phone()
  fake.keep(phoneId)
  await page.goto(site.url + path)
  await page.locator('html[data-connection=live]').waitFor()
  return phoneId
}

const payWithCodeOf = async (phoneId: string): Promise<string> => {
  const { code, codeId } = await fake.features.shopper.createCode('demo-merchant', { phoneId })
  fake.push(code)
  const sent = await fake.features.shopper.code('demo-merchant', codeId)
  return String(sent?.payment?.transactionId)
}

test('an answer that comes late does not replace a newer one', async () => {
  const phoneId = await openHome()
  const held = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  await page.route(
    page.url(),
    async route => {
      const response = await route.fetch()
      isHeld.resolve()
      await held.promise
      await route.fulfill({ response }).catch(() => {}) // nobody waits for it any more
    },
    { times: 1 },
  )
  const transactionId = await payWithCodeOf(phoneId)
  await isHeld.promise
  await fake.features.shopper.decide('demo-merchant', transactionId, 'decline')
  await expect(page.getByTestId('blik-payment')).toHaveAttribute('data-outcome', 'declined')
  const isAnswered = page.waitForEvent('requestfinished').catch(() => {})
  held.resolve()
  await page.evaluate(() => fetch('/assets/icon.svg')) // sent after it, over the same connection or another
  await isAnswered
  await expect(page.getByTestId('blik-payment')).toHaveAttribute('data-outcome', 'declined')
})

test('a question stays open, with the focus, while the screen around it changes; another screen takes the focus', async () => {
  const phoneId = await openHome()
  await page.getByTestId('blik-ask-revoke').press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByTestId('blik-revoke')).toBeFocused()
  fake.keep(phoneId, { payee: 'Second shop' })
  fake.advance(0)
  await expect(page.getByTestId('blik-shop')).toHaveCount(2)
  await expect(page.getByTestId('blik-revoke').first()).toBeFocused()
  const transactionId = await payWithCodeOf(phoneId)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('To approve')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page.getByTestId('blik-revoke').first()).toBeVisible()
  await fake.features.shopper.decide('demo-merchant', transactionId, 'decline')
  await expect(page.getByTestId('blik-payment')).toHaveCount(1)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})
