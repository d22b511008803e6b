/**
 * PostgreSQL keeps every text but one with NUL in it, which JSON and addresses can carry: that is written as two
 * characters, and so is the one that begins these.
 */
const MARK = '\uffff'

/** What is sent in the place of a value. */
export const writable = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(writable)
  if (typeof value !== 'string' || !(value.includes('\0') || value.includes(MARK))) return value
  return value.replaceAll(MARK, `${MARK}1`).replaceAll('\0', `${MARK}0`)
}

/** The text as it was. */
export const readText = (text: string): string =>
  text.includes(MARK) ? text.replaceAll(`${MARK}0`, '\0').replaceAll(`${MARK}1`, MARK) : text
