import { setTimeout as pause } from 'node:timers/promises'
import type { Exchange } from '../../client/http-exchange.ts'
import type { Check, CheckResult, CheckScenario, Tier } from '../judge/check.ts'
import { findComparableExchange } from '../judge/find-comparable-exchange.ts'
import {
  applyProfile,
  type EvidencedJudgment,
  type Judgment,
  judgeCheck,
  judgeWithoutEvidence,
} from '../judge/judge-check.ts'
import { createEvidence, type StepOutcome } from '../judge/scenario-evidence.ts'
import { controlIdFor } from '../profile/capabilities-that-checks-need.ts'
import type { Profile } from '../profile/profile.ts'
import type { StopSignal } from './stop-signal.ts'

/** Options of a run: its scenarios, profile, tier and chosen checks, and its callbacks. */
type RunOptions<Context> = {
  scenarios: readonly CheckScenario<Context>[]
  profile: Profile
  context: Context
  tier: Tier
  chosen: ReadonlySet<string>
  /** Exchanges of the run so far; grows with every call. */
  transcript?: readonly Exchange[]
  /** Ends the run early; checks that are not judged by then are inconclusive. */
  stop?: StopSignal
  onResult?(result: CheckResult): void
  /** Called before a scenario runs, and `onScenarioEnd` after it with what it recorded. */
  onScenarioStart?(name: string): void
  onScenarioEnd?(played: ScenarioRun): void
}

/** The options of a run that concern the calls of one scenario. */
type PlayOptions<Context> = Pick<
  RunOptions<Context>,
  'context' | 'stop' | 'transcript' | 'onScenarioStart' | 'onScenarioEnd'
>

/** A played scenario: what it recorded for its checks; `seen` is the number of exchanges of the whole run by then. */
export type ScenarioRun = {
  name: string
  asked: ReadonlySet<string>
  steps: ReadonlyMap<string, StepOutcome>
  stopped: unknown
  seen: number
}

/** Runs the scenarios in order and judges each chosen check exactly once. */
export const runScenarios = async <Context>(options: RunOptions<Context>): Promise<CheckResult[]> => {
  const results = new Map<string, CheckResult>()
  const lookedAt = new Map<string, readonly Exchange[]>()
  for (const scenario of options.scenarios) {
    const checks = scenario.checks.filter(({ id }) => options.chosen.has(id))
    const judge = await prepareJudge(scenario, checks, results, options)
    for (const check of checks) {
      const { looked = [], ...judged } = judgeWithoutEvidence(scenario, check, results, options) ?? (await judge(check))
      const outcome = applyProfile(check, judged, options.profile)
      lookedAt.set(check.id, looked)
      const control = controlIdFor(options.profile, check.control)
      const reference = referenceIn(outcome, lookedAt.get(control ?? ''), options.transcript)
      const result = {
        ...resultHead(scenario, { ...check, ...(control && { control }) }, reference),
        durationMs: 0,
        ...outcome,
      }
      results.set(check.id, result)
      options.onResult?.(result)
    }
  }
  return [...results.values()]
}

/** Finds the exchange to show beside a judged one; for a pass the last one of its control. */
const referenceIn = (
  { exchange, expected }: Judgment,
  ofControl: readonly Exchange[] = [],
  transcript: readonly Exchange[] = [],
): Exchange | undefined =>
  exchange && expected !== undefined ? findComparableExchange(exchange, ofControl, transcript) : ofControl.at(-1)

const resultHead = ({ name }: { name: string }, check: Check, exchange: Exchange | undefined) => {
  const { id, clause, title, control } = check
  return {
    id,
    clause,
    title,
    journey: name,
    ...(control === undefined ? {} : { control: { id: control, ...(exchange && { exchange }) } }),
  }
}

/** Runs a scenario, unless no check can still be judged by it, and returns the judge of its checks. */
const prepareJudge = async <Context>(
  scenario: CheckScenario<Context>,
  checks: readonly Check[],
  results: ReadonlyMap<string, CheckResult>,
  options: RunOptions<Context>,
): Promise<(check: Check) => Promise<EvidencedJudgment>> => {
  const playable = checks.filter(check => !judgeWithoutEvidence(scenario, check, results, options))
  const evidence = createEvidence<string>(options.transcript)
  const chosen = new Set(playable.map(({ id }) => id))
  if (chosen.size > 0) await playScenario(scenario, chosen, evidence, options)
  return check => judgeCheck(check, evidence, options.profile)
}

/** Plays one scenario for the chosen checks; stops waiting for it soon after the run is stopped and its calls have ended. */
export const playScenario = async <Context>(
  scenario: CheckScenario<Context>,
  chosen: ReadonlySet<string>,
  evidence: ReturnType<typeof createEvidence<string>>,
  { context, stop, transcript = [], onScenarioStart, onScenarioEnd }: PlayOptions<Context>,
): Promise<void> => {
  onScenarioStart?.(scenario.name)
  try {
    stop?.throwIfStopped()
    const playing = scenario.play(context, evidence.keep, chosen)
    await (stop ? Promise.race([playing, stop.stopped.then(() => afterDrain(playing, stop))]) : playing)
  } catch (why) {
    evidence.stop(why)
  }
  onScenarioEnd?.({ name: scenario.name, asked: chosen, ...evidence.recorded(), seen: transcript.length })
}

const DRAIN_MS = 2_000

/** Lets calls in progress end, and the scenario soon after them, then throws the cause of the stop. */
const afterDrain = async (playing: Promise<unknown>, stop: StopSignal): Promise<void> => {
  playing.catch(() => undefined)
  const over = stop.callsEnded().then(() => pause(DRAIN_MS, undefined, { ref: false }))
  await Promise.race([playing.catch(() => undefined), over])
  stop.throwIfStopped()
}
