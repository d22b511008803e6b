import axe from 'axe-core'
import type { Page } from 'playwright'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Returns the violations of WCAG 2.2 AA that axe finds on a page, and whether the page scrolls sideways. */
export async function accessibilityFlaws(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    values => (globalThis as unknown as { axe: typeof axe }).axe.run({ runOnly: { type: 'tag', values } }),
    RULES,
  )
  const [content, width] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth])
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`)
  return Number(content) > Number(width) ? [...found, `is ${content} px wide`] : found
}
