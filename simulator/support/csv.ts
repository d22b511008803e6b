/** Value of a CSV cell: a text, quoted and protected against formulas as needed, or a number, written as it is. */
export type CsvCell = string | number

const LINE_END = '\r\n'

/** Converts a table to CSV (RFC 4180): a header row, CRLF after every row, quotes only where needed. */
export const toCsv = (header: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  toCsvRows([header, ...rows])

/** Converts rows to lines of CSV, without a header. */
export const toCsvRows = (rows: readonly (readonly CsvCell[])[]): string =>
  rows.map(row => row.map(cellOf).join(',') + LINE_END).join('')

/**
 * Text that a spreadsheet may read as a formula, which a negative number is not; also an apostrophe, so that removing
 * one restores the text.
 */
const STARTS_A_FORMULA = /^(?!-\d+(\.\d+)?$)[=+\-@\t\r']/
const NEEDS_QUOTES = /[",\r\n]/

const cellOf = (cell: CsvCell): string => {
  if (typeof cell === 'number') return String(cell)
  const text = STARTS_A_FORMULA.test(cell) ? `'${cell}` : cell
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
