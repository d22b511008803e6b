/**
 * Escape character for NUL, which JSON and URLs can carry but TEXT of PostgreSQL cannot: NUL is stored as this
 * character and 0, the character itself as it and 1.
 */
const MARK = '\uffff'

/** Escapes NUL in a parameter of a PostgreSQL statement; other values pass unchanged. */
export const escapeNul = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(escapeNul)
  if (typeof value !== 'string' || !(value.includes('\0') || value.includes(MARK))) return value
  return value.replaceAll(MARK, `${MARK}1`).replaceAll('\0', `${MARK}0`)
}

/** Restores NUL in a text from PostgreSQL that escapeNul escaped. */
export const unescapeNul = (text: string): string =>
  text.includes(MARK) ? text.replaceAll(`${MARK}0`, '\0').replaceAll(`${MARK}1`, MARK) : text
