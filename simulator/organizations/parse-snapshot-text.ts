import { setImmediate } from 'node:timers/promises'

/** Rows that are parsed in one turn of the event loop. */
const SLICE = 200
/** Begins the name of a place where rows are put once they are parsed. */
const PLACE = '@rows '

/**
 * Parses the JSON text of a snapshot as JSON.parse does, the rows of its tables in slices, so that calls of others come
 * between: 17 MB at once take 60 ms. Throws SyntaxError where the text is not JSON.
 */
export const parseSnapshotText = async (text: string): Promise<unknown> => {
  if (text.includes(PLACE)) return JSON.parse(text)
  const begin = /"rows"\s*:\s*\[/g
  const lists = new Map<string, unknown[]>()
  const others: string[] = []
  let from = 0
  while (begin.exec(text)) {
    const list = await parseRows(text, begin.lastIndex)
    if (!list) return JSON.parse(text)
    const place = `${PLACE}${lists.size}`
    lists.set(place, list.rows)
    others.push(text.slice(from, begin.lastIndex), JSON.stringify(place))
    from = list.end
    begin.lastIndex = from
  }
  const whole = { value: JSON.parse([...others, text.slice(from)].join('')) as unknown }
  putInPlace(whole, lists)
  return whole.value
}

/** Puts each list in the place that names it; without recursion, as JSON may be nested deeper than the stack. */
const putInPlace = (whole: object, lists: ReadonlyMap<unknown, unknown[]>): void => {
  const open = [whole]
  for (let one = open.pop(); one; one = open.pop())
    for (const [key, member] of Object.entries(one) as [string, unknown][]) {
      const list = Array.isArray(member) && member.length === 1 ? lists.get(member[0]) : undefined
      if (list) Object.defineProperty(one, key, { value: list, enumerable: true, writable: true, configurable: true })
      else if (member !== null && typeof member === 'object') open.push(member)
    }
}

/** Parses rows up to the bracket that ends their list, at `end`; undefined where something else comes. */
const parseRows = async (text: string, begin: number): Promise<{ rows: unknown[]; end: number } | undefined> => {
  const rows: unknown[] = []
  let from = begin
  for (;;) {
    const slice = sliceOfRows(text, from)
    if (!slice) return undefined
    rows.push(...(JSON.parse(`[${text.slice(from, slice.end)}]`) as unknown[]))
    if (slice.isLast) return { rows, end: slice.end }
    from = slice.end + 1
    await setImmediate()
  }
}

/** Returns where a slice of rows ends: at the comma after it, or the bracket that ends the list. */
const sliceOfRows = (text: string, begin: number): { end: number; isLast: boolean } | undefined => {
  let depth = 0
  let rows = 0
  for (let at = begin; at < text.length; at += 1) {
    const letter = text[at]
    if (letter === '"') at = endOfString(text, at)
    else if (letter === '[' || letter === '{') depth += 1
    else if ((letter === ']' || letter === '}') && depth > 0) depth -= 1
    else if (letter === ']') return { end: at, isLast: true }
    else if (letter === '}') return undefined
    else if (letter === ',' && depth === 0) {
      rows += 1
      if (rows === SLICE) return { end: at, isLast: false }
    }
  }
  return undefined
}

/** The place of the quotation mark that ends a string; a backslash hides the letter after it. */
const endOfString = (text: string, begin: number): number => {
  let at = begin + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
