import type { Exchange } from '../../client/http-exchange.ts'

/** Length from which an id is told from an amount, a page number or a status by chance. */
const TELLING_LENGTH = 8

/** Whether a response shows an id, as a word of its own; never for one that is too short to be told from other numbers. */
export const showsId = ({ response }: Exchange, id: string): boolean =>
  id.length >= TELLING_LENGTH && hasWord(response?.body.toString('utf8') ?? '', id)

/** Whether a text has a word, of any characters: no letter, digit or underscore touches it on either side. */
export const hasWord = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + word.length] ?? '')) return true
  return false
}
