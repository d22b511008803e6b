/** Characters that change how other text is shown, or are not shown: controls, format and bidi marks, separators, half surrogates. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu
/** Beginnings of commands that a CI runner takes out of a log: some anywhere in a line, some only at its start. */
const COMMAND_ANYWHERE = /##(?=vso\[|teamcity\[|\[)/g
const COMMAND_AT_START = /^([^\S\n]*):(?=:[a-z])/gim

/**
 * Makes text of others safe to print on a terminal, in a log or a report: what is invisible, or acts on the terminal or
 * the CI runner, becomes an escape such as `\x1b`. Line ends and tabs stay.
 */
export const visibleText = (text: string): string =>
  visibleCharacters(text).replace(COMMAND_ANYWHERE, '#\\x23').replace(COMMAND_AT_START, '$1\\x3a')

/**
 * Makes text of others on one line safe to print, as `visibleText` does; line ends and tabs are shown as escapes, too.
 */
export const visibleLine = (text: string): string => visibleText(text).replace(/[\n\t]/g, escapeOf)

/** Shows invisible characters as escapes, for a page or a file that no CI runner reads. */
export const visibleCharacters = (text: string): string => text.replace(INVISIBLE, escapeOf)

/** Makes a JSON text safe to print, as `visibleText` does; it keeps its meaning, as the escapes are those of JSON. */
export const visibleJson = (json: string): string =>
  json
    .replace(INVISIBLE, character =>
      Array.from({ length: character.length }, (_, at) => unitOf(character, at)).join(''),
    )
    .replace(COMMAND_ANYWHERE, '\\u0023#')

const unitOf = (text: string, at: number): string => `\\u${hexOf(text.charCodeAt(at)).padStart(4, '0')}`

const escapeOf = (character: string): string => {
  const point = character.codePointAt(0) ?? 0
  if (point < 0x100) return `\\x${hexOf(point).padStart(2, '0')}`
  return point < 0x10000 ? `\\u${hexOf(point).padStart(4, '0')}` : `\\u{${hexOf(point)}}`
}

const hexOf = (point: number): string => point.toString(16)
