import { isJsonObject, type JsonObject } from '../protocol/canonical-json.ts'
import { escapeSegment, writeMember } from './json-pointer.ts'
import type { MemberPlaces } from './member-places.ts'

/** Members whose content has names that are no members: of the merchant's own, and spelt out in a refusal. */
export const OPAQUE: readonly string[] = ['metadata', 'fields']

/** A member of the document that was met in messages: where it is written. Null in a parent's `members`: it is not. */
type Written = {
  path: string
  name: string
  segments: readonly string[]
  isOwn: boolean
  key: string
  members: Map<string, Written | null>
  /** How many more members of the message are remembered; it has fewer, unless its sender makes names up. */
  budget: { left: number }
}

/** Made once for each member: computed for each message, places take 30 of 800 µs of a call. */
const remembered = new WeakMap<MemberPlaces, Written>()

const rootOf = (places: MemberPlaces): Written => {
  const known = remembered.get(places)
  if (known) return known
  const segments = places.own('') ?? []
  const root = { path: '', name: '', segments, isOwn: false, key: '', members: new Map(), budget: { left: 1000 } }
  remembered.set(places, root)
  return root
}

const memberIn = ({ path: parent, segments, members, budget }: Written, name: string, places: MemberPlaces) => {
  const known = members.get(name)
  if (known !== undefined) return known
  const path = parent === '' ? name : `${parent}.${name}`
  const own = name.includes('.') ? undefined : places.own(path)
  const place = own ?? [...segments, places.nameOf(name)]
  const member: Written | null = places.has(path)
    ? { path, name, segments: place, isOwn: own !== undefined, key: place.join('/'), members: new Map(), budget }
    : null
  if (budget.left-- > 0) members.set(name, member)
  return member
}

/** Writes a message of the document in a deployment's dialect. A member with a line wins a place over one without. */
export const writeMembers = (message: JsonObject, places: MemberPlaces): unknown => {
  const leaves: [at: Written, value: unknown][] = []
  const visit = (value: unknown, at: Written): void => {
    const names = isJsonObject(value) && !OPAQUE.includes(at.name) ? Object.keys(value) : []
    if (names.length === 0 && (at.path !== '' || !isJsonObject(value))) leaves.push([at, writeValue(value, at, places)])
    for (const name of names) {
      const member = memberIn(at, name, places)
      if (member) visit((value as JsonObject)[name], member)
    }
  }
  visit(message, rootOf(places))
  const owned = new Set(leaves.flatMap(([{ isOwn, key }]) => (isOwn ? [key] : [])))
  const written: JsonObject = {}
  const absent: (readonly string[])[] = []
  for (const [{ segments, isOwn, key }, value] of leaves) {
    if (segments.length === 0) return value
    if (!isOwn && owned.has(key)) continue
    if (value === undefined && isOwn) absent.push(segments)
    else writeMember(written, segments, value)
  }
  for (const segments of absent) if (hasHolder(written, segments)) writeMember(written, segments, undefined)
  return written
}

/** Whether the object that holds a place is there: a member without a value makes none. */
const hasHolder = (written: JsonObject, segments: readonly string[]): boolean =>
  isJsonObject(
    segments.slice(0, -1).reduce<unknown>((part, name) => (isJsonObject(part) ? part[name] : undefined), written),
  )

const writeValue = (value: unknown, { path, name }: Written, places: MemberPlaces): unknown => {
  if (OPAQUE.includes(name)) return value
  if (!Array.isArray(value)) return places.values.write(name, value)
  return value.map(item =>
    isJsonObject(item) ? writeMembers(item, places.itemsOf(path)) : places.values.write(name, item),
  )
}

/**
 * Reads a message of a deployment's dialect as one of the document. A member that has no place in the dialect keeps
 * its JSON pointer as its name, which none of the document's has: it is neither lost nor mistaken for another.
 */
export const readMembers = (spoken: unknown, places: MemberPlaces): JsonObject => {
  const message: JsonObject = {}
  const put = (path: readonly string[], value: unknown) => {
    if (path.length > 0) writeMember(message, path, value)
  }
  const visit = (value: unknown, segments: readonly string[], path: readonly string[] | undefined): void => {
    const isEmpty = isJsonObject(value) && Object.keys(value).length === 0
    if (isJsonObject(value) && !isEmpty && !OPAQUE.includes(path?.at(-1) ?? '')) {
      for (const [name, member] of Object.entries(value)) {
        const place = [...segments, name]
        visit(member, place, pathAt(place, path, name, places))
      }
      return
    }
    const isWay = Array.isArray(value) && places.leadsThroughList(segments)
    if (path && !isWay) put(path, readValue(value, path, places))
    else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        const place = [...segments, String(index)]
        visit(item, place, pathOf(places.at(place)))
      }
    } else put([`/${segments.map(escapeSegment).join('/')}`], value)
  }
  visit(spoken, [], pathOf(places.at([])) ?? (places.own('') ? undefined : []))
  return message
}

const pathOf = (path: string | undefined): string[] | undefined =>
  path === undefined ? undefined : path === '' ? [] : path.split('.')

/** The document's path of the member at a place: by its line, else below its parent, unless it has a line elsewhere. */
const pathAt = (
  place: readonly string[],
  parent: readonly string[] | undefined,
  name: string,
  places: MemberPlaces,
): readonly string[] | undefined => {
  const own = pathOf(places.at(place))
  if (own) return places.has(own.join('.')) ? own : undefined
  if (!parent) return undefined
  const documentName = places.documentName(name)
  const path = [...parent, documentName]
  const dotted = path.join('.')
  const isSpelledSo = places.nameOf(documentName) === name
  return !isSpelledSo || places.own(dotted) || !places.has(dotted) ? undefined : path
}

const readValue = (value: unknown, path: readonly string[], places: MemberPlaces): unknown => {
  const name = path.at(-1) ?? ''
  if (OPAQUE.includes(name)) return value
  if (!Array.isArray(value)) return places.values.read(name, value)
  return value.map(item =>
    isJsonObject(item) ? readMembers(item, places.itemsOf(path.join('.'))) : places.values.read(name, item),
  )
}
