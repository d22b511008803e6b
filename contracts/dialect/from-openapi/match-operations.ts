import { OPERATION_NAMES, OPERATIONS, type OperationName, readsOnePayment } from '../../operations.ts'
import type { DescribedOperation } from './described-operations.ts'
import { matchBest } from './match-best.ts'
import { OPERATION_WORDS, plainName } from './name-synonyms.ts'

/** Something that an OpenAPI document does not make clear for a profile, with its place and the reason. */
export type Unplaced = { place: string; reason: string }

/** Operations of the API with the calls of an OpenAPI document that are clearly theirs, and what is not clear. */
export type MatchedOperations = { found: ReadonlyMap<OperationName, DescribedOperation>; unplaced: readonly Unplaced[] }

/** Operations that may have either method. */
const EITHER_METHOD: readonly OperationName[] = ['search', 'providers']
const COLLECTION = ['payments', 'payment', 'transactions', 'checkouts']
const LEAST = 2

/**
 * Finds the operations of the API among the calls of a deployment's OpenAPI document, by their ids, paths and methods.
 */
export const matchOperations = (described: readonly DescribedOperation[]): MatchedOperations => {
  const { pairs, unclear } = matchBest(OPERATION_NAMES, described, scoreOf, { least: LEAST, margin: 1 })
  const found = new Map(pairs)
  const used = new Set(found.values())
  const missing = OPERATION_NAMES.filter(name => !found.has(name)).map(name => ({
    place: `paths.${name}`,
    reason: reasonOf(unclear.get(name) ?? []),
  }))
  const strange = described
    .filter(call => !used.has(call))
    .map(({ method, path }) => ({ place: `${method} ${path}`, reason: 'it is clearly none of our operations' }))
  return { found, unplaced: [...missing, ...strange] }
}

const reasonOf = (calls: readonly DescribedOperation[]): string =>
  calls.length === 0
    ? 'no call of the document is clearly this one'
    : `it may be ${calls.map(({ method, path }) => `${method} ${path}`).join(' or ')}`

const scoreOf = (name: OperationName, { method, path, id }: DescribedOperation): number => {
  const isMethod = method === OPERATIONS[name].method || (EITHER_METHOD.includes(name) && method === 'GET')
  const hasPayment = /\{[^{}]+\}/.test(path)
  if (!isMethod || hasPayment !== readsOnePayment(name)) return 0
  if (plainName(id) === plainName(name)) return 10
  const words = OPERATION_WORDS[name]
  const inId = wordsOf(id).some(word => words.includes(word)) || words.includes(plainName(id)) ? 3 : 0
  const segments = path.split('/').filter(part => part !== '' && !/^v\d+$/.test(part))
  const last = plainName(segments.at(-1) ?? '')
  const inEnd = words.includes(last) || wordsOf(segments.at(-1) ?? '').some(word => words.includes(word)) ? 3 : 0
  const inPath = segments.slice(0, -1).some(part => words.includes(plainName(part))) ? 1 : 0
  const isCollection = name === 'initiate' && COLLECTION.includes(last) ? 2 : 0
  const isPayment = name === 'status' && segments.at(-1)?.startsWith('{') === true ? 2 : 0
  return inId + inEnd + inPath + isCollection + isPayment
}

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .map(plainName)
    .filter(word => word !== '')
