import { isCollection, isMap, isNode, type Pair, parseDocument, stringify, type YAMLMap } from 'yaml'

/**
 * Sets a line of a profile, by its dotted path, in the YAML text of the profile. Comments and the form of every other line
 * stay, so that the difference of the two texts is what has changed.
 */
export const withLine = (text: string, line: string, value: unknown): string => {
  const path = line.split('.')
  const document = parseDocument(text, { uniqueKeys: false }) // those of a profile that was read are unique
  const node = document.getIn(path, true)
  if (isNode(node) && node.range) return replaced(text, node.range, flow(value))
  const depth = path.findLastIndex((_, index) => isMap(document.getIn(path.slice(0, index), true)))
  const holder = document.getIn(path.slice(0, Math.max(0, depth)), true)
  const rest = path.slice(Math.max(0, depth))
  if (!isMap(holder) || holder.items.length === 0) return `${text.trimEnd()}\n${nested(rest, value, '')}`.trimStart()
  if (holder.flow && holder.range) return replaced(text, holder.range, flow(withMember(holder.toJSON(), rest, value)))
  return inserted(text, holder, nested(rest, value, indentOf(text, holder)))
}

const flow = (value: unknown): string => stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim()

const replaced = (text: string, [start, end]: readonly number[], by: string): string => {
  const old = text.slice(start, end).trimEnd()
  return `${text.slice(0, start)}${by}${text.slice((start ?? 0) + old.length)}`
}

/** Inserts lines behind the last member of a block map. */
const inserted = (text: string, holder: YAMLMap, lines: string): string => {
  const last = holder.items.at(-1) as Pair
  const range = isNode(last.value) && last.value.range ? last.value.range : isNode(last.key) && last.key.range
  const [start = 0, end = 0] = range || []
  const behind = start + text.slice(start, end).trimEnd().length
  const lineEnd = text.indexOf('\n', behind)
  const at = lineEnd === -1 ? text.length : lineEnd
  return `${text.slice(0, at)}\n${lines.trimEnd()}${text.slice(at)}`
}

/** The white space before the first key of a block map. */
const indentOf = (text: string, holder: YAMLMap): string => {
  const key = holder.items[0]?.key
  const start = (isNode(key) && key.range?.[0]) || 0
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
}

/** Lines of YAML that say a value at a path, each with this indent. */
const nested = (path: readonly string[], value: unknown, indent: string): string => {
  const [name = '', ...rest] = path
  const key = `${indent}${flow(name)}:`
  return rest.length === 0 ? `${key} ${flow(value)}\n` : `${key}\n${nested(rest, value, `${indent}  `)}`
}

const withMember = (object: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown => {
  const members = (isCollection(object) ? object.toJSON() : object) as Record<string, unknown>
  return { ...members, [name]: rest.length === 0 ? value : withMember(members[name] ?? {}, rest, value) }
}
