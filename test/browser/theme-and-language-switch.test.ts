import type { Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect as judge, test } from 'vitest'
import { createPages } from '../../hosted-pages/all-page-routes.ts'
import { accessibilityFlaws } from './accessibility-flaws.ts'
import { createFakeShopperFeatures } from './fake-shopper-features.ts'
import { expect, openBrowser, type TestBrowser } from './open-browser.ts'
import { PORTAL, type PortalSandbox, startPortalSandbox } from './portal-sandbox.ts'

let browser: TestBrowser
let site: PortalSandbox
const fake = createFakeShopperFeatures()
const pages = createPages(fake.features)

beforeAll(async () => {
  browser = await openBrowser()
  site = await startPortalSandbox()
})
afterAll(async () => {
  await browser?.close()
  await site?.stop()
})
afterEach(async () => {
  await browser.closePages()
  judge(browser.complaints.splice(0)).toEqual([])
})

const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
const [LIGHT, DARK] = ['rgb(242, 244, 242)', 'rgb(13, 17, 18)']

test.each([true, false])(
  'the theme is chosen on one page and holds on all, with a script: %s',
  async javaScriptEnabled => {
    const page = await browser.newPage({ javaScriptEnabled, colorScheme: 'light' })
    await page.goto(`${site.url}${PORTAL}/payments?state=AUTHORIZED`)
    const from = page.url()
    await page.getByTestId('appearance').click()
    await page.getByTestId('theme-dark').click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    judge(page.url()).toBe(from)
    await page.reload()
    for (const path of [PORTAL, '/', '/blik/demo-merchant', '/shop/demo-merchant', '/nothing']) {
      await page.goto(site.url + path)
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
      await expect(page.locator('[name=color-scheme]')).toHaveAttribute('content', 'dark')
      judge(await ground(page), path).not.toBe(LIGHT)
    }
    browser.complaints.splice(0) // Chromium names the page that is not found
    await page.goto(site.url)
    await page.getByTestId('appearance').click()
    await expect(page.getByTestId('theme-dark')).toHaveAttribute('aria-pressed', 'true')
    await page.getByTestId('theme-system').click()
    await expect(page.getByTestId('theme-system')).toHaveAttribute('aria-pressed', 'true')
    judge(await ground(page)).toBe(LIGHT)
    await page.emulateMedia({ colorScheme: 'dark' })
    judge(await ground(page)).toBe(DARK)
  },
)

test('the language is chosen on the shopper’s pages, before that of the payment; the portal has none to choose', async () => {
  const page = await browser.newPage({ javaScriptEnabled: false, locale: 'en-US' })
  await page.goto(`${site.url}/blik/demo-merchant`)
  await page.getByTestId('appearance').click()
  await page.getByTestId('language-pl').click()
  await expect(page.locator('h1')).toHaveText('Aplikacja którego banku jest na tym telefonie?')
  judge(page.url()).toBe(`${site.url}/blik/demo-merchant`)
  await page.goto(site.url + PORTAL)
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.getByTestId('appearance').click()
  await expect(page.getByTestId('language-pl')).toHaveCount(0)
  const answer = await pages.request(fake.redirect({ locale: 'el' }), { headers: { cookie: 'assay-language=pl' } })
  judge(await answer.text()).toContain('<html lang="pl"')
})

test.each(['light', 'dark'] as const)('the open switch is accessible and fits in the %s theme', async theme => {
  for (const width of [320, 1280]) {
    const page = await browser.newPage({ viewport: { width, height: 700 }, locale: 'el-GR' })
    for (const path of ['/', PORTAL, '/shop/demo-merchant']) {
      await page.goto(site.url + path)
      await page.getByTestId('appearance').click()
      await page.getByTestId(`theme-${theme}`).click()
      await expect(page.getByTestId(`theme-${theme}`)).toHaveAttribute('aria-pressed', 'true')
      judge(await accessibilityFlaws(page), `${path} at ${width}`).toEqual([])
    }
  }
})

test('Escape closes the switch and leaves the focus on it, or where it is elsewhere', async () => {
  const page = await browser.newPage()
  await page.goto(site.url)
  const summary = page.getByTestId('appearance')
  await summary.press('Enter')
  await page.keyboard.press('Tab')
  await expect(page.getByTestId('theme-light')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('theme-light')).toBeHidden()
  await expect(summary).toBeFocused()
  await summary.press('Enter')
  await page.getByTestId('find-anything').focus()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('theme-light')).toBeHidden()
  await expect(page.getByTestId('find-anything')).toBeFocused()
})

test('a choice is one of those offered, and leads back to a page of this host only', async () => {
  const choose = async (fields: Record<string, string>, referer = '') => {
    const headers = { referer, cookie: 'assay-theme=evil' }
    return pages.request('/appearance', { method: 'POST', body: new URLSearchParams(fields), headers })
  }
  const taken = await choose({ theme: 'dark', language: 'el' }, 'http://localhost/shop/a/b?order=1')
  judge(taken.headers.get('location')).toBe('/shop/a/b?order=1')
  judge(taken.headers.getSetCookie().join('\n')).toMatch(/assay-theme=dark; Path=\/; .*HttpOnly; SameSite=Lax/)
  for (const referer of ['', 'http://localhost//evil.example', 'http://localhost/\\evil.example', 'about:blank'])
    judge((await choose({ theme: '"><b>', language: 'xx' }, referer)).headers.get('location')).toMatch(/^\/(?!\/)/)
  judge((await choose({ theme: '"><b>', language: 'xx' })).headers.getSetCookie()).toEqual([])
  judge(await (await pages.request('/', { headers: { cookie: 'assay-theme=evil' } })).text()).not.toContain('evil')
})
