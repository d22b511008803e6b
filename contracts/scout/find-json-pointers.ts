import { type Exchange, responseJson } from '../client/http-exchange.ts'
import { escapeSegment, jsonLeaves, valueAtPointer } from '../dialect/json-pointer.ts'
import { isJsonObject } from '../protocol/canonical-json.ts'

/** Lists the arrays of a JSON document, each with its JSON pointer (RFC 6901). */
export const jsonArrays = (document: unknown, pointer = ''): { pointer: string; items: readonly unknown[] }[] => [
  ...(Array.isArray(document) ? [{ pointer, items: document }] : []),
  ...membersOf(document).flatMap(([name, member]) => jsonArrays(member, `${pointer}/${escapeSegment(name)}`)),
]

const membersOf = (document: unknown): [string, unknown][] => (isJsonObject(document) ? Object.entries(document) : [])

/** Returns the value at a JSON pointer of a response body. */
export const responseValueAt = (exchange: Exchange, pointer: string): unknown =>
  valueAtPointer(parsedBody(exchange), pointer)

const parsed = new WeakMap<Exchange, { json: unknown }>()

/** The body of a response, parsed once however many pointers are tried in it. */
const parsedBody = (exchange: Exchange): unknown => {
  const known = parsed.get(exchange) ?? { json: responseJson(exchange) }
  parsed.set(exchange, known)
  return known.json
}

/**
 * Finds the first JSON pointer at which every given response holds a value that fits a predicate; undefined if none.
 */
export const findCommonPointer = (
  wanted: readonly (readonly [Exchange, (value: string) => boolean])[],
): string | undefined => {
  const [first, ...others] = wanted
  if (!first) return undefined
  const candidates = jsonLeaves(responseJson(first[0])).filter(({ value }) => first[1](String(value)))
  return candidates.find(({ pointer }) =>
    others.every(([exchange, fits]) => fits(String(responseValueAt(exchange, pointer)))),
  )?.pointer
}

/** Creates a predicate that holds for values equal to the wanted one, both as text. */
export const equals =
  (wanted: unknown) =>
  (value: string): boolean =>
    value === String(wanted)

/** Whether a value in a response could name a state: a word, not an id, a time or a sentence. */
export const isStateWord = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^[A-Za-z][A-Za-z0-9_-]{0,39}( [A-Za-z]+)?$/.test(value) &&
  !/^[\da-f]{8}-/i.test(value) &&
  !LONG_WITH_DIGIT.test(value)

/** Ids of any form are long and have a digit, but for a few made by chance; names of states are not both. */
const LONG_WITH_DIGIT = /^(?=.*\d).{12}/

/**
 * Finds the member that most likely holds the state of payments in responses, and its words there: codes or a name that
 * tells a state go before sentences; among these most words win, then codes, then the name.
 */
export const likeliestState = (
  pointers: readonly string[],
  exchanges: readonly Exchange[],
): { pointer: string; words: readonly unknown[] } | undefined => {
  const [likeliest] = pointers
    .map(pointer => {
      const words = [...new Set(exchanges.map(exchange => responseValueAt(exchange, pointer)))]
      const [isCode, isNamed] = [words.every(word => !String(word).includes(' ')), STATE_NAME.test(pointer)]
      return { pointer, words, rank: [Number(isCode || isNamed), words.length, Number(isCode), Number(isNamed)] }
    })
    .sort((one, other) => other.rank.map((value, at) => value - (one.rank[at] ?? 0)).find(Boolean) ?? 0)
  return likeliest
}

/** Finds the state of a payment that another payment does not have: the words of the two. */
export const changedWord = (exchange: Exchange, other: Exchange): ReturnType<typeof likeliestState> => {
  const changed = jsonLeaves(responseJson(exchange)).filter(({ pointer, value }) => {
    const usual = responseValueAt(other, pointer)
    return isStateWord(value) && isStateWord(usual) && value !== usual
  })
  return likeliestState(
    changed.map(({ pointer }) => pointer),
    [exchange, other],
  )
}

const STATE_NAME = /(?:state|status|stage|phase)$/i
