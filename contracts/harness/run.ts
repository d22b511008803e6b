import { CallError, NoAnswer } from '../client/call-error.ts'
import type { Exchange } from '../client/exchange.ts'
import type { Check, Journey, Result, Tier, Verdict } from './check.ts'
import { createEvidence, type Evidence } from './evidence.ts'
import { createExpect } from './expect.ts'
import type { Profile } from './profile.ts'
import { Blocked, Inconclusive, Mismatch, Open } from './signals.ts'
import { firstOpen } from './slots.ts'

export type RunOptions<World> = {
  journeys: readonly Journey<World>[]
  profile: Profile
  world: World
  tier: Tier
  chosen: ReadonlySet<string>
  /** Grows with every exchange that the world makes. */
  transcript?: readonly Exchange[]
  onResult?(result: Result): void
}

/** Plays the journeys in their order and judges each chosen check exactly once. */
export const run = async <World>(options: RunOptions<World>): Promise<Result[]> => {
  const results = new Map<string, Result>()
  for (const journey of options.journeys) {
    const checks = journey.checks.filter(({ id }) => options.chosen.has(id))
    const judge = await playFor(journey, checks, results, options)
    for (const check of checks) {
      const outcome = beforehand(journey, check, results, options) ?? (await judge(check))
      const result = { ...told(journey, check, results), durationMs: 0, ...outcome }
      results.set(check.id, result)
      options.onResult?.(result)
    }
  }
  return [...results.values()]
}

type Outcome = { verdict: Verdict } & Partial<Pick<Result, 'reason' | 'expected' | 'got' | 'exchange' | 'durationMs'>>

const told = ({ name }: { name: string }, check: Check, results: ReadonlyMap<string, Result>) => {
  const { id, clause, title, control } = check
  const exchange = control === undefined ? undefined : results.get(control)?.exchange
  return {
    id,
    clause,
    title,
    journey: name,
    ...(control === undefined ? {} : { control: { id: control, ...(exchange && { exchange }) } }),
  }
}

/** The calls are made only when at least one check can still be judged by them. */
const playFor = async <World>(
  journey: Journey<World>,
  checks: readonly Check[],
  results: ReadonlyMap<string, Result>,
  options: RunOptions<World>,
): Promise<(check: Check) => Promise<Outcome>> => {
  const playable = checks.filter(check => !beforehand(journey, check, results, options))
  const evidence = createEvidence<string>(options.transcript)
  const chosen = new Set(playable.map(({ id }) => id))
  if (chosen.size > 0) await journey.play(options.world, evidence.keep, chosen).catch(evidence.stop)
  return check => judge(check, evidence, options.profile)
}

/** A verdict that needs no evidence, if there is one. */
const beforehand = <World>(
  journey: Journey<World>,
  check: Check,
  results: ReadonlyMap<string, Result>,
  { profile, tier }: RunOptions<World>,
): Outcome | undefined => {
  const exempt = profile.notApplicable?.[check.id] ?? check.exempt?.(profile)
  if (exempt) return { verdict: 'not applicable', reason: exempt }
  const wanted = check.tier ?? journey.tier
  if (wanted > tier) return { verdict: 'withheld', reason: `tier ${wanted}, and this run goes to tier ${tier}` }
  const open = firstOpen(profile, [...(journey.needs ?? []), ...(check.needs ?? [])])
  if (open) return { verdict: 'untestable', reason: open }
  const control = check.control === undefined ? undefined : results.get(check.control)
  if (control && control.verdict !== 'pass')
    return { verdict: 'blocked', reason: `its control ${control.id} did not pass: ${control.verdict}` }
}

const judge = async (check: Check, evidence: Evidence<string>, profile: Profile): Promise<Outcome> => {
  const seen = new Set<Exchange>()
  const watched = {
    transcript: evidence.transcript,
    of: (step: string) => {
      const exchange = evidence.of(step)
      seen.add(exchange)
      return exchange
    },
  }
  const outcome = await attempt(check, watched, profile)
  const last = [...seen].at(-1)
  return { durationMs: timeOf(seen), ...(last && { exchange: last }), ...outcome }
}

/** A check takes as long as the calls that it looked at. */
const timeOf = (exchanges: ReadonlySet<Exchange>): number =>
  [...exchanges].reduce((sum, { durationMs }) => sum + durationMs, 0)

const attempt = async (check: Check, evidence: Evidence<string>, profile: Profile): Promise<Outcome> => {
  try {
    const saw = await check.judge(evidence, createExpect(profile, check))
    return check.observes ? { verdict: 'observed', reason: saw ?? 'nothing to tell' } : { verdict: 'pass' }
  } catch (error) {
    return outcomeOf(error, check, profile)
  }
}

const outcomeOf = (error: unknown, check: Check, profile: Profile): Outcome => {
  const exchange = (error as { exchange?: Result['exchange'] }).exchange
  const shown = exchange ? { exchange } : {}
  if (error instanceof Mismatch) {
    const { expected, got } = error
    const guesses = unconfirmed(check, profile)
    if (check.observes) return { verdict: 'observed', reason: `${got}, not ${expected}`, ...shown }
    if (guesses.length === 0) return { verdict: 'fail', expected, got, ...shown }
    const reason = `leans on ${guesses.join(', ')}, which ${profile.file} does not confirm`
    return { verdict: 'differs', reason, expected, got, ...shown }
  }
  const reason = error instanceof Error ? error.message : String(error)
  if (error instanceof Open) return { verdict: 'untestable', reason, ...shown }
  if (error instanceof Inconclusive || error instanceof NoAnswer) return { verdict: 'inconclusive', reason, ...shown }
  if (error instanceof Blocked || error instanceof CallError) return { verdict: 'blocked', reason, ...shown }
  const where = error instanceof Error ? (error.stack?.split('\n')[1]?.trim() ?? '') : ''
  return { verdict: 'harness error', reason: `${reason} (${where})`, ...shown }
}

const unconfirmed = ({ decisions = [] }: Check, { confirmed = [] }: Profile): readonly string[] =>
  confirmed === 'all' ? [] : decisions.filter(decision => !confirmed.includes(decision))
