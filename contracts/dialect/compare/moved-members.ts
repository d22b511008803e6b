import type { PlacedMember } from './member-places-of-messages.ts'

/** A member that is elsewhere in another dialect; undefined on the side that does not have it. */
export type Move = { path: string; from: string | undefined; to: string | undefined }

type Placed = ReadonlyMap<string, PlacedMember>

/**
 * Finds the members of a message that move between two dialects; one that follows the object which holds it is not
 * listed again.
 */
export const movedMembers = (from: Placed, to: Placed, nameOf = (name: string): string => name): Move[] => {
  const paths = [...new Set([...from.keys(), ...to.keys()])]
  const follows = (path: string): boolean => {
    const [one, other] = [from.get(path), to.get(path)]
    const [oneHolder, otherHolder] = [one, other].map((each, side) => holderOf(each, side === 0 ? from : to))
    if (!one || !other || oneHolder === undefined || otherHolder === undefined) return false
    const rest = restBelow(one.pointer, oneHolder)
    return rest !== undefined && nameOf(rest) === nameOf(restBelow(other.pointer, otherHolder) ?? '')
  }
  const followed = new Set(paths.filter(follows).map(path => from.get(path)?.holder?.replace(/\[\]$/, '')))
  return paths.flatMap(path => {
    const [one, other] = [from.get(path), to.get(path)]
    if (one?.pointer === other?.pointer || follows(path)) return []
    const isEmptyHolder =
      (one ?? other)?.isContainer === true && one && other && !followed.has(path) && !path.endsWith('[]')
    return isEmptyHolder && !isList(path, paths) ? [] : [{ path, from: one?.pointer, to: other?.pointer }]
  })
}

const isList = (path: string, paths: readonly string[]): boolean => paths.some(other => other.startsWith(`${path}[]`))

/** The pointer of what holds a member: of the items of a list, the list's with `*`. */
const holderOf = (member: PlacedMember | undefined, placed: Placed): string | undefined => {
  if (member?.holder === undefined) return undefined
  const isItem = member.holder.endsWith('[]')
  const pointer = placed.get(isItem ? member.holder.slice(0, -2) : member.holder)?.pointer
  return pointer === undefined ? undefined : isItem ? `${pointer}/*` : pointer
}

const restBelow = (pointer: string, holder: string): string | undefined =>
  pointer.startsWith(`${holder}/`) ? pointer.slice(holder.length) : undefined

/** Groups the moves of several messages: a member that moves alike in all of them is one group. */
export const groupMoves = (moves: ReadonlyMap<string, readonly Move[]>): (Move & { messages: readonly string[] })[] => {
  const groups = new Map<string, Move & { messages: string[] }>()
  for (const [message, each] of moves)
    for (const move of each) {
      const key = JSON.stringify([move.path, move.from, move.to])
      const group = groups.get(key) ?? { ...move, messages: [] }
      group.messages.push(message)
      groups.set(key, group)
    }
  return [...groups.values()]
}
