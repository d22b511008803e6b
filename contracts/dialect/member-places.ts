import { pointerSegments } from './json-pointer.ts'
import { MEMBER_NAMINGS, type Naming } from './member-naming.ts'
import type { ValueForms } from './value-forms.ts'

/** JSON pointers by the document's dotted names; the empty name is the message itself. */
export type Pointers = Readonly<Record<string, string>>

/**
 * Members of messages whose content has names that no dialect translates: those of the merchant's own, and those spelt
 * out in a refusal.
 */
export const OPAQUE: readonly string[] = ['metadata', 'fields']

/** Places of the members of a message in a deployment, looked up from both sides. */
export type MemberPlaces = {
  /** Segments of the place of a member that has a line of its own. */
  own(path: string): readonly string[] | undefined
  /** The member whose line names this place, by its segments. */
  at(segments: readonly string[]): string | undefined
  /** Whether a line leads through the first item of a list at this place. */
  leadsThroughList(segments: readonly string[]): boolean
  /** The place of a line whose last segment is this name, as a query parameter is named. */
  placeEndingWith(name: string): readonly string[] | undefined
  /** Name of a member without a line, below the place of its parent; and the document's name of such a one. */
  nameOf(name: string): string
  documentName(name: string): string
  /** Whether the message has a member here. */
  has(path: string): boolean
  values: ValueForms
  /** The places of the members of each item of a list, from the item. */
  itemsOf(list: string): MemberPlaces
}

type PlacesInput = {
  pointers: Pointers
  values: ValueForms
  naming?: Naming | undefined
  /** Lines of the items of lists, each with the name of its list in front. */
  items?: Pointers
  /** Lines that hold within each item of any list. */
  inItems?: Pointers
  has?(path: string): boolean
}

/** Creates the places of a message's members in a deployment from the lines of its profile. */
export const createMemberPlaces = (input: PlacesInput): MemberPlaces => {
  const { pointers, values, naming = 'camelCase', items = {}, inItems = {}, has = () => true } = input
  const segments = new Map(Object.entries(pointers).map(([path, pointer]) => [path, pointerSegments(pointer)]))
  const paths = new Map([...segments].map(([path, place]) => [keyOf(place), path]))
  const ways = new Set([...segments.values()].flatMap(listsOnTheWay))
  const lists = new Map<string, MemberPlaces>()
  const { write, read } = MEMBER_NAMINGS[naming]
  return {
    own: path => segments.get(path),
    at: place => paths.get(keyOf(place)),
    leadsThroughList: place => ways.has(keyOf(place)),
    placeEndingWith: name => [...segments.values()].find(place => place.at(-1) === name),
    nameOf: write,
    documentName: read,
    has,
    values,
    itemsOf: list => {
      const known =
        lists.get(list) ?? createMemberPlaces({ ...input, pointers: { ...inItems, ...below(items, list) }, items: {} })
      lists.set(list, known)
      return known
    },
  }
}

/** Joins segments unambiguously: none contains a line feed, or it is not one of a line. */
const keyOf = (segments: readonly string[]): string => segments.join('\n')

/** The places of lists through whose first item a place leads. */
const listsOnTheWay = (place: readonly string[]): string[] =>
  place.flatMap((name, at) => (name === '0' ? [keyOf(place.slice(0, at))] : []))

const below = (pointers: Pointers, list: string): Pointers =>
  Object.fromEntries(
    Object.entries(pointers).flatMap(([path, pointer]) =>
      path.startsWith(`${list}.`) ? [[path.slice(list.length + 1), pointer]] : [],
    ),
  )

/** Returns the segments of the place of a member: its own line, else below the nearest parent that has one. */
export const placeOf = (places: MemberPlaces, path: string): readonly string[] => {
  const own = places.own(path)
  if (own) return own
  if (path === '') return []
  const dot = path.lastIndexOf('.')
  return [...placeOf(places, path.slice(0, Math.max(0, dot))), places.nameOf(path.slice(dot + 1))]
}

/** Returns the dotted names of the objects around a member, from the outermost, and its own. */
export const prefixesOf = (path: string): string[] =>
  path.split('.').map((_, index, names) => names.slice(0, index + 1).join('.'))
