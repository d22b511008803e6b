import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What axe need not work out, as only the HTML of violations is read. */
const SPARED = { resultTypes: ['violations'], selectors: false } satisfies axe.RunOptions

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Rules whose outcome depends on the color scheme, by which a page that was judged in one is judged in the other. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** Brings axe with each document that a page loads: for a third of the processor time of bringing it afterwards. */
export const bringAxe = (page: Page) => page.addInitScript(SOURCE)

/**
 * Returns the accessibility flaws of a page as texts: violations of WCAG 2.2 AA found by axe, of some rules
 * where they are named, faint placeholders, and sideways scrolling.
 */
export async function accessibilityFlaws(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE)
  const { violations } = await page.evaluate(
    options => (globalThis as unknown as { axe: typeof axe }).axe.run(options),
    { ...SPARED, runOnly: rules ? [...rules] : RULES },
  )
  const [content, width] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth])
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`)
  found.push(...(await faintPlaceholders(page)))
  return Number(content) > Number(width) ? [...found, `is ${content} px wide`] : found
}

/** Returns placeholders with less contrast than WCAG 1.4.3 asks of texts, which axe does not judge. */
const faintPlaceholders = (page: Page): Promise<string[]> =>
  page.locator('[placeholder]').evaluateAll(fields => {
    const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    if (!pen) throw new Error('There is no canvas.')
    /** Paints colours over one another, the lowest first. */
    const painted = (colors: readonly (readonly [color: string, opacity: number])[]) => {
      for (const [color, opacity] of colors) {
        pen.globalAlpha = opacity
        pen.fillStyle = color
        pen.fillRect(0, 0, 1, 1)
      }
      const linear = [...pen.getImageData(0, 0, 1, 1).data].map(byte =>
        byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
      )
      return 0.2126 * (linear[0] ?? 0) + 0.7152 * (linear[1] ?? 0) + 0.0722 * (linear[2] ?? 0)
    }
    const contrastOf = (field: Element) => {
      const grounds: [string, number][] = []
      for (let box: Element | null = field; box; box = box.parentElement)
        grounds.unshift([getComputedStyle(box).backgroundColor, 1])
      const { color, opacity } = getComputedStyle(field, '::placeholder')
      const [one, other] = [painted(grounds), painted([...grounds, [color, Number(opacity)]])]
      return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    }
    return fields
      .filter(field => field.getAttribute('placeholder') && contrastOf(field) < 4.5)
      .map(field => `placeholder ${field.getAttribute('placeholder')}: ${contrastOf(field).toFixed(2)} to 1`)
  })
