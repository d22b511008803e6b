import { setImmediate } from 'node:timers/promises'
import { endOfString } from '../../contracts/protocol/json-nesting.ts'
import { ControlError } from '../support/control-error.ts'
import { isTooDeep, MAX_JSON_DEPTH, TOO_DEEP } from '../support/json-depth.ts'

/** Rows that are parsed in one turn of the event loop, of so many characters at most, but for one that is longer. */
const SLICE = { rows: 200, characters: 1024 * 1024 }
/** Most characters of one row, and of all beside the rows, which are parsed in one turn: no snapshot has nearly as many. */
const MOST_TOGETHER = 8 * 1024 * 1024

/**
 * Parses the JSON text of a snapshot as JSON.parse does, the rows of its tables in slices, so that calls of others come
 * between: 17 MB at once take 60 ms. Throws SyntaxError where the text is not JSON, and ControlError where it is not that
 * of a snapshot.
 */
export const parseSnapshotText = async (text: string): Promise<unknown> => {
  const place = placeIn(text)
  const begin = /"rows"\s*:\s*\[/g
  const lists = new Map<unknown, unknown[]>()
  const others: string[] = []
  let from = 0
  while (begin.exec(text)) {
    const list = await parseRows(text, begin.lastIndex)
    others.push(text.slice(from, begin.lastIndex), JSON.stringify(`${place}${lists.size}`))
    lists.set(`${place}${lists.size}`, list.rows)
    from = list.end
    begin.lastIndex = from
  }
  others.push(text.slice(from))
  const whole = { value: parseTogether(others.join('')) }
  putInPlace(whole, lists)
  return whole.value
}

/** Begins the name of a place where rows are put once they are parsed, as no text of the snapshot does. */
const placeIn = (text: string): string => {
  let place = '@rows '
  while (text.includes(place)) place = `@${place}`
  return place
}

const parseTogether = (text: string): unknown => {
  if (text.length > MOST_TOGETHER)
    throw new ControlError('invalid', `The body has more than ${MOST_TOGETHER} characters that are no rows of a table.`)
  if (isTooDeep(text)) throw new ControlError('invalid', TOO_DEEP)
  return JSON.parse(text)
}

/** Puts each list in the place that names it. */
const putInPlace = (one: unknown, lists: ReadonlyMap<unknown, unknown[]>): void => {
  if (lists.size === 0 || one === null || typeof one !== 'object') return
  if (Array.isArray(one)) {
    for (const member of one) putInPlace(member, lists)
    return
  }
  for (const [key, member] of Object.entries(one)) {
    const list = Array.isArray(member) && member.length === 1 ? lists.get(member[0]) : undefined
    if (list) Object.defineProperty(one, key, { value: list, enumerable: true, writable: true, configurable: true })
    else putInPlace(member, lists)
  }
}

/** Parses rows up to the bracket that ends their list, at `end`. */
const parseRows = async (text: string, begin: number): Promise<{ rows: unknown[]; end: number }> => {
  const rows: unknown[] = []
  let from = begin
  for (;;) {
    const slice = sliceOfRows(text, from)
    rows.push(...(JSON.parse(`[${text.slice(from, slice.end)}]`) as unknown[]))
    if (slice.isLast) return { rows, end: slice.end }
    from = slice.end + 1
    await setImmediate()
  }
}

/** Returns where a slice of rows ends: at the comma after it, or the bracket that ends the list. */
const sliceOfRows = (text: string, begin: number): { end: number; isLast: boolean } => {
  let depth = 0
  let rows = 0
  let row = begin
  for (let at = begin; at < text.length; at += 1) {
    const letter = text[at]
    if (letter === '"') at = endOfString(text, at)
    else if (letter === '[' || letter === '{') depth += 1
    else if ((letter === ']' || letter === '}') && depth > 0) depth -= 1
    else if (letter === ']') return { end: at, isLast: true }
    else if (letter === '}') break
    else if (letter === ',' && depth === 0) {
      rows += 1
      if (rows === SLICE.rows || at - begin > SLICE.characters) return { end: at, isLast: false }
      row = at
    }
    if (depth > MAX_JSON_DEPTH) throw new ControlError('invalid', TOO_DEEP)
    if (at - row > MOST_TOGETHER)
      throw new ControlError('invalid', `The body has a row of more than ${MOST_TOGETHER} characters.`)
  }
  throw new SyntaxError('the list of rows of a table has no end')
}
