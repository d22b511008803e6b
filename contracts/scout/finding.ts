import { type Exchange, jsonOf } from '../client/exchange.ts'
import type { Profile } from '../harness/profile.ts'
import { at, lineOfProfile } from '../harness/slots.ts'

/** A line of the profile that a probe has filled, with what was seen. */
export type Finding = {
  /** Dotted path, such as `errors.reasonCode`. */
  line: string
  value: unknown
  evidence: string
  /** Checks that see the same thing: what filled a line cannot confirm it. */
  sameAs: readonly string[]
}

/** What a probe learned, and what it could not, each in a sentence. */
export type Learned = { found: readonly Finding[]; open: readonly string[] }

/** Every place of a JSON document that holds a text or a number, by pointer (RFC 6901). */
export const leavesOf = (document: unknown, pointer = ''): { pointer: string; value: string | number }[] => {
  if (typeof document === 'string' || typeof document === 'number') return [{ pointer, value: document }]
  if (typeof document !== 'object' || document === null) return []
  return Object.entries(document).flatMap(([name, member]) => leavesOf(member, `${pointer}/${escaped(name)}`))
}

/** Every place that holds a list. */
export const listsOf = (document: unknown, pointer = ''): { pointer: string; items: readonly unknown[] }[] => [
  ...(Array.isArray(document) ? [{ pointer, items: document }] : []),
  ...membersOf(document).flatMap(([name, member]) => listsOf(member, `${pointer}/${escaped(name)}`)),
]

const membersOf = (document: unknown): [string, unknown][] =>
  typeof document === 'object' && document !== null && !Array.isArray(document) ? Object.entries(document) : []

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** What an answer holds at a place. */
export const valueAt = (exchange: Exchange, pointer: string): unknown => at(jsonOf(exchange), pointer)

/** A finding where there is something to tell, and a line that stays open where not. */
export const finding = (line: string, value: unknown, evidence: string, sameAs: readonly string[] = []): Learned =>
  value === undefined
    ? { found: [], open: [`${line}: not seen, ${evidence}`] }
    : { found: [{ line, value, evidence, sameAs }], open: [] }

export const merged = (parts: readonly Learned[]): Learned => ({
  found: parts.flatMap(({ found }) => found),
  open: parts.flatMap(({ open }) => open),
})

/** A profile with what was found in place of what it leaves open; what it says already stays. */
export const withFindings = (profile: Profile, { found }: Learned): Profile =>
  found
    .filter(({ line }) => lineOfProfile(profile, line) === undefined)
    .reduce((whole, { line, value }) => withLine(whole, line.split('.'), value) as Profile, profile)

const withLine = (part: unknown, [name, ...rest]: readonly string[], value: unknown): unknown => {
  if (name === undefined) return value
  const members = (part ?? {}) as Record<string, unknown>
  return { ...members, [name]: withLine(members[name], rest, value) }
}

/** The first place that holds what is looked for in every one of these answers. */
export const placeIn = (wanted: readonly (readonly [Exchange, (value: string) => boolean])[]): string | undefined => {
  const [first, ...others] = wanted
  if (!first) return undefined
  const candidates = leavesOf(jsonOf(first[0])).filter(({ value }) => first[1](String(value)))
  return candidates.find(({ pointer }) => others.every(([exchange, fits]) => fits(String(valueAt(exchange, pointer)))))
    ?.pointer
}

export const is =
  (wanted: unknown) =>
  (told: string): boolean =>
    told === String(wanted)

/** A word, not an id, a time or a sentence: what a state could be called. */
export const isWord = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_-]{0,39}( [A-Za-z]+)?$/.test(value) && !/^[\da-f]{8}-/i.test(value)

export const isServed = ({ answer }: Exchange): boolean => answer !== undefined && answer.status < 300
