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
  fake.run(0)
  page = await browser.newPage()
})
afterEach(async () => {
  await page.context().close() // with the clock that it has
  await browser.closePages()
  expect(browser.complaints.splice(0)).toEqual([])
})

/** Opens a payment of 30 minutes whose questions find no answer, and lets so many seconds pass in the browser. */
async function secondsLeftAfter(seconds: number): Promise<number> {
  await page.route('**/stream', () => {})
  await page.clock.install()
  await page.goto(site.url + fake.redirect())
  await page.clock.runFor(seconds * 1000)
  const [minutes = Number.NaN, rest = Number.NaN] = (await countdown().innerText()).split(':').map(Number)
  return minutes * 60 + rest
}

const countdown = () => page.getByTestId('iris-countdown')

// Lower bounds leave a minute for opening the page.
// biome-ignore format: a table reads by its columns
test.for([
  ['frozen: it stands still from the first second', 0,   1800, 1800],
  ['at real pace: a minute takes a minute',         1,   1680, 1740],
  ['ten times as fast: a minute takes ten',         10,  600,  1200],
  ['half as fast: a minute takes half a minute',    0.5, 1740, 1770],
] as const)('a page counts down by the rate of the clock, %s', async ([, rate, atLeast, atMost]) => {
  fake.run(rate)
  const left = await secondsLeftAfter(60)
  expect(left).toBeGreaterThanOrEqual(atLeast)
  expect(left).toBeLessThanOrEqual(atMost)
})

test('an open page follows a clock that is moved, frozen or scaled', async () => {
  await page.goto(site.url + fake.redirect())
  fake.advance(600)
  await expect(countdown()).toHaveText('20:00')
  fake.run(1)
  await expect(countdown()).toHaveText('19:58')
  fake.run(0)
  fake.advance(598)
  await expect(countdown()).toHaveText(/^(10:00|9:5\d)$/)
  fake.run(1000)
  await expect(page.getByTestId('iris-outcome')).toHaveAttribute('data-outcome', 'expired')
})
