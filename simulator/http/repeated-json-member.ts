import { endOfString } from '../../contracts/protocol/json-nesting.ts'
import { Refusal } from '../support/refusal.ts'

type Level = { names: Set<string>; path: string }

/** Members of a body at most: no call has as many, and each costs time at every layer behind. */
const MAX_MEMBERS = 15_000

/**
 * Finds the first member that an object of a valid JSON text has twice, at any depth; returns its dotted path, or
 * undefined. JSON.parse keeps the last of them, other readers the first, so that two readers see two requests (RFC
 * 8259, 4). Refuses a text of too many members.
 */
export const findRepeatedMember = (text: string): string | undefined => {
  const levels: Level[] = []
  let [quoted, path, at, members] = ['', '', 0, 0]
  while (at < text.length) {
    const sign = text[at]
    if (sign === '"') {
      const end = endOfString(text, at) + 1
      quoted = text.slice(at, end)
      at = end
      continue
    }
    if (sign === '{' || sign === '[') levels.push({ names: new Set(), path })
    else if (sign === '}' || sign === ']') path = levels.pop()?.path ?? ''
    else if (sign === ':') {
      members += 1
      if (members > MAX_MEMBERS) {
        const sentence = `The body has more than ${MAX_MEMBERS} members: send those that the call needs.`
        throw new Refusal('INVALID_INPUT', 'validation', sentence)
      }
      const level = levels.at(-1)
      const name = String(JSON.parse(quoted))
      path = level?.path ? `${level.path}.${name}` : name
      if (level?.names.has(name)) return path
      level?.names.add(name)
    }
    at += 1
  }
  return undefined
}
