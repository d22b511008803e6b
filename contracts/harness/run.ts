import { setTimeout as pause } from 'node:timers/promises'
import { CallError, NoAnswer } from '../client/call-error.ts'
import type { Exchange } from '../client/exchange.ts'
import { lackedBy } from './capabilities.ts'
import type { Check, Journey, Result, Tier, Verdict } from './check.ts'
import { createEvidence, type Evidence, type Kept } from './evidence.ts'
import { createExpect } from './expect.ts'
import { notUnderstood } from './footing.ts'
import { neighbourOf } from './neighbour.ts'
import type { Profile } from './profile.ts'
import { Blocked, Inconclusive, Mismatch, Open } from './signals.ts'
import { firstOpen } from './slots.ts'
import type { Stop } from './stop.ts'

export type RunOptions<World> = {
  journeys: readonly Journey<World>[]
  profile: Profile
  world: World
  tier: Tier
  chosen: ReadonlySet<string>
  /** Grows with every exchange that the world makes. */
  transcript?: readonly Exchange[]
  /** Ends the run before its last check; what was not judged by then is inconclusive. */
  stop?: Stop
  onResult?(result: Result): void
  /** Told of a journey that is about to be played, and of what it kept. */
  onJourney?(name: string): void
  onPlayed?(played: Played): void
}

/** What a journey left for the checks that asked for it; `seen` exchanges of the whole run had been made by then. */
export type Played = {
  name: string
  asked: ReadonlySet<string>
  steps: ReadonlyMap<string, Kept>
  stopped: unknown
  seen: number
}

/** Plays the journeys in their order and judges each chosen check exactly once. */
export const run = async <World>(options: RunOptions<World>): Promise<Result[]> => {
  const results = new Map<string, Result>()
  const lookedAt = new Map<string, readonly Exchange[]>()
  for (const journey of options.journeys) {
    const checks = journey.checks.filter(({ id }) => options.chosen.has(id))
    const judge = await playFor(journey, checks, results, options)
    for (const check of checks) {
      const { looked = [], ...judged } = beforehand(journey, check, results, options) ?? (await judge(check))
      const outcome = expected(check, judged, options)
      lookedAt.set(check.id, looked)
      const neighbour = neighbourIn(outcome, lookedAt.get(check.control ?? ''), options.transcript)
      const result = { ...told(journey, check, neighbour), durationMs: 0, ...outcome }
      results.set(check.id, result)
      options.onResult?.(result)
    }
  }
  return [...results.values()]
}

type Outcome = { verdict: Verdict } & Partial<Pick<Result, 'reason' | 'expected' | 'got' | 'exchange' | 'durationMs'>>
/** `looked` holds the exchanges that a check asked for, in order. */
type Judged = Outcome & { looked?: readonly Exchange[] }

/** What stands beside an exchange; a pass needs no more than its control's last. */
const neighbourIn = (
  { exchange, expected }: Outcome,
  ofControl: readonly Exchange[] = [],
  transcript: readonly Exchange[] = [],
): Exchange | undefined =>
  exchange && expected !== undefined ? neighbourOf(exchange, ofControl, transcript) : ofControl.at(-1)

const told = ({ name }: { name: string }, check: Check, exchange: Exchange | undefined) => {
  const { id, clause, title, control } = check
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
): Promise<(check: Check) => Promise<Judged>> => {
  const playable = checks.filter(check => !beforehand(journey, check, results, options))
  const evidence = createEvidence<string>(options.transcript)
  const chosen = new Set(playable.map(({ id }) => id))
  if (chosen.size > 0) await play(journey, chosen, evidence, options)
  return check => judge(check, evidence, options.profile)
}

/** Nothing that a play waits for keeps a run alive that is to end. */
const play = async <World>(
  journey: Journey<World>,
  chosen: ReadonlySet<string>,
  evidence: ReturnType<typeof createEvidence<string>>,
  { world, stop, transcript = [], onJourney, onPlayed }: RunOptions<World>,
): Promise<void> => {
  onJourney?.(journey.name)
  try {
    stop?.throwIfStopped()
    const playing = journey.play(world, evidence.keep, chosen)
    await (stop ? Promise.race([playing, stop.told.then(() => drained(playing, stop))]) : playing)
  } catch (why) {
    evidence.stop(why)
  }
  onPlayed?.({ name: journey.name, asked: chosen, ...evidence.kept(), seen: transcript.length })
}

