import { type Exchange, jsonOf, lineOf } from '../client/exchange.ts'
import type { AnswerHeader, Profile } from './profile.ts'
import { exampleOf } from './profile-schema.ts'
import { Open } from './signals.ts'
import { partsOf } from './spelling.ts'

/** The value at a dotted path of the profile. */
export const lineOfProfile = (profile: Profile, path: string): unknown =>
  path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], profile)

/** Says which line to add to the profile, for the first of these that it lacks. */
export const firstOpen = (profile: Profile, needs: readonly string[]): string | undefined => {
  const open = needs.find(path => lineOfProfile(profile, path) === undefined)
  return open === undefined ? undefined : cure(profile, open)
}

const cure = (profile: Profile, path: string): string => {
  const example = exampleOf(path)
  return `add to ${profile.file} the line ${path}${example === undefined ? '' : `: ${JSON.stringify(example)}`}`
}

/** What an answer holds where the profile's `fields.<operation>.<name>` points. Finding nothing never means a fault. */
export const readField = (profile: Profile, exchange: Exchange, slot: string): unknown => {
  const path = `fields.${slot}`
  const pointer = lineOfProfile(profile, path)
  if (typeof pointer !== 'string') throw new Open(cure(profile, path), exchange)
  const found = at(jsonOf(exchange), pointer)
  if (!isNothing(found)) return meant(profile, slot, found)
  throw new Open(
    `${path}: ${pointer} points at nothing in ${lineOf(exchange)}; correct it in ${profile.file}`,
    exchange,
  )
}

/** What each item of a list holds at a place of its own. */
export const readItems = (profile: Profile, exchange: Exchange, list: string, member: string): unknown[] => {
  const items = readField(profile, exchange, list)
  const pointer = String(lineOfProfile(profile, `fields.${member}`))
  if (Array.isArray(items)) return items.map(item => at(item, pointer))
  throw new Open(`fields.${list} points at no list in ${lineOf(exchange)}; correct it in ${profile.file}`, exchange)
}

/** The same where the field may well be absent. */
export const findField = (profile: Profile, exchange: Exchange, slot: string): unknown => {
  const pointer = lineOfProfile(profile, `fields.${slot}`)
  const found = typeof pointer === 'string' ? at(jsonOf(exchange), pointer) : undefined
  return isNothing(found) ? undefined : meant(profile, slot, found)
}

/** Some services write out each member that has no value. */
export const isNothing = (value: unknown): value is undefined | null => value === undefined || value === null

/** The word of the document for a word of this deployment. */
const meant = ({ enums }: Profile, slot: string, found: unknown): unknown => {
  const words = Object.entries(enums?.[slot.slice(slot.indexOf('.') + 1)] ?? {})
  return words.find(([, theirs]) => theirs === found)?.[0] ?? found
}

/** The code that tells how a call went: that of a refusal, or that of a decline in a success (S44). */
export const toldCode = (profile: Profile, exchange: Exchange, slot: string): string | undefined => {
  const served = (exchange.answer?.status ?? 0) < 300
  const found = served ? findField(profile, exchange, slot) : reasonCodeOf(profile, exchange)
  return isNothing(found) ? undefined : String(found)
}

/** Whether a success tells a decline, where and in the words that the profile names; a refusal may use those words too. */
export const isDecline = ({ errors }: Profile, exchange: Exchange): boolean =>
  (exchange.answer?.status ?? 0) < 300 &&
  (errors?.declined?.words.includes(String(at(jsonOf(exchange), errors.declined.at))) ?? false)

/** An answer without what differs from call to call. */
export const withoutCallId = ({ errors }: Profile, exchange: Exchange): unknown => {
  const json = structuredClone(jsonOf(exchange))
  const parts = partsOf(errors?.callId ?? '')
  const name = parts.pop()
  const parent = parts.reduce<unknown>(member, json)
  if (name !== undefined && typeof parent === 'object' && parent) delete (parent as Record<string, unknown>)[name]
  return json
}

/** A header of an answer by the name that it has here (5.4; S21). */
export const headerOf = ({ headers }: Profile, exchange: Exchange, name: AnswerHeader): string | undefined =>
  exchange.answer?.headers[(headers?.[name] ?? USUAL_HEADERS[name]).toLowerCase()]

const USUAL_HEADERS = { signature: 'signature', signatureInput: 'signature-input', contentDigest: 'content-digest' }

/** An answer with those headers under the names that everybody gives them. */
export const withUsualHeaders = (profile: Profile, exchange: Exchange): Exchange => {
  const { answer } = exchange
  if (!answer || !profile.headers) return exchange
  const names = Object.keys(USUAL_HEADERS) as AnswerHeader[]
  const usual = names.flatMap(name => {
    const value = headerOf(profile, exchange, name)
    return value === undefined ? [] : [[USUAL_HEADERS[name], value]]
  })
  const others = Object.entries(answer.headers).filter(([name]) => !Object.values(USUAL_HEADERS).includes(name))
  return { ...exchange, answer: { ...answer, headers: Object.fromEntries([...others, ...usual]) } }
}

/** The reasonCode of a refusal as text, or undefined where there is none (7; S23). */
export const reasonCodeOf = (profile: Profile, exchange: Exchange): string | undefined => {
  const pointer = profile.errors?.reasonCode
  const found = pointer === undefined ? undefined : at(jsonOf(exchange), pointer)
  return isNothing(found) ? undefined : String(found)
}

/** The lifecycle category whose words hold the state that an answer tells. */
export const categoryOf = (profile: Profile, exchange: Exchange, slot: string): string => {
  const word = String(readField(profile, exchange, slot))
  const found = Object.entries(profile.states ?? {}).find(([, words]) => words.includes(word))
  if (found) return found[0]
  throw new Open(`the state "${word}" belongs to no category: list it under states in ${profile.file}`, exchange)
}

/** What stands at a pointer (RFC 6901); undefined where nothing does. */
export const at = (document: unknown, pointer: string): unknown => partsOf(pointer).reduce(member, document)

const member = (part: unknown, name: string): unknown =>
  typeof part === 'object' && part ? (part as Record<string, unknown>)[name] : undefined
