import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, test } from 'vitest'
import { createPages } from '../../hosted-pages/all-page-routes.ts'
import { createFakeShopperFeatures } from './fake-shopper-features.ts'
import { confirmAtBank, goToBankConfirmation } from './iris-bank-steps.ts'
import { expect, openBrowser, type TestBrowser } from './open-browser.ts'
import { serveOnFreePort } from './serve-on-free-port.ts'

const SLOW_BANK = 'thymari'
const VALIDITY_SECONDS = 1800

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
  page = await browser.newPage({ viewport: { width: 360, height: 740 } })
})
afterEach(async () => {
  await browser.closePages()
  expect(browser.complaints.splice(0)).toEqual([])
})

const open = async (on: Page = page) => {
  const address = site.url + fake.redirect({ returnUrl: `${site.url}/blik` })
  await on.goto(address)
  return address
}
const outcome = (on: Page = page) => on.getByTestId('iris-outcome')
const confirming = (on: Page = page) => on.getByTestId('iris-confirming')

test('the page waits until the bank has answered, by the organization’s clock', async () => {
  await open()
  await confirmAtBank(page, SLOW_BANK)
  await expect(confirming()).toHaveText('Your bank is at work')
  fake.advance(19)
  await expect(page.getByTestId('iris-countdown')).toHaveText('29:41')
  await expect(confirming()).toBeVisible()
  fake.advance(1)
  await expect(outcome()).toHaveAttribute('data-outcome', 'approved')
  await page.getByTestId('iris-return').click()
  await page.waitForURL(/\/blik/)
})

test('the time to pay may end before a slow bank has answered (R7)', async () => {
  await open()
  await goToBankConfirmation(page, SLOW_BANK)
  fake.advance(VALIDITY_SECONDS - 10)
  await page.getByTestId('iris-confirm').click()
  await confirming().waitFor()
  fake.advance(10)
  await expect(outcome()).toHaveAttribute('data-outcome', 'expired')
})

test('while the bank processes, reload, Back, a second tab and a second click decide nothing', async () => {
  const stale = await browser.newPage({ javaScriptEnabled: false })
  const address = await open(stale)
  await page.goto(address)
  await goToBankConfirmation(page, SLOW_BANK)
  await page.getByTestId('iris-confirm').dblclick()
  await confirming().waitFor()
  await page.reload()
  await expect(confirming()).toBeVisible()
  await stale.getByTestId('iris-cancel').click()
  await expect(confirming(stale)).toBeVisible()
  await page.goto(`${address}/banks/elaia/accounts/current?user=Maria`)
  await expect(confirming()).toBeVisible()
  fake.advance(20)
  await expect(outcome()).toHaveAttribute('data-outcome', 'approved')
  await stale.getByTestId('iris-refresh').click()
  await expect(outcome(stale)).toHaveAttribute('data-outcome', 'approved')
})

test('the shopper may return to the shop before the bank has answered', async () => {
  await open()
  await confirmAtBank(page, SLOW_BANK)
  await page.getByTestId('iris-return').click()
  await page.waitForURL(/\/blik/)
})

test('a confirmation counts although the window is closed while the bank processes', async () => {
  const address = await open()
  await goToBankConfirmation(page, SLOW_BANK)
  await page.getByTestId('iris-confirm-and-leave').click()
  await expect(outcome()).toHaveAttribute('data-outcome', 'left')
  fake.advance(20)
  await page.goto(address)
  await expect(outcome()).toHaveAttribute('data-outcome', 'approved')
})

test('the page after leaving redirects to the payment before a confirmation', async () => {
  const address = await open()
  await page.goto(`${address}/left`)
  await expect(page).toHaveURL(address)
})
