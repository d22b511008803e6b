import type { Check, CheckResult } from './check.ts'
import { Blocked, Inconclusive, Mismatch, Untestable } from './verdict-errors.ts'

/** Returns a check that repeats an earlier result, for one whose evidence held a secret that is no longer there. */
export const judgeAsBefore = (check: Check, result: CheckResult): Check => ({
  ...check,
  judge: () => {
    const { verdict, reason = '', expected, got = '', exchange } = result
    if (expected !== undefined) throw new Mismatch(expected, got, exchange)
    if (verdict === 'untestable') throw new Untestable(reason, exchange)
    if (verdict === 'inconclusive') throw new Inconclusive(reason, exchange)
    if (verdict === 'blocked') throw new Blocked(reason, exchange)
    if (verdict === 'harness error') throw new Error(reason)
    return reason
  },
})
