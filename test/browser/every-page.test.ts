import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPages } from '../../hosted-pages/pages.ts'
import { byLot } from '../support/lot.ts'
import { axeFlaws } from './axe-flaws.ts'
import { createFakePort } from './fake-port.ts'
import { listen } from './listen.ts'
import { openBrowser, type TestBrowser } from './open-browser.ts'
import { everyPage } from './pages-to-visit.ts'

let browser: TestBrowser
let site: Awaited<ReturnType<typeof listen>>
const fake = createFakePort()

beforeAll(async () => {
  browser = await openBrowser()
  site = await listen(createPages(fake.port))
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

test.each(byLot(VIEWS, 1))(
  'in %s colours every page is accessible, fits at %i px in %s, asks nothing of the outside and does not complain',
  { timeout: 120_000 },
  async (colorScheme, width, locale) => {
    const viewport = { width, height: 800 }
    const page = await browser.newPage({ colorScheme, viewport, locale, reducedMotion: 'reduce' })
    const found = []
    for (const [name, path] of await everyPage(fake)) {
      await page.goto(site.url + path)
      for (const flaw of await axeFlaws(page)) found.push(`${name}: ${flaw}`)
    }
    expect(found).toEqual([])
    const complaints = browser.complaints.splice(0).filter(complaint => !complaint.includes('status of 404'))
    expect(complaints).toEqual([])
    await page.context().close()
  },
)
