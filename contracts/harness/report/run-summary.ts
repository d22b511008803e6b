import { type CheckResult, VERDICTS, type Verdict } from '../judge/check.ts'
import type { StopCause } from '../run/stop-signal.ts'

/** Exit codes of the commands; the numbers are part of the interface. */
// biome-ignore format: a table reads by its columns
export const EXIT_CODES = {
  fine:       0,
  failed:     1,
  usage:      2,
  unmeasured: 3,
  harness:    4,
  incomplete: 5,
  stale:      6,
  safety:     7,
  regression: 8,
  invalid:    9,
  differs:    10,
} as const

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
