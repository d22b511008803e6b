import { type CheckResult, VERDICTS, type Verdict } from '../judge/check.ts'
import type { StopCause } from '../run/stop-signal.ts'
import { EXIT_CODES } from './exit-codes.ts'

export type RunSummary = {
  registered: number
  chosen: number
  counts: Record<Verdict, number>
  exitCode: number
  /** Whether a check that differs counts as failed. */
  strict?: true
}

/** Counts the verdicts of a run, which add up to the chosen checks, and determines its exit code. */
export const summarizeRun = (
  results: readonly CheckResult[],
  registered: number,
  stopped?: StopCause,
  strict = false,
): RunSummary => {
  const counts = Object.fromEntries(VERDICTS.map(verdict => [verdict, 0])) as Record<Verdict, number>
  for (const { verdict } of results) counts[verdict] += 1
  const exitCode = exitCodeOf(counts, stopped, strict)
  return { registered, chosen: results.length, counts, exitCode, ...(strict && { strict }) }
}

/** Returns the exit code of a run, by its verdict counts and the cause of an early end. */
const exitCodeOf = (counts: Record<Verdict, number>, stopped: StopCause | undefined, strict: boolean): number => {
  if (counts.fail > 0 || (strict && counts.differs > 0)) return EXIT_CODES.failed
  if (counts['harness error'] > 0) return EXIT_CODES.harness
  if (stopped?.safety) return EXIT_CODES.safety
  if (counts.pass + counts.differs + counts.observed + counts.known + counts.stale === 0) return EXIT_CODES.unmeasured
  if (counts.differs > 0) return EXIT_CODES.differs
  if (stopped || counts.blocked + counts.untestable + counts.inconclusive > 0) return EXIT_CODES.incomplete
  return counts.stale > 0 ? EXIT_CODES.stale : EXIT_CODES.fine
}
