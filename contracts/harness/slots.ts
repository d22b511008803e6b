import { type Exchange, jsonOf, lineOf } from '../client/exchange.ts'
import type { Profile } from './profile.ts'
import { exampleOf } from './profile-schema.ts'
import { Open } from './signals.ts'

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
  if (found !== undefined) return found
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
  return typeof pointer === 'string' ? at(jsonOf(exchange), pointer) : undefined
}

/** The reasonCode of a refusal as text, or undefined where there is none (7; S23). */
export const reasonCodeOf = (profile: Profile, exchange: Exchange): string | undefined => {
  const pointer = profile.errors?.reasonCode
  const found = pointer === undefined ? undefined : at(jsonOf(exchange), pointer)
  return found === undefined || found === null ? undefined : String(found)
}

/** The lifecycle category whose words hold the state that an answer tells. */
export const categoryOf = (profile: Profile, exchange: Exchange, slot: string): string => {
  const word = String(readField(profile, exchange, slot))
  const found = Object.entries(profile.states ?? {}).find(([, words]) => words.includes(word))
  if (found) return found[0]
  throw new Open(`the state "${word}" belongs to no category: list it under states in ${profile.file}`, exchange)
}

/** RFC 6901. */
const at = (document: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (part, name) => (typeof part === 'object' && part ? (part as Record<string, unknown>)[name] : undefined),
      document,
    )
