import type { Exchange } from '../client/http-exchange.ts'
import { realTime, sleep } from '../client/wall-clock.ts'
import type { CheckScenario } from '../harness/judge/check.ts'
import { createEvidence } from '../harness/judge/scenario-evidence.ts'
import { StillWaiting } from '../harness/judge/verdict-errors.ts'
import { type PendingScenario, resumableFrom } from '../harness/run/pending-run.ts'
import type { ScenarioPlayer } from '../harness/run/resumable-scenario-player.ts'
import { playScenario, type ScenarioRun } from '../harness/run/run-scenarios.ts'
import type { StopSignal } from '../harness/run/stop-signal.ts'
import type { CheckContext } from '../suites/context/check-context.ts'
import { soonest } from './save-paused-scenarios.ts'

type PlayOnOptions = {
  scenarios: readonly CheckScenario<CheckContext>[]
  pending: readonly PendingScenario[]
  player: ScenarioPlayer
  stop: StopSignal
  /** Begins the time limit of a scenario, which does not count what is slept before; returns what ends it. */
  limit(): () => void
  /** Calls of the whole run so far. */
  calls: readonly Exchange[]
  /** Creates the context of a scenario that found these shared payments. */
  createContext(given: PendingScenario['given']): CheckContext
  /** Takes over the calls of a context that is closed. */
  takeCalls(context: CheckContext): void
}

/**
 * Plays on the paused scenarios whose wait is over, or will be before a run would sleep no longer: each from its
 * beginning, by its log. One that waits again gives way to the others, so that none is late. Returns what was played
 * and what waits.
 */
export const playOn = async (
  options: PlayOnOptions,
): Promise<{ played: ReadonlyMap<string, ScenarioRun>; waiting: readonly PendingScenario[] }> => {
  const { pending, stop } = options
  const waiting = new Map(pending.map(scenario => [scenario.name, scenario]))
  const played = new Map<string, ScenarioRun>()
  for (;;) {
    const next = soonest([...waiting.values()])
    if (!next || resumableFrom(next.wait) > realTime()) break
    await sleepUntil(Date.parse(next.wait.from), stop)
    if (stop.cause) break
    const run = await playAgain(next, options)
    if (stop.cause) break
    if (run) played.set(next.name, run)
    if (run?.stopped instanceof StillWaiting) waiting.set(next.name, { ...next, wait: run.stopped.wait })
    else waiting.delete(next.name)
  }
  return { played, waiting: [...waiting.values()] }
}

const sleepUntil = async (at: number, { stopped }: StopSignal): Promise<void> => {
  const over = new AbortController()
  const left = at - realTime()
  if (left > 0) await Promise.race([sleep(left, over.signal).catch(() => undefined), stopped])
  over.abort()
}

const playAgain = async (
  { name, asked, given, log }: PendingScenario,
  { scenarios, player, stop, limit, calls, createContext, takeCalls }: PlayOnOptions,
): Promise<ScenarioRun | undefined> => {
  const scenario = scenarios.find(each => each.name === name)
  if (!scenario) return undefined
  const context = createContext(given)
  let run: ScenarioRun | undefined
  const endLimit = limit()
  player.start({ longest: 0, canPause: true }, log)
  try {
    await playScenario(scenario, new Set(asked), createEvidence<string>(calls), {
      context,
      stop,
      transcript: calls,
      onScenarioEnd: ended => {
        run = ended
      },
    })
  } finally {
    endLimit()
    takeCalls(context)
    context.close()
  }
  return run
}
