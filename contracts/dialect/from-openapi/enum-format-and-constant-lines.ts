import { OPERATIONS, type OperationName } from '../../operations.ts'
import type { JsonObject } from '../../protocol/canonical-json.ts'
import type { AmountForm, DialectLines } from '../dialect-lines.ts'
import { pointerOf } from '../json-pointer.ts'
import type { DescribedMember } from './described-members.ts'
import { matchWords } from './match-enum-values.ts'
import type { Unplaced } from './match-operations.ts'
import type { ReadMessage, ReadMessages } from './read-messages.ts'

/** A member of the interface document with the schema that a deployment's OpenAPI document has for it. */
export type Pair = { path: string; name: string; ours: JsonObject; theirs: JsonObject }

/**
 * Pairs the schema of each member of the interface document with the one found for it in a deployment's OpenAPI
 * document, in messages and in the items of their lists.
 */
export const pairsOf = (messages: Iterable<ReadMessage>): Pair[] =>
  [...messages].flatMap(({ found, schema }) =>
    [...found].flatMap(([path, { schema: theirs }]) =>
      schema.members
        .filter(member => member.path === path)
        .map(({ schema: ours }) => ({ path, name: path.slice(path.lastIndexOf('.') + 1), ours, theirs })),
    ),
  )

/** Members for whose words a profile has lines. */
const SPELT = ['transactionType', 'status', 'state']

/**
 * Writes the profile line `enums`, from the widest enum of each member in an OpenAPI document; unclear words are
 * listed.
 */
export const enumLines = (
  pairs: readonly Pair[],
): { enums: Record<string, Record<string, string>>; unplaced: Unplaced[] } => {
  const widest = new Map<string, { ours: string[]; theirs: string[] }>()
  for (const { name, ours, theirs } of pairs) {
    if (!Array.isArray(ours.enum) || !Array.isArray(theirs.enum) || name === 'type') continue
    if ((widest.get(name)?.ours.length ?? 0) < ours.enum.length)
      widest.set(name, { ours: ours.enum.map(String), theirs: theirs.enum.map(String) })
  }
  const others = [...widest].filter(([name]) => !SPELT.includes(name))
  const foreign = others.filter(([, { ours, theirs }]) => !ours.every(word => theirs.includes(word)))
  const matched = [...widest]
    .filter(([name]) => SPELT.includes(name))
    .map(([name, { ours, theirs }]) => ({ name, theirs, ...matchWords(name, ours, theirs) }))
  const spelt = matched.filter(({ words }) => Object.keys(words).length > 0).map(({ name, words }) => [name, words])
  return {
    enums: Object.fromEntries(spelt),
    unplaced: [
      ...foreign.map(([name, { theirs }]) => ({
        place: `enums.${name}`,
        reason: `a profile has no line for its words ${theirs.join(', ')}`,
      })),
      ...matched
        .filter(({ unclear }) => unclear.length > 0)
        .map(({ name, theirs, unclear }) => ({
          place: `enums.${name}`,
          reason: `none of ${theirs.join(', ')} is clearly ${unclear.join(', ')}`,
        })),
    ],
  }
}

const typesOf = (pairs: readonly Pair[], names: RegExp): Set<string> =>
  new Set(pairs.filter(({ name }) => names.test(name)).map(({ theirs }) => String(theirs.type)))

const hasFraction = (value: unknown): boolean => typeof value === 'number' && !Number.isInteger(value)

/** Whether a schema shows a number with a fraction as a step, a bound or an example. */
const showsFraction = ({ multipleOf, minimum, maximum, example, examples, default: usual }: JsonObject): boolean =>
  [multipleOf, minimum, maximum, example, examples, usual].flat().some(hasFraction)

