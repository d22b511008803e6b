import type { JsonObject } from '../../protocol/canonical-json.ts'
import type { SchemaMember } from '../openapi/message-schema.ts'
import type { DescribedMember } from './described-members.ts'
import { matchBest } from './match-best.ts'
import { MEMBER_WORDS, OBJECT_WORDS, plainName } from './name-synonyms.ts'

/**
 * Members of a message with those of an OpenAPI document that are clearly theirs, and described ones that are not
 * clear.
 */
export type MatchedMembers = {
  found: ReadonlyMap<string, DescribedMember>
  unclear: ReadonlyMap<string, readonly DescribedMember[]>
}

const LEAST = 3
const MARGIN = 1

/** Finds the members of a message among those that a document describes, by their names, their places and their types. */
export const matchMembers = (
  members: readonly SchemaMember[],
  described: readonly DescribedMember[],
): MatchedMembers => {
  const unique = [...new Map(members.map(member => [member.path, member])).values()]
  const { pairs, unclear } = matchBest(unique, described, scoreOf, { least: LEAST, margin: MARGIN })
  return {
    found: new Map(pairs.map(([{ path }, member]) => [path, member])),
    unclear: new Map([...unclear].map(([{ path }, others]) => [path, others])),
  }
}

/** Members that a document has at two places: the second counts only by its very name (D-02). */
const BY_NAME_ONLY = ['autoCapture']

const scoreOf = ({ path, schema }: SchemaMember, theirs: DescribedMember): number => {
  const names = path.split('.')
  const segments = theirs.segments.filter(name => name !== '0')
  const own = names.at(-1) ?? ''
  const last = segments.at(-1) ?? ''
  if (!fits(own, schema, theirs)) return 0
  const isSame = plainName(own) === plainName(last)
  const isLike = isSynonym(own, last) || isSynonym(own, segments.slice(-2).join(''))
  const named = isSame ? 5 : isLike && !BY_NAME_ONLY.includes(path) ? 3 : 0
  return named === 0
    ? 0
    : named + parentScore(names.slice(0, -1), segments.slice(0, -1)) + shapeScore(schema, theirs.schema)
}

const isSynonym = (own: string, theirs: string): boolean => (MEMBER_WORDS[own] ?? []).includes(plainName(theirs))

/** How alike the objects around two members are, from the inside outwards. */
const parentScore = (ours: readonly string[], theirs: readonly string[]): number => {
  if (ours.length === 0 && theirs.length === 0) return 1
  const steps = Math.min(ours.length, theirs.length)
  let score = 0
  for (let index = 1; index <= steps; index += 1) {
    const [own = '', other = ''] = [ours.at(-index), theirs.at(-index)]
    const isSame = plainName(own) === plainName(other)
    if (!isSame && !(OBJECT_WORDS[own] ?? []).includes(plainName(other))) return score
    score += index === 1 ? (isSame ? 2.5 : 2) : isSame ? 1 : 0.5
  }
  return score + (ours.length === theirs.length ? 0.5 : 0)
}

const shapeScore = (ours: JsonObject, theirs: JsonObject): number =>
  (ours.pattern !== undefined && ours.pattern === theirs.pattern ? 1 : 0) +
  (ours.format !== undefined && ours.format === theirs.format ? 0.5 : 0) +
  (Array.isArray(ours.enum) && Array.isArray(theirs.enum) && ours.enum.length === theirs.enum.length ? 1 : 0)

const AMOUNTS = /^(amount|amountFrom|amountTo|capturedAmount|refundedAmount)$/
const NUMERIC_TEXTS = /^(transactionId|originalTransactionId|reasonCode)$/

/** Types that a member of ours may have elsewhere, by its own. */
const fits = (name: string, ours: JsonObject, { schema, items }: DescribedMember): boolean => {
  const theirs = typeOf(schema)
  const own = typeOf(ours)
  if (own === 'array' || theirs === 'array') return own === theirs
  if (theirs === undefined || own === undefined || items) return !items
  if (theirs === own) return own !== 'object' || ours.properties === undefined
  if (own === 'integer') return theirs === 'number' || (theirs === 'string' && AMOUNTS.test(name))
  if (own !== 'string' || (theirs !== 'integer' && theirs !== 'number')) return false
  return NUMERIC_TEXTS.test(name) || ours.format === 'date-time'
}

const typeOf = ({ type, enum: words, const: only, anyOf, properties }: JsonObject): string | undefined => {
  if (typeof type === 'string') return type
  if (properties) return 'object'
  const sample = only ?? (Array.isArray(words) ? words[0] : undefined)
  if (sample !== undefined) return typeof sample === 'number' ? 'integer' : typeof sample
  const [first] = Array.isArray(anyOf) ? anyOf : []
  return first === undefined ? undefined : typeOf(first as JsonObject)
}
