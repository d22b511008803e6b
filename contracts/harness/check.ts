import type { Exchange } from '../client/exchange.ts'
import type { Evidence, Keep } from './evidence.ts'
import type { Expect } from './expect.ts'
import type { Profile } from './profile.ts'

/**
 * How far a check goes: 0 only TLS, 1 only reads, 2 writes that must be refused, 3 writes in a sandbox,
 * 4 the provider's own sandbox, 5 disturbing.
 */
export const TIERS = [0, 1, 2, 3, 4, 5] as const
export type Tier = (typeof TIERS)[number]

/** One judgment with one stable id, the same for pass and fail. It sees evidence only, never the service. */
export type Check<Step extends string = string> = {
  id: string
  /** Section or rule of the interface document. */
  clause: string
  title: string
  tier?: Tier
  /** An assumed check rests on a reading of ours: it names the decisions, or it only observes. */
  basis?: 'assumed'
  decisions?: readonly string[]
  observes?: true
  /** Of a negative check: the check of the same call done right. Where that one did not pass, this one is blocked. */
  control?: string
  /** Lines of the profile without which the check is untestable, such as `fields.status.state`. */
  needs?: readonly string[]
  /** Why this deployment is not to be judged by this check, if so. */
  exempt?(profile: Profile): string | undefined
  /** Returns for a pass, throws by `expect` for all else; a text returned is what an observing check saw. */
  judge(evidence: Evidence<Step>, expect: Expect): Saw | Promise<Saw>
}

// biome-ignore lint/suspicious/noConfusingVoidType: most checks return nothing at all
export type Saw = string | void

/** A short play of calls that yields the evidence for its checks. `World` is what plays may use. */
export type Journey<World, Step extends string = string> = {
  name: string
  tier: Tier
  needs?: readonly string[]
  /** Makes the calls that the chosen checks need, and keeps each exchange under the name of its step. */
  play(world: World, keep: Keep<Step>, chosen: ReadonlySet<string>): Promise<unknown>
  checks: readonly Check<Step>[]
}

/** What became of a check. */
export type Result = Pick<Check, 'id' | 'clause' | 'title'> & {
  journey: string
  verdict: Verdict
  reason?: string
  expected?: string
  got?: string
  exchange?: Exchange
  control?: { id: string; exchange?: Exchange }
  durationMs: number
}

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
