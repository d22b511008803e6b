import type { Exchange } from '../../client/http-exchange.ts'
import type { Profile } from '../profile/profile.ts'
import type { Expect } from './check-assertions.ts'
import type { Evidence, KeepStep } from './scenario-evidence.ts'
import type { OpenWait } from './verdict-errors.ts'

/**
 * Tiers of checks, by what their calls do: 0 only TLS, 1 only reads, 2 writes that must be refused, 3 writes in a
 * sandbox, 4 the provider's own sandbox, 5 calls that disturb the service.
 */
export const TIERS = [0, 1, 2, 3, 4, 5] as const
export type Tier = (typeof TIERS)[number]

/** One conformance check: a stable id and a judgment of recorded evidence. It never calls the service itself. */
export type Check<Step extends string = string> = {
  id: string
  /** Section or rule of the interface document. */
  clause: string
  title: string
  tier?: Tier
  /** An assumed check rests on our reading of the document: it names its decisions, or it only observes. */
  basis?: 'assumed'
  decisions?: readonly string[]
  observes?: true
  /** Of a negative check: id of the check of the same call made correctly; unless that passes, this one is blocked. */
  control?: string
  /** Profile lines without which the check is untestable, such as `fields.status.state`. */
  needs?: readonly string[]
  /** Of a grid row: why it has no cells in the other columns of its grid. */
  otherColumns?: string
  /** Reason why this check does not apply to the deployment; undefined where it applies. */
  exempt?(profile: Profile): string | undefined
  /**
   * Returns for a pass, throws through `expect` otherwise. A returned text is what an observing check saw; the row of a
   * grid returns its cells, or throws with them.
   */
  judge(evidence: Evidence<Step>, expect: Expect): Observation | Promise<Observation>
}

/** Returns the members of a check that rests on our reading of the document, with its decisions. */
export const assumed = (...decisions: string[]) => ({ basis: 'assumed', decisions }) as const

/** Members of a check that only reports what it sees, as the document leaves it open. */
export const OBSERVING = { basis: 'assumed', observes: true } as const

// biome-ignore lint/suspicious/noConfusingVoidType: most checks return nothing at all
type Observation = string | { cells: readonly GridCell[] } | void

/** A short sequence of calls that yields the evidence for its checks; `Context` is what the calls may use. */
export type CheckScenario<Context, Step extends string = string> = {
  name: string
  tier: Tier
  needs?: readonly string[]
  /** Makes the calls that the chosen checks need and keeps each exchange under the name of its step. */
  play(context: Context, keep: KeepStep<Step>, chosen: ReadonlySet<string>): Promise<unknown>
  checks: readonly Check<Step>[]
}

/** Result of one check in a run. */
export type CheckResult = Pick<Check, 'id' | 'clause' | 'title'> & {
  journey: string
  verdict: Verdict
  /** What a known failure would be without its line in the profile. */
  knownAs?: 'fail' | 'differs'
  reason?: string
  /** Profile line for want of which the check is untestable, or its control is. */
  line?: string
  expected?: string
  got?: string
  exchange?: Exchange
  control?: { id: string; exchange?: Exchange }
  /** When its evidence can be had, where the run has only begun it. */
  waits?: OpenWait
  /** Cells of a check that is the row of a grid. */
  cells?: readonly GridCell[]
  durationMs: number
}

/**
 * Judged cell of a row in a grid of checks: its column, such as an operation, the clause that it rests on, and its
 * verdict.
 */
export type GridCell = {
  column: string
  verdict: Verdict
  clause?: string
  reason?: string
  expected?: string
  got?: string
}

/** Verdicts of a check, worst first. */
export const VERDICTS = [
  'fail',
  'harness error',
  'stale',
  'known',
  'differs',
  'blocked',
  'untestable',
  'inconclusive',
  'withheld',
  'not applicable',
  'observed',
  'pass',
] as const
export type Verdict = (typeof VERDICTS)[number]