/** A dot that stands for itself in a pattern: escaped, or in brackets. */
const DOT = /\\\.|\[(?!\^)[^[\]]*\./
/** The digits of a pattern. */
const DIGITS = /\\d|\[\d-9\]/

/** The form of amounts, where their schemas show it; `kind` is what they are unless they are integers. */
const amountForm = (pairs: readonly Pair[]): { form?: AmountForm; kind?: 'texts' | 'numbers' } => {
  const schemas = pairs
    .filter(({ name }) => /^(amount|capturedAmount|refundedAmount)$/.test(name))
    .map(({ theirs }) => theirs)
  const hasType = (type: string) => schemas.some(schema => schema.type === type)
  const patterns = schemas.map(({ pattern }) => String(pattern ?? ''))
  if (hasType('string')) {
    if (patterns.some(pattern => DOT.test(pattern))) return { form: 'major-text' }
    const isMinor = patterns.some(pattern => DIGITS.test(pattern) && !pattern.includes('.'))
    return isMinor ? { form: 'minor-text' } : { kind: 'texts' }
  }
  if (!hasType('number')) return {}
  return schemas.some(showsFraction) ? { form: 'major' } : { kind: 'numbers' }
}

/**
 * Writes the profile lines `forms` and `ids`, where the types of an OpenAPI document say them; unclear forms are
 * listed.
 */
export const formLines = (pairs: readonly Pair[]): Pick<DialectLines, 'forms' | 'ids'> & { unplaced: Unplaced[] } => {
  const unplaced: Unplaced[] = []
  const { form: amounts, kind } = amountForm(pairs)
  if (!amounts && kind)
    unplaced.push({ place: 'forms.amounts', reason: `amounts are ${kind}, of minor or of major units` })
  const times = pairs.filter(({ ours, theirs }) => ours.format === 'date-time' && theirs.type === 'integer')
  const unit = times.map(({ theirs }) =>
    /millisecond/i.test(String(theirs.description))
      ? 'epoch-ms'
      : /second/i.test(String(theirs.description))
        ? 'epoch'
        : undefined,
  )[0]
  if (times.length > 0 && !unit)
    unplaced.push({ place: 'forms.times', reason: 'times are numbers, of seconds or of milliseconds' })
  const codes = pairs.some(({ path, theirs }) => path === 'statusInfo.reasonCode' && theirs.type === 'integer')
  const forms = {
    ...(amounts && { amounts }),
    ...(unit && { times: unit }),
    ...(codes && { reasonCodes: 'number' }),
  } as NonNullable<DialectLines['forms']>
  const hasNumericIds = typesOf(pairs, /^transactionId$/).has('integer')
  return {
    ...(Object.keys(forms).length > 0 && { forms }),
    ...(hasNumericIds && { ids: { transactionId: 'number' } }),
    unplaced,
  }
}

const constantOf = ({ schema, isRequired }: DescribedMember): unknown =>
  isRequired
    ? (schema.const ?? (Array.isArray(schema.enum) && schema.enum.length === 1 ? schema.enum[0] : undefined))
    : undefined

/** Constant values that a deployment's requests must have, by operation and JSON pointer. */
export type Constants = Record<string, Record<string, unknown>>

/**
 * Finds the constants of requests in a deployment's OpenAPI document: required members that the interface document
 * does not have and that may have one value only.
 */
export const constantsOfRequests = (requests: ReadMessages<OperationName>): Constants =>
  Object.fromEntries(
    [...requests].map(([name, { described, found }]) => {
      const used = new Set(found.values())
      const constants = described.filter(member => !used.has(member) && constantOf(member) !== undefined)
      return [name, Object.fromEntries(constants.map(member => [pointerOf(member.segments), constantOf(member)]))]
    }),
  )

/** Writes the profile line `requests.always`: the constants that every request with a JSON body has, once for all. */
export const constantLines = (constants: Constants): Constants => {
  const withBody = Object.keys(constants).filter(name => OPERATIONS[name as OperationName].method === 'POST')
  const [first, ...others] = withBody.map(name => constants[name] ?? {})
  const shared = Object.entries(first ?? {}).filter(
    ([at, value]) => others.length > 0 && others.every(one => one[at] === value),
  )
  const all = Object.fromEntries(shared)
  const own = Object.entries(constants).map(([name, values]): [string, Record<string, unknown>] => {
    const isCovered = (at: string) => withBody.includes(name) && at in all
    return [name, Object.fromEntries(Object.entries(values).filter(([at]) => !isCovered(at)))]
  })
  const lines: [string, Record<string, unknown>][] = [['all', all], ...own]
  return Object.fromEntries(lines.filter(([, values]) => Object.keys(values).length > 0))
}
