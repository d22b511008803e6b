import type { CheckResult, Verdict } from '../harness/judge/check.ts'
import type { RunReport } from '../harness/report/run-report.ts'

/** What one run says of a check, a cell of a grid row, or a rule that exploration saw broken. */
type Outcome = {
  id: string
  title: string
  verdict: Verdict | 'not judged'
  reason?: string | undefined
  expected?: string | undefined
  got?: string | undefined
}

/** A difference between the outcomes of two runs. */
export type Change = Pick<Outcome, 'id' | 'title'> & {
  kind: 'regression' | 'better' | 'other'
  before: Outcome['verdict']
  after: Outcome['verdict']
  why?: string
}

/** Verdicts that count as good, and those where nothing was judged. */
const GOOD: readonly string[] = ['pass', 'observed', 'stale']
const NOT_JUDGED: readonly string[] = ['not judged', 'withheld', 'not applicable']

/**
 * Lists what the later of two runs says otherwise, check by check; of a grid row with the same verdict, cell by cell; of
 * a failure that both know, as what it counts without being known.
 */
export const changesBetween = (before: RunReport, after: RunReport): Change[] => {
  const ofChecks = inPairs(before.checks, after.checks).flatMap(([old, now]) =>
    old?.verdict === now?.verdict
      ? [[unknown(old), unknown(now)] as const, ...inPairs(cellsOf(old), cellsOf(now))]
      : [[old, now] as const],
  )
  const ofRules = inPairs(violationsIn(before), violationsIn(after)).map(
    ([old, now]) => [old ?? withoutViolation(before, now), now ?? withoutViolation(after, old)] as const,
  )
  return [...ofChecks, ...ofRules].flatMap(([old, now]) => changeOf(old, now) ?? [])
}

/** Pairs the outcomes of two runs by what they are about. */
const inPairs = <Item extends Outcome>(before: readonly Item[], after: readonly Item[]) => {
  const key = ({ id, title }: Item) => JSON.stringify([id, title])
  const [old, now] = [before, after].map(list => new Map(list.map(item => [key(item), item])))
  const keys = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])
  return [...keys].map(one => [old?.get(one), now?.get(one)] as const)
}

/** The result of a check as it were if its failure was not known; of a grid row, its cells say more. */
const unknown = (check: CheckResult | undefined): Outcome | undefined =>
  check?.knownAs && !check.cells ? { ...check, verdict: check.knownAs } : check

const cellsOf = (check: CheckResult | undefined): Outcome[] =>
  (check?.cells ?? []).map(({ column, verdict, reason, expected, got }) => ({
    id: check?.id ?? '',
    title: `${check?.title}, ${column}`,
    verdict,
    reason,
    expected,
    got,
  }))

const violationsIn = ({ explored }: RunReport): Outcome[] =>
  (explored?.violations ?? []).map(({ clauses }) => ({
    id: 'explored',
    title: `violation of ${clauses.join(', ')}`,
    verdict: 'fail',
  }))

/** What a run says of a violation that it does not report. */
const withoutViolation = ({ explored }: RunReport, other: Outcome | undefined): Outcome | undefined =>
  explored && other && !explored.unconfirmed ? { ...other, verdict: 'pass' } : undefined

const changeOf = (old: Outcome | undefined, now: Outcome | undefined): Change | undefined => {
  const [before, after] = [old?.verdict ?? 'not judged', now?.verdict ?? 'not judged'] as const
  const { id, title } = now ?? old ?? {}
  if (before === after || id === undefined || title === undefined) return undefined
  const why = now?.reason ?? (now?.expected && `expected ${now.expected}, got ${now.got}`)
  return { id, title, kind: kindOf(before, after), before, after, ...(why && { why }) }
}

const kindOf = (before: string, after: string): Change['kind'] => {
  if (after === 'fail' && before !== 'known') return 'regression'
  if (GOOD.includes(before) && !GOOD.includes(after) && !NOT_JUDGED.includes(after)) return 'regression'
  return !GOOD.includes(before) && GOOD.includes(after) ? 'better' : 'other'
}
