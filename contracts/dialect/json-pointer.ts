import type { JsonObject } from '../protocol/canonical-json.ts'

/** Splits a JSON pointer into its segments and unescapes them (RFC 6901). */
export const pointerSegments = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Escapes a member name as a segment of a JSON pointer (RFC 6901). */
export const escapeSegment = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** Joins segments to a JSON pointer (RFC 6901). */
export const pointerOf = (segments: readonly string[]): string =>
  segments.map(name => `/${escapeSegment(name)}`).join('')

/** Returns the value at a JSON pointer (RFC 6901); undefined where there is none. */
export const valueAtPointer = (document: unknown, pointer: string): unknown =>
  pointerSegments(pointer).reduce(memberOf, document)

/** Returns a member of a JSON value, of a list by `-` the last; undefined where the value is no object or list, or lacks it. */
export const memberOf = (value: unknown, name: string): unknown =>
  Array.isArray(value) && name === '-'
    ? value.at(-1)
    : typeof value === 'object' && value
      ? (value as JsonObject)[name]
      : undefined

/** Writes a value at a path of member names into a document; creates the objects, and the lists of one item, on the way. */
export const writeMember = (document: JsonObject, segments: readonly string[], value: unknown): void => {
  let holder = document
  for (let at = 0; at < segments.length - 1; at += 1) {
    const name = segments[at] ?? ''
    const old = Object.hasOwn(holder, name) ? holder[name] : undefined
    const inner = isContainer(old) ? old : segments[at + 1] === '0' ? [] : {}
    if (inner !== old) setMember(holder, name, inner)
    holder = inner as JsonObject
  }
  setMember(holder, segments.at(-1) ?? '', value)
}

/** Sets a member also where its name is the prototype's. */
const setMember = (holder: JsonObject, name: string, value: unknown): void => {
  if (name === '__proto__')
    Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })
  else holder[name] = value
}

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null

/** Lists the texts and numbers of a JSON document, each with its JSON pointer (RFC 6901). */
export const jsonLeaves = (document: unknown, pointer = ''): { pointer: string; value: string | number }[] => {
  if (typeof document === 'string' || typeof document === 'number') return [{ pointer, value: document }]
  if (typeof document !== 'object' || document === null) return []
  return Object.entries(document).flatMap(([name, member]) => jsonLeaves(member, `${pointer}/${escapeSegment(name)}`))
}
