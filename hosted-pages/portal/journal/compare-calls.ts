import { prettyJson } from '../layout/formatted-values.ts'
import type { CallView } from './journal-call-types.ts'

/** One line of two calls side by side; a line that one of them lacks is undefined there. */
export type ComparedLine = {
  part: string
  left: string | undefined
  right: string | undefined
  look: 'same' | 'first' | 'different' | 'expected'
}

/** Headers that differ between any two calls, so that they are never the first difference. */
const EXPECTED_TO_DIFFER = [
  ...['signature', 'signature-input', 'authorization', 'date', 'idempotency-key'],
  ...['content-length', 'content-digest'],
]

type Part = readonly [part: string, lines: (call: CallView) => ReadonlyMap<string, string>]

const bodyLines = (body: string): ReadonlyMap<string, string> =>
  new Map(
    body === ''
      ? []
      : prettyJson(body)
          .split('\n')
          .map((line, at) => [String(at), line]),
  )
const headerLines = (headers: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(headers).map(([name, value]) => [name, `${name}: ${value}`]))

/** The parts of a call, those first in which a reader looks first. */
const PARTS: readonly Part[] = [
  ['Request', ({ request }) => new Map([['line', `${request.method} ${request.target}`]])],
  ['Request body', ({ request }) => bodyLines(request.body)],
  ['Request headers', ({ request }) => headerLines(request.headers)],
  ['Response', ({ response }) => new Map([['line', `HTTP ${response.status}`]])],
  ['Refused', ({ refused }) => new Map(refused ? [['line', `${refused.layer}: ${refused.reason}`]] : [])],
  ['Response body', ({ response }) => bodyLines(response.body)],
  ['Response headers', ({ response }) => headerLines(response.headers)],
]

/** Compares two calls line by line: bodies by their place, headers by their name; the first real difference is marked. */
export const compareCalls = (left: CallView, right: CallView): ComparedLine[] => {
  let isFound = false
  return PARTS.flatMap(([part, linesOf]) => {
    const [mine, theirs] = [linesOf(left), linesOf(right)]
    return [...new Set([...mine.keys(), ...theirs.keys()])].map(key => {
      const line = { part, left: mine.get(key), right: theirs.get(key) }
      if (line.left === line.right) return { ...line, look: 'same' as const }
      if (EXPECTED_TO_DIFFER.includes(key)) return { ...line, look: 'expected' as const }
      const look = isFound ? ('different' as const) : ('first' as const)
      isFound = true
      return { ...line, look }
    })
  })
}
