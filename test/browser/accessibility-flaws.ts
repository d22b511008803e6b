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
 * where they are named, and sideways scrolling.
 */
export async function accessibilityFlaws(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE)
  const { violations } = await page.evaluate(
    options => (globalThis as unknown as { axe: typeof axe }).axe.run(options),
    { ...SPARED, runOnly: rules ? [...rules] : RULES },
  )
  const [content, width] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth])
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`)
  return Number(content) > Number(width) ? [...found, `is ${content} px wide`] : found
}
