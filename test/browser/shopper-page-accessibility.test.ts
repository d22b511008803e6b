import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPages } from '../../hosted-pages/all-page-routes.ts'
import { accessibilityFlaws } from './accessibility-flaws.ts'
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

const VIEWS = [
  ['light', 360, 'pl-PL'],
  ['dark', 360, 'el-GR'],
  ['light', 1280, 'el-GR'],
  ['dark', 1280, 'en-GB'],
] as const

test.each(VIEWS)(
  'in %s colours every page is accessible, fits at %i px in %s, asks nothing of the outside and does not complain',
  { timeout: 120_000 },
  async (colorScheme, width, locale) => {
    const viewport = { width, height: 800 }
    const page = await browser.newPage({ colorScheme, viewport, locale, reducedMotion: 'reduce' })
    const found = []
    for (const [name, path] of await shopperPageAddresses(fake)) {
      await page.goto(site.url + path)
      for (const flaw of await accessibilityFlaws(page)) found.push(`${name}: ${flaw}`)
    }
    expect(found).toEqual([])
    const complaints = browser.complaints.splice(0).filter(complaint => !complaint.includes('status of 404'))
    expect(complaints).toEqual([])
    await page.context().close()
  },
)
