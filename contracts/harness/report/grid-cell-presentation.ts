import { type CheckResult, type GridCell, VERDICTS, type Verdict } from '../judge/check.ts'

/** Verdicts of the checks of a report, by check id. */
export type VerdictsById = ReadonlyMap<string, Verdict>

/**
 * A grid cell as the report page shows it: the verdict whose colour and mark it has, their meaning, and what is known
 * of it.
 */
export type ShownCell = { verdict: Verdict; kind: 'judged' | 'elsewhere' | 'empty'; meaning: string; text: string }

/** One character for a verdict, so that colour is not all that tells cells apart. */
const MARKS: Readonly<Partial<Record<Verdict, string>>> = {
  pass: '✓',
  stale: '✓',
  fail: '✗',
  known: '✗',
  differs: '≠',
  observed: '○',
  'harness error': '!',
  'not applicable': '–',
}

/** Returns the character that stands for a verdict on the report page; a question mark where nothing was judged. */
export const verdictMark = (verdict: Verdict): string => MARKS[verdict] ?? '?'

/** Returns the id of the HTML element that shows a grid cell in full, within its check. */
export const cellAnchor = (id: string, column: string): string => `${id}-${column}`

/** Returns how the report page shows a grid cell: one that another check judges has the verdict of that check. */
export const shownCell = (cell: GridCell, row: Pick<CheckResult, 'verdict'>, verdicts: VerdictsById): ShownCell => {
  const [judge] = judgesElsewhere(cell)
    .flatMap(id => verdicts.get(id) ?? [])
    .toSorted(worseFirst)
  // The profile may soften the failure of a row, as by a known failure.
  const own = cell.verdict === 'fail' ? row.verdict : cell.verdict
  const verdict = judge ?? own
  const text = [verdict, cell.clause && `(${cell.clause})`, cellReason(cell)].filter(Boolean).join(' ')
  if (judge) return { verdict, kind: 'elsewhere', meaning: 'judged by a check of its own', text }
  if (verdict === 'not applicable') return { verdict, kind: 'empty', meaning: 'the rule does not apply', text }
  return { verdict, kind: 'judged', meaning: verdict, text }
}

/** Returns why a grid cell is empty or not judged, or what was expected and what came; undefined for a pass. */
export const cellReason = ({ reason, expected, got }: GridCell): string | undefined =>
  expected === undefined ? reason : `expected ${expected}, got ${got}`

/** Lists the checks that judge an empty cell, as its reason names them. */
const judgesElsewhere = ({ verdict, reason = '' }: GridCell): string[] =>
  verdict === 'not applicable' && /\bjudges?\b/.test(reason) ? (reason.match(/\b[A-Z]{3,4}-\d+\b/g) ?? []) : []

const worseFirst = (a: Verdict, b: Verdict): number => VERDICTS.indexOf(a) - VERDICTS.indexOf(b)
