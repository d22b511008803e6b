import { type Result, VERDICTS, type Verdict } from './check.ts'
import type { Cause } from './stop.ts'

export type Summary = { registered: number; chosen: number; counts: Record<Verdict, number>; exitCode: number }

/** What a word ends with; the numbers are part of the interface. */
// biome-ignore format: a table reads by its columns
export const EXIT = {
  fine:       0,
  failed:     1,
  usage:      2,
  unmeasured: 3,
  harness:    4,
  incomplete: 5,
  stale:      6,
  safety:     7,
  differs:    8,
  invalid:    9,
} as const

/** Counts that add up to the checks chosen, and the exit code that they mean. */
export const summarize = (results: readonly Result[], registered: number, stopped?: Cause): Summary => {
  const counts = Object.fromEntries(VERDICTS.map(verdict => [verdict, 0])) as Record<Verdict, number>
  for (const { verdict } of results) counts[verdict] += 1
  return { registered, chosen: results.length, counts, exitCode: exitCodeOf(counts, stopped) }
}

const exitCodeOf = (counts: Record<Verdict, number>, stopped?: Cause): number => {
  if (counts.fail > 0) return EXIT.failed
  if (counts['harness error'] > 0) return EXIT.harness
  if (stopped?.safety) return EXIT.safety
  if (counts.pass + counts.differs + counts.observed + counts.known + counts.stale === 0) return EXIT.unmeasured
  if (stopped || counts.blocked + counts.untestable + counts.inconclusive > 0) return EXIT.incomplete
  return counts.stale > 0 ? EXIT.stale : EXIT.fine
}
