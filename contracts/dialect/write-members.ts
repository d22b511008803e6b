import { isJsonObject, type JsonObject } from '../protocol/canonical-json.ts'
import { writeMember } from './json-pointer.ts'
import { type MemberPlaces, OPAQUE } from './member-places.ts'

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
  const owned = new Set<string>()
  const visit = (value: unknown, at: Written): void => {
    const names = isJsonObject(value) && !OPAQUE.includes(at.name) ? Object.keys(value) : []
    if (names.length === 0 && (at.path !== '' || !isJsonObject(value))) {
      leaves.push([at, writeValue(value, at, places)])
      if (at.isOwn) owned.add(at.key)
    }
    for (const name of names) {
      const member = memberIn(at, name, places)
      if (member) visit((value as JsonObject)[name], member)
    }
  }
  visit(message, rootOf(places))
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
