import { type Exchange, lineOf } from '../client/exchange.ts'

/** One line of two messages side by side; `first` is where a reader should look, `usual` differs between any two calls. */
export type Row = { left?: string; right?: string; same: boolean; usual?: true; first?: true }

/** Headers that differ between any two calls and mostly mean nothing. */
const ALWAYS_OTHER = /^(signature|signature-input|content-digest|content-length|idempotency-key|date|authorization):/

/** Lines of the request as it went over the wire, its body laid out where it is JSON. */
export const requestLines = ({ request }: Exchange): string[] => [
  `${request.method} ${request.url}`,
  ...headerLines(request.headers),
  ...bodyLines(request.body),
]

/** Lines of the answer, or of what came in its place. */
export const answerLines = ({ answer, fault }: Exchange): string[] =>
  answer
    ? [`HTTP ${answer.status}`, ...headerLines(answer.headers), ...bodyLines(answer.body)]
    : [`no answer: ${fault?.code ?? 'nothing'} ${fault?.message ?? ''}`.trimEnd()]

/** Two lists of lines in step; the first difference that tells something is marked. */
export const sideBySide = (left: readonly string[], right: readonly string[]): Row[] => {
  const rows = paired(aligned(left, right))
  for (const row of rows) if (!row.same && isUsual(row)) row.usual = true
  const telling = rows.find(({ same, usual }) => !same && !usual) ?? rows.find(({ same }) => !same)
  if (telling) telling.first = true
  return rows
}

/** The first thing in which an exchange is not like its control, in one line each; undefined where they are alike. */
export const firstDifference = (control: Exchange, exchange: Exchange): Row | undefined =>
  sideBySide(requestLines(control), requestLines(exchange)).find(({ first }) => first) ??
  sideBySide(answerLines(control), answerLines(exchange)).find(({ first }) => first)

/** Names both ends of an exchange, with its address in short. */
export const titleOf = (exchange: Exchange): string => lineOf(exchange).replace(/https?:\/\/[^/]+/, '')

/** What an exchange is called that another is held against: a control by its id, all else by its own name. */
export const controlName = (id: string): string => (id.includes(' ') ? id : `Control ${id}`)

/** Differences that come with any other call: headers of the moment, and ids that are there once. */
const isUsual = ({ left, right }: Row): boolean => {
  if ([left, right].every(line => line === undefined || ALWAYS_OTHER.test(line))) return true
  return left !== undefined && right !== undefined && withoutIds(left) === withoutIds(right)
}

const withoutIds = (line: string): string =>
  line
    .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi, '#')
    .replace(/\[hidden \d+/g, '#')
    .replace(/\d{6,}/g, '#')
    .replace(/,$/, '')

const headerLines = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .sort()

const LONGEST = 4000

const bodyLines = (body: Uint8Array | undefined): string[] => {
  if (!body?.length) return []
  const text = Buffer.from(body).toString('utf8')
  const laidOut = pretty(text)
  const shown = laidOut.length > LONGEST ? `${laidOut.slice(0, LONGEST)} … (${text.length} characters)` : laidOut
  return ['', ...shown.split('\n')]
}

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Longest common subsequence; messages are short. */
const aligned = (left: readonly string[], right: readonly string[]): Row[] => {
  const common = Array.from({ length: left.length + 1 }, () => new Uint16Array(right.length + 1))
  const at = (i: number, j: number) => common[i]?.[j] ?? 0
  for (let i = left.length - 1; i >= 0; i -= 1)
    for (let j = right.length - 1; j >= 0; j -= 1)
      (common[i] as Uint16Array)[j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const rows: Row[] = []
  for (let [i, j] = [0, 0]; i < left.length || j < right.length; ) {
    const [one, other] = [left[i], right[j]]
    if (one !== undefined && one === other) {
      rows.push({ left: one, right: one, same: true })
      i += 1
      j += 1
    } else if (other === undefined || (one !== undefined && at(i + 1, j) >= at(i, j + 1))) {
      rows.push({ left: one ?? '', same: false })
      i += 1
    } else {
      rows.push({ right: other, same: false })
      j += 1
    }
  }
  return rows
}

/** Lines that only one side has stand in one row where they say the same thing of something: a header, a member. */
const paired = (rows: readonly Row[]): Row[] => {
  const out: Row[] = []
  for (const row of rows) {
    const open = row.left === undefined ? out.findIndex(known => waitsFor(known, row)) : -1
    const known = out[open]
    if (known && row.right !== undefined) known.right = row.right
    else out.push({ ...row })
  }
  return out
}

const waitsFor = ({ left, right }: Row, { right: line }: Row): boolean =>
  left !== undefined && right === undefined && subjectOf(left) === subjectOf(line ?? '')

const subjectOf = (line: string): string => /^(HTTP|GET|POST|\s*"[^"]*"|[\w-]+(?=:))/.exec(line)?.[0] ?? line
