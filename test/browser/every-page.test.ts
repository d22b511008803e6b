import axe from 'axe-core'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPages } from '../../hosted-pages/pages.ts'
import { byLot } from '../support/lot.ts'
import { createFakePort } from './fake-port.ts'
import { listen } from './listen.ts'
import { openBrowser, type TestBrowser } from './open-browser.ts'
import { everyPage } from './pages-to-visit.ts'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

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
  [360, 'pl-PL'],
  [360, 'el-GR'],
  [1280, 'en-GB'],
] as const

describe.each(['light', 'dark'] as const)('in %s colours', colorScheme => {
  test.each(byLot(VIEWS, 1))(
    'every page is accessible, fits at %i px in %s, asks nothing of the outside and does not complain',
    { timeout: 120_000 },
    async (width, locale) => {
      const viewport = { width, height: 800 }
      const page = await browser.newPage({ colorScheme, viewport, locale, reducedMotion: 'reduce' })
      const found = []
      for (const [name, path] of await everyPage(fake)) {
        await page.goto(site.url + path)
        for (const flaw of await flaws(page)) found.push(`${name}: ${flaw}`)
      }
      expect(found).toEqual([])
      const complaints = browser.complaints.splice(0).filter(complaint => !complaint.includes('status of 404'))
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )
})

/** What axe finds against WCAG 2.2 AA, and whether anything must be scrolled sideways. */
async function flaws(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    values => (globalThis as unknown as { axe: typeof axe }).axe.run({ runOnly: { type: 'tag', values } }),
    RULES,
  )
  const [content, width] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth])
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`)
  return Number(content) > Number(width) ? [...found, `is ${content} px wide`] : found
}