const DRAIN_MS = 2_000

/** Calls under way may come to their end, for a short while. */
const drained = async (playing: Promise<unknown>, stop: Stop): Promise<void> => {
  playing.catch(() => undefined)
  await Promise.race([playing.catch(() => undefined), pause(DRAIN_MS, undefined, { ref: false })])
  stop.throwIfStopped()
}

/** A verdict that needs no evidence, if there is one. */
const beforehand = <World>(
  journey: Journey<World>,
  check: Check,
  results: ReadonlyMap<string, Result>,
  { profile, tier }: RunOptions<World>,
): Judged | undefined => {
  const exempt = profile.notApplicable?.[check.id] ?? lackedBy(profile, check.id) ?? check.exempt?.(profile)
  if (exempt) return { verdict: 'not applicable', reason: exempt }
  const wanted = check.tier ?? journey.tier
  if (wanted > tier) return { verdict: 'withheld', reason: `tier ${wanted}, and this run goes to tier ${tier}` }
  const open = firstOpen(profile, [...(journey.needs ?? []), ...(check.needs ?? [])])
  if (open) return { verdict: 'untestable', reason: open }
  const control = check.control === undefined ? undefined : results.get(check.control)
  if (control && !holds(control, profile))
    return { verdict: 'blocked', reason: `its control ${control.id} did not pass: ${control.verdict}` }
}

/** A failure that is listed and did not come is as good as any pass to those who build on it, as is what was scouted. */
const holds = ({ id, verdict }: Result, profile: Profile): boolean =>
  verdict === 'pass' || verdict === 'stale' || (verdict === 'observed' && scoutedBy(profile, id) !== undefined)

/** The line of the profile that the very evidence of a check has filled: it cannot confirm itself. */
const scoutedBy = ({ scouted = {} }: Profile, id: string): string | undefined =>
  Object.keys(scouted).find(line => scouted[line]?.includes(id))

/** A failure that the profile lists is known as long as it is seen, and stale when it is not (5). */
const expected = <World>({ id }: Check, outcome: Outcome, { profile }: RunOptions<World>): Outcome => {
  const known = profile.knownFailures?.[id]
  const line = scoutedBy(profile, id)
  if (line !== undefined && outcome.verdict === 'pass') {
    const reason = `such a call filled ${line}: look at the line yourself, then take it out of scouted in ${profile.file}`
    return { ...outcome, verdict: 'observed', reason }
  }
  if (known === undefined) return outcome
  if (outcome.verdict === 'fail' || outcome.verdict === 'differs')
    return { ...outcome, verdict: 'known', reason: known }
  const reason = `it holds now: take it out of knownFailures in ${profile.file}, where it says "${known}"`
  return outcome.verdict === 'pass' ? { ...outcome, verdict: 'stale', reason } : outcome
}

const judge = async (check: Check, evidence: Evidence<string>, profile: Profile): Promise<Judged> => {
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
  return { looked: [...seen], durationMs: timeOf(seen), ...(last && { exchange: last }), ...outcome }
}

/** A check takes as long as the calls that it looked at. */
const timeOf = (exchanges: ReadonlySet<Exchange>): number =>
  [...exchanges].reduce((sum, { durationMs }) => sum + durationMs, 0)

const attempt = async (check: Check, evidence: Evidence<string>, profile: Profile): Promise<Outcome> => {
  try {
    const saw = await check.judge(evidence, createExpect(profile, check))
    return check.observes ? { verdict: 'observed', reason: saw ?? 'nothing to tell' } : { verdict: 'pass' }
  } catch (error) {
    return outcomeOf(error, check, profile, evidence.transcript)
  }
}

const outcomeOf = (error: unknown, check: Check, profile: Profile, transcript: readonly Exchange[]): Outcome => {
  const exchange = (error as { exchange?: Result['exchange'] }).exchange
  const shown = exchange ? { exchange } : {}
  if (error instanceof Mismatch) {
    const { expected, got } = error
    const excuse = notUnderstood(profile, exchange, transcript)
    if (excuse) return { verdict: 'untestable', reason: excuse, expected, got, ...shown }
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
