import type { Exchange } from '../../client/http-exchange.ts'
import { isNestedTooDeep } from '../../protocol/json-nesting.ts'
import { type AlignedLines, alignLines } from './align-lines.ts'
import { shortenedText } from './exchange-text.ts'

/** Row of a side-by-side diff of messages; `first` is where to look first, `usual` differs in any two calls. */
export type DiffRow = AlignedLines & { same: boolean; usual?: true; first?: true }

/** Headers that differ between any two calls and rarely mean anything. */
const VOLATILE_HEADERS =
  /^(signature|signature-input|content-digest|content-length|idempotency-key|date|authorization):/

/** Formats a request as lines for a diff: method and URL, sorted headers, and the body, indented where it is JSON. */
export const requestLines = ({ request }: Exchange): string[] =>
  shortened([`${request.method} ${request.url}`, ...headerLines(request.headers), ...bodyLines(request.body)])

/** Formats a response as lines for a diff: status, sorted headers, body; or one line with the transport error. */
export const responseLines = ({ response, transportError }: Exchange): string[] =>
  response
    ? shortened([`HTTP ${response.status}`, ...headerLines(response.headers), ...bodyLines(response.body)])
    : [`no response: ${transportError?.code ?? 'nothing'} ${transportError?.message ?? ''}`.trimEnd()]

/** Compares two lists of lines, aligned in rows; the first difference that means something is marked. */
export const diffLines = (left: readonly string[], right: readonly string[]): DiffRow[] => {
  const rows = paired(alignLines(left, right))
  for (const row of rows) if (!row.same && isUsual(row)) row.usual = true
  const meaningful = rows.find(({ same, usual }) => !same && !usual) ?? rows.find(({ same }) => !same)
  if (meaningful) meaningful.first = true
  return rows
}

/** Finds the first line in which an exchange differs from its control, in the request, else the response. */
export const firstExchangeDifference = (control: Exchange, exchange: Exchange): DiffRow | undefined =>
  diffLines(requestLines(control), requestLines(exchange)).find(({ first }) => first) ??
  diffLines(responseLines(control), responseLines(exchange)).find(({ first }) => first)

/** Whether a row differs only in the value of a volatile header or in ids, as any two calls do; a missing header is no such row. */
const isUsual = ({ left, right }: DiffRow): boolean => {
  if (left === undefined || right === undefined) return false
  return [left, right].every(line => VOLATILE_HEADERS.test(line)) || withoutIds(left) === withoutIds(right)
}

const withoutIds = (line: string): string =>
  line
    .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi, '#')
    .replace(/\[hidden \d+/g, '#')
    .replace(/[\w-]{16,}/g, word => (/\d/.test(word) && /[a-z]/i.test(word) ? '#' : word))
    .replace(/\d{6,}/g, '#')
    .replace(/,$/, '')

const headerLines = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .sort()

/** Most characters of a body, and most lines of a message, that are shown: lines are aligned in quadratic time. */
const [LONGEST, MOST_LINES] = [4000, 400]

const shortened = (lines: string[]): string[] => [
  ...lines.slice(0, MOST_LINES).map(line => shortenedText(line)),
  ...(lines.length > MOST_LINES ? [`… (${lines.length} lines)`] : []),
]

const bodyLines = (body: Uint8Array | undefined): string[] => {
  if (!body?.length) return []
  const text = Buffer.from(body).toString('utf8')
  const laidOut = pretty(text)
  const shown = laidOut.length > LONGEST ? `${laidOut.slice(0, LONGEST)} … (${text.length} characters)` : laidOut
  return ['', ...shown.split('\n')]
}

const pretty = (text: string): string => {
  if (isNestedTooDeep(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Joins a left-only and a right-only row where both are about the same header or member. */
const paired = (rows: readonly AlignedLines[]): DiffRow[] => {
  const out: DiffRow[] = []
  for (const row of rows) {
    const open = row.left === undefined ? out.findIndex(known => isCounterpart(known, row)) : -1
    const known = out[open]
    if (known && row.right !== undefined) known.right = row.right
    else out.push({ ...row, same: row.left === row.right })
  }
  return out
}

const isCounterpart = ({ left, right }: AlignedLines, { right: line }: AlignedLines): boolean =>
  left !== undefined && right === undefined && subjectOf(left) === subjectOf(line ?? '')

/** What a line is about: a header, a member, or the message where it is the first line of a request or response. */
const subjectOf = (line: string): string =>
  /^[A-Z]+ (https?:|\d)/.test(line) ? 'HTTP' : (/^(\s*"[^"]*"|[\w-]+(?=:))/.exec(line)?.[0] ?? line)
