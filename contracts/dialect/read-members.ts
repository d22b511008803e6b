import { isJsonObject, type JsonObject } from '../protocol/canonical-json.ts'
import { escapeSegment, writeMember } from './json-pointer.ts'
import { type MemberPlaces, OPAQUE } from './member-places.ts'

/** A place that was met in messages, and the member of the document that it is. */
type Spoken = {
  segments: readonly string[]
  /** The document's path of the member; undefined: it has none. */
  path: readonly string[] | undefined
  isWay: boolean
  members: Map<string, Spoken>
  items: Map<string, Spoken>
  /** How many more places of the message are remembered; it has fewer, unless its sender makes names up. */
  budget: { left: number }
}

/** Made once for each place: computed for each message, they take half of the time of reading it. */
const remembered = new WeakMap<MemberPlaces, Spoken>()

const rootOf = (places: MemberPlaces): Spoken => {
  const known = remembered.get(places)
  if (known) return known
  const path = pathOf(places.at([])) ?? (places.own('') ? undefined : [])
  const root = { segments: [], path, isWay: false, members: new Map(), items: new Map(), budget: { left: 1000 } }
  remembered.set(places, root)
  return root
}

const memberIn = (at: Spoken, name: string, places: MemberPlaces): Spoken =>
  at.members.get(name) ?? remember(at, at.members, name, places, segments => pathAt(segments, at.path, name, places))

/** An item of a list through which lines lead: a member by its line alone. */
const itemIn = (at: Spoken, index: string, places: MemberPlaces): Spoken =>
  at.items.get(index) ?? remember(at, at.items, index, places, segments => pathOf(places.at(segments)))

const remember = (
  parent: Spoken,
  among: Map<string, Spoken>,
  name: string,
  places: MemberPlaces,
  pathOfPlace: (segments: readonly string[]) => readonly string[] | undefined,
): Spoken => {
  const segments = [...parent.segments, name]
  const isWay = places.leadsThroughList(segments)
  const { budget } = parent
  const place = { segments, path: pathOfPlace(segments), isWay, members: new Map(), items: new Map(), budget }
  if (budget.left-- > 0) among.set(name, place)
  return place
}

/**
 * Reads a message of a deployment's dialect as one of the document. A member that has no place in the dialect keeps
 * its JSON pointer as its name, which none of the document's has: it is neither lost nor mistaken for another.
 */
export const readMembers = (spoken: unknown, places: MemberPlaces): JsonObject => {
  const message: JsonObject = {}
  const visit = (value: unknown, at: Spoken): void => {
    const { path, segments } = at
    const names = isJsonObject(value) && !OPAQUE.includes(path?.at(-1) ?? '') ? Object.keys(value) : []
    for (const name of names) visit((value as JsonObject)[name], memberIn(at, name, places))
    if (names.length > 0) return
    if (path && !(at.isWay && Array.isArray(value))) {
      if (path.length > 0) writeMember(message, path, readValue(value, path, places))
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, itemIn(at, String(index), places))
    } else writeMember(message, [`/${segments.map(escapeSegment).join('/')}`], value)
  }
  visit(spoken, rootOf(places))
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
