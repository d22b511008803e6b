import type { Check, CheckResult } from './check.ts'
import { EmptyCell } from './judge-grid-cells.ts'
import { Blocked, Inconclusive, Mismatch, Untestable, Withheld } from './verdict-errors.ts'

/** Returns a check that repeats an earlier result, for one whose evidence held a secret that is no longer there. */
export const judgeAsBefore = (check: Check, result: CheckResult): Check => ({
  ...check,
  judge: () => {
    const { reason = '', cells } = result
    const error = errorOf(result)
    if (error) throw cells ? Object.assign(error, { cells }) : error
    return cells ? { cells } : reason
  },
})

const errorOf = ({
  verdict,
  knownAs,
  reason = '',
  line,
  expected,
  got = '',
  exchange,
}: CheckResult): Error | undefined => {
  if (expected !== undefined) return new Mismatch(expected, got, exchange, (knownAs ?? verdict) === 'fail')
  if (verdict === 'untestable') return new Untestable(reason, exchange, line)
  if (verdict === 'inconclusive') return new Inconclusive(reason, exchange)
  if (verdict === 'withheld') return new Withheld(reason)
  if (verdict === 'blocked') return new Blocked(reason, exchange)
  if (verdict === 'not applicable') return new EmptyCell(reason)
  return verdict === 'harness error' ? new Error(reason) : undefined
}
