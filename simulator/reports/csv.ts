/** Text is quoted and made harmless where it must be; a number goes out as it is. */
export type Cell = string | number

const LINE_END = '\r\n'

/** A table as CSV (RFC 4180): a header row, CRLF after every row, quotes only where they are needed. */
export const csvOf = (header: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [header, ...rows].map(row => row.map(cellOf).join(',') + LINE_END).join('')

/** What a spreadsheet may take for a formula; the apostrophe itself, so that taking one away gives the text back. */
const STARTS_A_FORMULA = /^[=+\-@\t\r']/
const NEEDS_QUOTES = /[",\r\n]/

const cellOf = (cell: Cell): string => {
  if (typeof cell === 'number') return String(cell)
  const text = STARTS_A_FORMULA.test(cell) ? `'${cell}` : cell
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
