import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What axe need not work out, as only the HTML of violations is read. */
const SPARED = { resultTypes: ['violations'], selectors: false } satisfies axe.RunOptions

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Returns the accessibility flaws of a page as texts: violations of WCAG 2.2 AA found by axe, and sideways scrolling.
 */
export async function accessibilityFlaws(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE)
  const { violations } = await page.evaluate(
    options => (globalThis as unknown as { axe: typeof axe }).axe.run(options),
    { ...SPARED, runOnly: { type: 'tag' as const, values: RULES } },
  )
  const [content, width] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth])
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`)
  return Number(content) > Number(width) ? [...found, `is ${content} px wide`] : found
}
