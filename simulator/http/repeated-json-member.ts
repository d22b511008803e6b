/**
 * Finds the first member that an object of a valid JSON text has twice, at any depth: its dotted path, or undefined. JSON.parse
 * keeps the last of them, other readers the first, so that two readers see two requests (RFC 8259, 4).
 */
export const findRepeatedMember = (text: string, parsed: unknown): string | undefined =>
  countNames(text) === countMembers(parsed) ? undefined : firstRepeated(text)

const NAMES = /"(?:[^"\\]|\\.)*"(?=(\s*:)?)/g

/** Counts the member names of a JSON text. */
const countNames = (text: string): number => {
  let count = 0
  for (const [, colon] of text.matchAll(NAMES)) if (colon !== undefined) count += 1
  return count
}

const countMembers = (value: unknown): number => {
  if (value === null || typeof value !== 'object') return 0
  const inner = Object.values(value).reduce((sum: number, member) => sum + countMembers(member), 0)
  return inner + (Array.isArray(value) ? 0 : Object.keys(value).length)
}

type Level = { names: Set<string>; path: string }

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g

const firstRepeated = (text: string): string | undefined => {
  const levels: Level[] = []
  let [quoted, path] = ['""', '']
  for (const [token] of text.matchAll(TOKENS)) {
    const level = levels.at(-1)
    if (token === '{' || token === '[') levels.push({ names: new Set(), path })
    else if (token === '}' || token === ']') levels.pop()
    else if (token === ':' && level) {
      const name = String(JSON.parse(quoted))
      path = level.path === '' ? name : `${level.path}.${name}`
      if (level.names.has(name)) return path
      level.names.add(name)
    } else quoted = token
  }
  return undefined
}
