/** Fewest characters by which an id is searched for: fewer fit too many. */
const FEWEST = 4

/**
 * Reads from the text of a portal search the end of an id to search for, without the dots of a shortened one;
 * undefined where the text is too short for an id, or has white space in it.
 */
export const idEndOf = (text: string): string | undefined => {
  const end = text.replace(/^(…|\.{3})/, '')
  return end.length >= FEWEST && !/\s/.test(end) ? end : undefined
}

/**
 * Returns the amounts in minor units that the text of a search may mean: `19.99` and `19,99` are 1999; `1999` is that
 * many minor units, or as many whole ones. A currency before or behind it is left out; the list is empty for any other
 * text.
 */
export const amountsOf = (text: string): string[] => {
  const [, whole, cents] = AMOUNT.exec(text) ?? []
  if (whole === undefined) return []
  const units = whole.replace(/[ .,](?=\d{3})/g, '')
  const both = cents === undefined ? [units, `${units}00`] : [`${units}${cents}`]
  return both
    .map(Number)
    .filter(amount => amount < TOO_MUCH)
    .map(String)
}

/** A filter of payments takes amounts of at most 15 digits. */
const TOO_MUCH = 1e15

const CURRENCY = '(?:[A-Za-z]{3}|zł|€)'
const AMOUNT = new RegExp(`^(?:${CURRENCY} ?)?(\\d{1,3}(?:[ .,]\\d{3})+|\\d{1,12})(?:[.,](\\d\\d))?(?: ?${CURRENCY})?$`)
