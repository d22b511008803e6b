type Level = { names: Set<string>; path: string }

/**
 * Finds the first member that an object of a valid JSON text has twice, at any depth; returns its dotted path, or
 * undefined. JSON.parse keeps the last of them, other readers the first, so that two readers see two requests (RFC
 * 8259, 4).
 */
export const findRepeatedMember = (text: string): string | undefined => {
  const levels: Level[] = []
  let [quoted, path, at] = ['', '', 0]
  while (at < text.length) {
    const sign = text[at]
    if (sign === '"') {
      const end = endOfString(text, at)
      quoted = text.slice(at, end)
      at = end
      continue
    }
    if (sign === '{' || sign === '[') levels.push({ names: new Set(), path })
    else if (sign === '}' || sign === ']') levels.pop()
    else if (sign === ':') {
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

const BACKSLASH = 92
const QUOTE = 34

/** The index after the string that begins at an index. */
const endOfString = (text: string, start: number): number => {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at + 1
}
