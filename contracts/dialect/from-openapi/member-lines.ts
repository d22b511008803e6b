import { pointerOf } from '../json-pointer.ts'
import { type MemberPlaces, placeOf } from '../member-places.ts'
import type { DescribedMember } from './described-members.ts'

/**
 * Members found in one message of a deployment's OpenAPI document: their places, by the interface document's dotted
 * names.
 */
export type Found = ReadonlyMap<string, DescribedMember>

/** JSON pointers of a deployment's message members, by the dotted names of the interface document. */
export type MemberLines = Record<string, string>

/**
 * Writes the member lines of one message: one for an object whose members lie together elsewhere, and one for each
 * member that the places of the dialect so far do not give.
 */
export const linesOfMessage = (found: Found, placesWith: (lines: MemberLines) => MemberPlaces): MemberLines => {
  const lines: MemberLines = {}
  const bare = placesWith({})
  for (const object of objectsOf(found)) {
    const holders = [...found].flatMap(([path, { segments }]) => {
      const name = path.slice(path.lastIndexOf('.') + 1)
      const isChild = path === `${object}.${name}`
      return isChild && segments.at(-1) === bare.nameOf(name) ? [pointerOf(segments.slice(0, -1))] : []
    })
    const [holder] = new Set(holders)
    const isOne = new Set(holders).size === 1
    if (isOne && holder && pointerOf(placeOf(placesWith(lines), object)) !== holder) lines[object] = holder
  }
  for (const [path, { segments }] of found) {
    const pointer = pointerOf(segments)
    if (pointerOf(placeOf(placesWith(lines), path)) !== pointer) lines[path] = pointer
  }
  return lines
}

/** The objects that hold the members, outer ones first. */
const objectsOf = (found: Found): string[] =>
  [
    ...new Set(
      [...found.keys()].flatMap(path =>
        path
          .split('.')
          .slice(0, -1)
          .map((_, index) =>
            path
              .split('.')
              .slice(0, index + 1)
              .join('.'),
          ),
      ),
    ),
  ].sort((one, other) => one.length - other.length)

/**
 * Merges the member lines of several messages: what most of them have is for all; what differs stays with the message.
 */
export const mergedLines = <Name extends string>(own: ReadonlyMap<Name, MemberLines>): MemberLines => {
  const counts = new Map<string, Map<string, number>>()
  for (const lines of own.values())
    for (const [path, pointer] of Object.entries(lines)) {
      const count = counts.get(path) ?? new Map<string, number>()
      count.set(pointer, (count.get(pointer) ?? 0) + 1)
      counts.set(path, count)
    }
  const shared = [...counts].flatMap(([path, count]) => {
    const [first] = [...count].sort(([, one], [, other]) => other - one)
    return first && first[1] > 1 ? [[path, first[0]]] : []
  })
  return Object.fromEntries(shared)
}
