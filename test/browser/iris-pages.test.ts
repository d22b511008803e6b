import { Hono } from 'hono'
import type { Page } from 'playwright'
import { expect } from 'playwright/test'
import { afterAll, afterEach, beforeAll, beforeEach, test } from 'vitest'
import { createPages } from '../../hosted-pages/pages.ts'
import { createFakePort } from './fake-port.ts'
import { listen } from './listen.ts'
import { openBrowser, type TestBrowser } from './open-browser.ts'

type Site = Awaited<ReturnType<typeof listen>>

let browser: TestBrowser
let site: Site
let shop: Site
let page: Page
const fake = createFakePort()

beforeAll(async () => {
  browser = await openBrowser()
  site = await listen(createPages(fake.port))
  shop = await listen(
    new Hono()
      .get('/back', c => c.html('<!doctype html><html lang="en"><title>shop</title><link rel="icon" href="data:,">'))
      .get('/moved', c => c.redirect(`${site.url}/blik`)),
  )
})
afterAll(async () => {
  await browser.close()
  await site.close()
  await shop.close()
})
beforeEach(async () => {
  page = await browser.newPage()
})
afterEach(async () => {
  await browser.closePages()
  expect(browser.complaints.splice(0)).toEqual([])
})

/** Opens the payment page as the shop's redirect does; the answer is its address. */
async function openPayment(returnUrl = `${shop.url}/back`, on: Page = page): Promise<string> {
  const address = site.url + fake.redirect({ returnUrl })
  await on.goto(address)
  return address
}

async function chooseBank(on: Page = page): Promise<void> {
  await on.getByTestId('iris-bank-pelagos').click()
  await expect(on.getByTestId('iris-bank-name')).toHaveText('Pelagos Bank')
}

test('the shopper chooses a bank, confirms, and returns to the address of the shop with its query as it was', async () => {
  const returnUrl = `${shop.url}/back?order=7&note=a%20b+c&empty=&%CE%B1=1`
  await openPayment(returnUrl)
  await expect(page.getByTestId('iris-amount')).toHaveText('€129.99')
  await expect(page.getByTestId('iris-payee')).toHaveText('Papierówka Books')
  await expect(page.getByTestId('iris-countdown')).toHaveText('30:00')
  await chooseBank()
  await expect(page.getByTestId('iris-amount')).toHaveText('€129.99')
  await page.getByTestId('iris-confirm').click()
  await page.waitForURL(returnUrl)
  expect(page.url()).toBe(returnUrl)
  expect(fake.decisions.at(-1)).toMatch(/approve$/)
})

test('a shop that redirects on to another host is reached too', async () => {
  await openPayment(`${shop.url}/moved`)
  await chooseBank()
  await page.getByTestId('iris-confirm').click()
  await page.waitForURL(`${site.url}/blik/demo-merchant`)
})

test.for(['banks', 'bank'])('cancelling on the page of the %s returns to the shop', async (where, _) => {
  await openPayment()
  if (where === 'bank') await chooseBank()
  await page.getByTestId('iris-cancel').click()
  await page.waitForURL(`${shop.url}/back`)
  expect(fake.decisions.at(-1)).toMatch(/decline$/)
})

test('another bank can be chosen', async () => {
  const address = await openPayment()
  await chooseBank()
  await page.getByTestId('iris-other-bank').click()
  await expect(page).toHaveURL(address)
})

test.for(['banks', 'bank'])('a request that expires on the open page of the %s says so', async (where, _) => {
  await openPayment()
  if (where === 'bank') await chooseBank()
  fake.advance(1799)
  await expect(page.getByTestId('iris-countdown')).toHaveText('0:01')
  fake.advance(1)
  await expect(page.getByTestId('iris-outcome')).toHaveAttribute('data-outcome', 'expired')
  await page.getByTestId('iris-return').click()
  await page.waitForURL(`${shop.url}/back`)
})

test('reload, back and a double click do no harm', async () => {
  const address = await openPayment()
  await chooseBank()
  await page.reload()
  await page.getByTestId('iris-confirm').dblclick()
  await page.waitForURL(`${shop.url}/back`)
  await page.goBack()
  await expect(page.getByTestId('iris-outcome')).toHaveAttribute('data-outcome', 'approved')
  await page.goto(address)
  await expect(page.getByTestId('iris-outcome')).toHaveAttribute('data-outcome', 'approved')
  await page.getByTestId('iris-return').click()
  await page.waitForURL(`${shop.url}/back`)
})

test('who cancels in a second tab after confirming reads that the payment was confirmed', async () => {
  const address = await openPayment()
  const stale = await browser.newPage({ javaScriptEnabled: false })
  await stale.goto(address)
  await chooseBank()
  await page.getByTestId('iris-confirm').click()
  await page.waitForURL(`${shop.url}/back`)
  await stale.getByTestId('iris-cancel').click()
  await expect(stale.getByTestId('iris-outcome')).toHaveAttribute('data-outcome', 'approved')
})

test('without JavaScript the same is done by links and forms', async () => {
  const plain = await browser.newPage({ javaScriptEnabled: false })
  await openPayment(undefined, plain)
  await chooseBank(plain)
  await plain.getByTestId('iris-confirm').click()
  await plain.waitForURL(`${shop.url}/back`)
})
