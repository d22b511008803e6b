import { errorsPage } from './errors-page.ts'
import { lifecyclePage } from './lifecycle-page.ts'

const NOTE = '<!-- Printed from the tables of the code by `npm run docs`: change those. -->\n\n'

/** The pages that are printed from tables, by file. */
export const printedPages = (): Readonly<Record<string, string>> => ({
  'docs/errors.md': NOTE + errorsPage(),
  'docs/lifecycle.md': NOTE + lifecyclePage(),
})
