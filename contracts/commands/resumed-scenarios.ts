import type { Exchange } from '../client/http-exchange.ts'
import type { CheckResult, CheckScenario } from '../harness/judge/check.ts'
import { judgeAsBefore } from '../harness/judge/reuse-earlier-check-result.ts'
import type { KeepStep } from '../harness/judge/scenario-evidence.ts'
import { replayRecorded } from '../harness/run/rejudge-run.ts'
import type { ScenarioRun } from '../harness/run/run-scenarios.ts'
import type { Transcript } from '../harness/run/transcript.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import { CHECK_SCENARIOS } from '../suites/index.ts'
import type { CallList } from './resumed-call-list.ts'

type ResumedParts = {
  transcript: Transcript
  exchanges: readonly Exchange[]
  played: ReadonlyMap<string, ScenarioRun>
  kept: ReadonlyMap<string, CheckResult>
  calls: CallList
}

/**
 * Returns all scenarios of a resumed run, to judge it as a whole: those just played on, those of the transcript, and
 * real calls for one that was blocked until now. `seen` grows as the transcript did, `live` are the last named.
 */
export const toResumedScenarios = ({ transcript, exchanges, played, kept, calls }: ResumedParts) => {
  const recorded = new Map(transcript.journeys.map(journey => [journey.name, journey]))
  const seen: Exchange[] = []
  const live = new Set<string>()
  const see = (count: number): void => void seen.push(...calls.list.slice(seen.length, count))
  const scenarios = CHECK_SCENARIOS.map((scenario): CheckScenario<CheckContext> => {
    const { name, checks } = scenario
    return {
      ...scenario,
      checks: checks.map(check => {
        const result = played.has(name) ? undefined : kept.get(check.id)
        return result ? judgeAsBefore(check, result) : check
      }),
      play: async (context, keep, chosen) => {
        const [run, journey] = [played.get(name), recorded.get(name)]
        if (run) {
          see(calls.list.length)
          return replayPlayed(run, keep)
        }
        if (journey && [...chosen].every(id => journey.asked.includes(id))) {
          see(journey.seen)
          return replayRecorded(journey, exchanges, keep)
        }
        live.add(name)
        try {
          await scenario.play(context, keep, chosen)
        } finally {
          calls.take(context)
          see(calls.list.length)
        }
      },
    }
  })
  return { scenarios, seen: seen as readonly Exchange[], live: live as ReadonlySet<string> }
}

const replayPlayed = async ({ steps, stopped }: ScenarioRun, keep: KeepStep<string>): Promise<void> => {
  for (const [step, kept] of steps)
    await keep(step, 'exchange' in kept ? Promise.resolve(kept.exchange) : Promise.reject(kept.failure)).catch(
      () => undefined,
    )
  if (stopped) throw stopped
}
