import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { readAsBrowser } from '../support/request-compressed-response.ts'
import { accessibilityFlaws, bringAxe, COLOR_RULES } from './accessibility-flaws.ts'
import { layoutFlaws } from './layout-flaws.ts'
import type { TestBrowser } from './open-browser.ts'

type Visited = { url: string; browser: TestBrowser; pages: readonly [name: string, path: string][] }

/** As the wire carries it: compressed, but for pages that show secrets. */
const HEAVIEST_PAGE_IN_BYTES = 32_000
/** The style, the script of every page, the icon, and what a page has of its own. */
const FEWEST_PARTS = 3

const DRESSES = [
  ['light', 360],
  ['light', 1280],
  ['dark', 360],
  ['dark', 1280],
] as const
type Dress = (typeof DRESSES)[number]

/** Neighboring pages, mostly one in two states, have two dresses each: axe judges all in the light one, the colors in the dark one. */
const dressesOf = (at: number): readonly Dress[] => DRESSES.filter((_, dress) => (at % 2 === 0) === (dress % 3 === 0))

/** The narrowest width of each layout of a page, where least fits, and the widest of all. */
const WIDTHS = [320, 416, 640, 768, 880, 1024, 1152, 1920]

/**
 * Defines the browser tests of every portal page: no accessibility or layout flaw in each color scheme and width, at
 * most 32 KB.
 */
export const testPortalPageRequirements = (visited: () => Visited): void => {
  let visiting: ReturnType<typeof visitEveryPage> | undefined
  test.each(DRESSES)(
    '%s at %i px: every second page is accessible and fits',
    { timeout: 300_000 },
    async (colorScheme, width) => {
      visiting ??= visitEveryPage(visited())
      const { flaws, complaints } = await visiting
      expect(flaws.filter(({ dress }) => dress === `${colorScheme} ${width}`).map(({ flaw }) => flaw)).toEqual([])
      // Chromium names an answer that refuses a form; the sentence stands in the page.
      expect(complaints.filter(complaint => !complaint.includes('status of 400'))).toEqual([])
    },
  )

  test('every page fits from 320 to 1,920 px', { timeout: 300_000 }, async () => {
    visiting ??= visitEveryPage(visited())
    const { flaws } = await visiting
    expect(flaws.filter(({ dress }) => dress === 'any width').map(({ flaw }) => flaw)).toEqual([])
  })

  test('no page weighs more than 32 KB on the wire, with all that it loads', async () => {
    const { url, pages } = visited()
    for (const [name, path] of pages) {
      const text = await (await fetch(url + path)).text()
      const assets = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, address]) => String(address))
      const parts = await Promise.all([path, ...assets].map(address => readAsBrowser(url + address)))
      expect(assets.length, name).toBeGreaterThanOrEqual(FEWEST_PARTS)
      const weight = parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
      expect(weight, name).toBeLessThan(HEAVIEST_PAGE_IN_BYTES)
    }
  })
}

/** Looks at every page, loaded once: in its dresses, and whether it fits at any width. */
const visitEveryPage = async ({ url, browser, pages }: Visited) => {
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  await bringAxe(page)
  const flaws: { dress: string; flaw: string }[] = []
  for (const [at, [name, path]] of pages.entries()) {
    await page.goto(url + path)
    await page.locator('main details').evaluateAll(all => {
      for (const one of all) one.setAttribute('open', '')
    })
    for (const [colorScheme, width] of dressesOf(at)) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      const rules = colorScheme === 'dark' ? COLOR_RULES : undefined
      const found = [
        await accessibilityFlaws(page, rules),
        await labelsOverValues(page),
        await layoutFlaws(page),
      ].flat()
      flaws.push(...found.map(flaw => ({ dress: `${colorScheme} ${width}`, flaw: `${name}: ${flaw}` })))
    }
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      const found = await layoutFlaws(page)
      flaws.push(...found.map(flaw => ({ dress: 'any width', flaw: `${name} at ${width} px: ${flaw}` })))
    }
  }
  await page.context().close()
  return { flaws, complaints: browser.complaints.splice(0) }
}

/** On a narrow screen each value of a table has its label beside it: labels wider than their column, or of nothing. */
const labelsOverValues = (page: Page): Promise<string[]> =>
  page.locator('.data td').evaluateAll(cells => {
    const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
    const isOver = (cell: Element) => {
      const { content, font, width } = getComputedStyle(cell, '::before')
      pen.font = font
      // Between words a label breaks; a single word cannot.
      const words = content === 'none' ? [] : content.slice(1, -1).split(' ')
      return words.some(word => pen.measureText(word).width > Number.parseFloat(width))
    }
    const isBare = (cell: Element) =>
      getComputedStyle(cell, '::before').content !== 'none' && cell.checkVisibility() && cell.textContent?.trim() === ''
    const said = (found: typeof isOver, flaw: string) =>
      cells.filter(found).map(cell => `the label ${cell.getAttribute('data-label')} ${flaw}`)
    return [...new Set([...said(isOver, 'is over its value'), ...said(isBare, 'has no value')])]
  })
