/** Deepest nesting of a JSON text of others that is read: no message needs more, and recursive code strains under it. */
const MAX_DEPTH = 200

/** Whether a JSON text is nested deeper than is read; stops at the first bracket that is too deep, and builds nothing. */
export const isNestedTooDeep = (text: string, most = MAX_DEPTH): boolean => {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > most) return true
  }
  return false
}

const BACKSLASH = 92
const QUOTE = 34

/** Index of the quotation mark that ends the string of a JSON text which begins at an index; a backslash hides what follows it. */
export const endOfString = (text: string, begin: number): number => {
  let at = begin + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}
