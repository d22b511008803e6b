import { pointerOf } from '../json-pointer.ts'
import { type MemberPlaces, placeOf, prefixesOf } from '../member-places.ts'
import { hasMembers, type MessageSchema, type Resolve, readMessageSchema } from '../openapi/message-schema.ts'

/** A member of a message with its place: its JSON pointer, and that of the object or list which holds it. */
export type PlacedMember = { pointer: string; holder: string | undefined; isContainer: boolean }

/** Returns the places of all members of a message by the document's dotted names; `[]` is each item of a list. */
export const placedMembers = (
  message: MessageSchema,
  places: MemberPlaces,
  resolve: Resolve,
): Map<string, PlacedMember> => {
  const placed = new Map<string, PlacedMember>()
  const visit = ({ members, objects }: MessageSchema, at: MemberPlaces, prefix: string, root: string): void => {
    const isLeaf = new Set(members.map(({ path }) => path))
    for (const { path, schema } of [...objects, ...members]) {
      if ((path === '' && prefix !== '') || !prefixesOf(path).every(name => name === '' || at.has(name))) continue
      const pointer = `${root}${pointerOf(placeOf(at, path))}`
      const parent = path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : ''
      const isList = isLeaf.has(path) && schema.items !== undefined && hasMembers(schema.items, resolve)
      const holder = path === '' ? undefined : `${prefix}${parent}`.replace(/\.$/, '')
      placed.set(`${prefix}${path}`, { pointer, holder, isContainer: isList || !isLeaf.has(path) })
      if (isList)
        visit(readMessageSchema(schema.items, resolve), at.itemsOf(path), `${prefix}${path}[].`, `${pointer}/*`)
    }
  }
  visit(message, places, '', '')
  return placed
}
