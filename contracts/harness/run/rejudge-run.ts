import type { Check, CheckResult, CheckScenario, Tier } from '../judge/check.ts'
import type { KeepStep } from '../judge/scenario-evidence.ts'
import { Untestable } from '../judge/verdict-errors.ts'
import type { Profile } from '../profile/profile.ts'
import { runScenarios } from './run-scenarios.ts'
import { fromRecordedExchange, type RecordedScenario, restoreFailure, type Transcript } from './transcript.ts'

type RejudgeOptions = {
  scenarios: readonly CheckScenario<never>[]
  profile: Profile
  tier: Tier
  chosen: ReadonlySet<string>
  transcript: Transcript
}

/**
 * Judges a recorded run again from its transcript, without any call: checks see only evidence. A scenario that the run
 * did not include, as with another profile, leaves its checks untestable.
 */
export const rejudgeRun = ({ scenarios, transcript, ...options }: RejudgeOptions): Promise<CheckResult[]> => {
  const exchanges = transcript.exchanges.map(fromRecordedExchange)
  const played = new Map(transcript.journeys.map(journey => [journey.name, journey]))
  const seen: (typeof exchanges)[number][] = []
  const recorded = scenarios.map(
    ({ name, tier, needs, checks }): CheckScenario<undefined> => ({
      name,
      tier,
      ...(needs && { needs }),
      checks: checks.map(check => (played.get(name)?.asked.includes(check.id) ? check : unasked(check))),
      play: async (_context, keep) => {
        const journey = played.get(name)
        if (!journey) return
        seen.push(...exchanges.slice(seen.length, journey.seen))
        await replayRecorded(journey, exchanges, keep)
      },
    }),
  )
  return runScenarios({ ...options, scenarios: recorded, context: undefined, transcript: seen })
}

/** Replays the recorded steps of a scenario into its evidence, and ends as it ended. */
export const replayRecorded = async (
  { steps, stopped }: RecordedScenario,
  exchanges: Parameters<typeof restoreFailure>[1],
  keep: KeepStep<string>,
): Promise<void> => {
  for (const [step, kept] of Object.entries(steps)) {
    const exchange = typeof kept === 'number' ? exchanges[kept] : undefined
    const failure =
      typeof kept === 'number' ? new Untestable('the transcript lacks this exchange') : restoreFailure(kept, exchanges)
    await keep(step, exchange ? Promise.resolve(exchange) : Promise.reject(failure)).catch(() => undefined)
  }
  if (stopped) throw restoreFailure(stopped, exchanges)
}

const unasked = (check: Check): Check => ({
  ...check,
  judge: () => {
    throw new Untestable('the recorded run made no call for it: run it again')
  },
})
