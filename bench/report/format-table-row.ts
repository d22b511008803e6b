export type TableCell = [text: string, width: number]

const NAME_WIDTH = 44

/** Formats a row of a text table: its name, then cells that are aligned on the right. */
export const tableRow = (name: string, cells: readonly TableCell[]): string =>
  (name.padEnd(NAME_WIDTH) + cells.map(([text, width]) => text.padStart(width)).join('')).trimEnd()

/** Formats a number with separators of thousands and a fixed number of decimals. */
export const formatNumber = (value: number, digits = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
