import { afterAll, afterEach, beforeAll, test } from 'vitest'
import { createPages } from '../../hosted-pages/all-page-routes.ts'
import { createFakeShopperFeatures } from './fake-shopper-features.ts'
import { confirmAtBank } from './iris-bank-steps.ts'
import { expect, openBrowser, type TestBrowser } from './open-browser.ts'
import { readQr } from './read-qr.ts'
import { serveOnFreePort } from './serve-on-free-port.ts'

const ELSEWHERE = 'http://pages.example:8080'
const DESK = { width: 1280, height: 800 }
const PHONE = { width: 360, height: 740 }

let browser: TestBrowser
let site: Awaited<ReturnType<typeof serveOnFreePort>>
let reachable: Awaited<ReturnType<typeof serveOnFreePort>>
const fake = createFakeShopperFeatures()

beforeAll(async () => {
  browser = await openBrowser()
  site = await serveOnFreePort(createPages(fake.features))
  reachable = await serveOnFreePort(createPages({ ...fake.features, pagesUrl: ELSEWHERE }))
})
afterAll(async () => {
  await browser.close()
  await site.close()
  await reachable.close()
})
afterEach(async () => {
  await browser.closePages()
  expect(browser.complaints.splice(0).filter(said => !said.includes('data:image/png'))).toEqual([])
})

// biome-ignore format: a table reads by its columns
test.for([
  ['a desk',               DESK,  'light'],
  ['a desk in the dark',   DESK,  'dark'],
  ['a phone',              PHONE, 'light'],
  ['a phone in the dark',  PHONE, 'dark'],
] as const)('the QR code on the screen of %s holds the address of the payment (1)', async ([, viewport, colorScheme]) => {
  const [page, blank] = [await browser.newPage({ viewport, colorScheme }), await browser.newPage()]
  const address = site.url + fake.redirect()
  await page.goto(address)
  expect(await readQr(page.getByTestId('iris-qr'), blank)).toBe(address)
  await expect(page.getByTestId('iris-qr-only-here')).toContainText(new URL(site.url).host)
})

test('a phone is not asked to scan its own screen, and no bank of any screen promises an app', async () => {
  for (const [options, isShown] of [
    [{ viewport: PHONE, hasTouch: true, isMobile: true }, false],
    [{ viewport: PHONE }, true],
  ] as const) {
    const page = await browser.newPage(options)
    await page.goto(site.url + fake.redirect())
    await expect(page.getByTestId('iris-qr')).toBeVisible({ visible: isShown })
    await expect(page.locator('.choice .lead')).toHaveText('You confirm the payment there, then return to the shop.')
  }
})

test('the QR code holds the configured pages URL', async () => {
  const [page, blank] = [await browser.newPage(), await browser.newPage()]
  const path = fake.redirect()
  await page.goto(reachable.url + path)
  expect(await readQr(page.getByTestId('iris-qr'), blank)).toBe(ELSEWHERE + path)
  await expect(page.getByTestId('iris-qr-only-here')).toHaveCount(0)
})

test('a payment on the phone that scanned the QR code is shown on the desktop page', async () => {
  const [desk, phone, blank] = [
    await browser.newPage({ viewport: DESK }),
    await browser.newPage({ viewport: PHONE }),
    await browser.newPage(),
  ]
  await desk.goto(site.url + fake.redirect({ returnUrl: `${site.url}/blik` }))
  await phone.goto((await readQr(desk.getByTestId('iris-qr'), blank)) ?? '')
  await confirmAtBank(phone, 'meltemi')
  await phone.waitForURL(/\/blik/)
  await expect(desk.getByTestId('iris-outcome')).toHaveAttribute('data-outcome', 'approved')
  await desk.getByTestId('iris-return').click()
  await desk.waitForURL(/\/blik/)
})
