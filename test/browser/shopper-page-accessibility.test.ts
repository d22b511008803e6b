import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPages } from '../../hosted-pages/all-page-routes.ts'
import { accessibilityFlaws, bringAxe, COLOR_RULES } from './accessibility-flaws.ts'
import { createFakeShopperFeatures } from './fake-shopper-features.ts'
import { openBrowser, type TestBrowser } from './open-browser.ts'
import { serveOnFreePort } from './serve-on-free-port.ts'
import { shopperPageAddresses } from './shopper-page-addresses.ts'

let browser: TestBrowser
let site: Awaited<ReturnType<typeof serveOnFreePort>>
const fake = createFakeShopperFeatures()

beforeAll(async () => {
  browser = await openBrowser()
  site = await serveOnFreePort(createPages(fake.features))
})
afterAll(async () => {
  await browser.close()
  await site.close()
})

/** Axe looks at a page once in each width, and in its other colors at those only. */
const EVERY_DRESS = [
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 360, rules: COLOR_RULES },
  { colorScheme: 'light', width: 1280, rules: COLOR_RULES },
  { colorScheme: 'dark', width: 1280 },
] as const

/** Both languages of long words, of which axe judges the second where the words count. */
const VIEWS = [
  ['el-GR', EVERY_DRESS],
  ['pl-PL', [{ colorScheme: 'light', width: 360, rules: ['html-lang-valid', 'label-content-name-mismatch'] }]],
] as const

test.each(VIEWS)(
  'in %s every page is accessible and fits in its colors and widths, asks nothing of the outside and does not complain',
  { timeout: 120_000 },
  async (locale, dresses) => {
    const page = await browser.newPage({ locale })
    await bringAxe(page)
    const found = []
    for (const [name, path] of await shopperPageAddresses(fake)) {
      await page.goto(site.url + path)
      for (const { colorScheme, width, ...only } of dresses) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 800 })
        const flaws = await accessibilityFlaws(page, 'rules' in only ? only.rules : undefined)
        for (const flaw of flaws) found.push(`${name}, ${colorScheme} at ${width} px: ${flaw}`)
      }
    }
    expect(found).toEqual([])
    const complaints = browser.complaints.splice(0).filter(complaint => !complaint.includes('status of 404'))
    expect(complaints).toEqual([])
    await page.context().close()
  },
)

/** What WCAG 1.4.12 lets a reader set. */
const TEXT_SPACING = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
p { margin-bottom: 2em !important }`

test.each(['el-GR', 'pl-PL', 'en-GB'])(
  'in %s every page fits 320 px with the text spacing of WCAG 1.4.12, with its switch of theme and language open',
  { timeout: 120_000 },
  async locale => {
    const page = await browser.newPage({ locale, viewport: { width: 320, height: 640 } })
    const found = []
    for (const [name, path] of await shopperPageAddresses(fake)) {
      await page.goto(site.url + path)
      const cut = await page.evaluate(style => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(style)
        document.adoptedStyleSheets = [sheet]
        for (const one of document.querySelectorAll('details')) one.open = true
        const { scrollWidth } = document.documentElement
        const isCut = (one: Element) => one.checkVisibility() && one.getBoundingClientRect().left < 0
        const buttons = [...document.querySelectorAll('button')].filter(isCut).map(({ textContent }) => textContent)
        return scrollWidth > innerWidth ? [`is ${scrollWidth} px wide`, ...buttons] : buttons
      }, TEXT_SPACING)
      for (const flaw of cut) found.push(`${name}: ${flaw}`)
    }
    expect(found).toEqual([])
    browser.complaints.splice(0)
    await page.context().close()
  },
)
