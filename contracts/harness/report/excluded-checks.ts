import type { CheckResult } from '../judge/check.ts'

/**
 * Names of the verdicts of checks that a run did not promise to judge: the profile excludes them, or a limit of the
 * run does.
 */
export const EXCLUDING = ['not applicable', 'withheld'] as const

/** Checks that a run left out for one reason. */
export type ExcludedChecks = { verdict: (typeof EXCLUDING)[number]; reason: string; checks: readonly string[] }

/** Groups what a run left out by its reason: first what the profile excludes, then what tier and patience do. */
export const groupExcludedChecks = (results: readonly CheckResult[]): ExcludedChecks[] =>
  EXCLUDING.flatMap(verdict => {
    const left = results.filter(result => result.verdict === verdict)
    return [...Map.groupBy(left, ({ reason = '' }) => reason)].map(([reason, members]) => ({
      verdict,
      reason,
      checks: members.map(({ id }) => id),
    }))
  })
