import { nowText } from '../client/real-time.ts'
import { createRedactor } from '../client/redact.ts'
import type { Result } from '../harness/check.ts'
import { createGuard } from '../harness/guard.ts'
import { createLedger } from '../harness/ledger.ts'
import { leftovers, spent } from '../harness/leftovers.ts'
import { createRecorder, type Transcript } from '../harness/recording.ts'
import { hideSecrets, layersOffIn, type Report } from '../harness/report.ts'
import { run } from '../harness/run.ts'
import { createStop, type Stop } from '../harness/stop.ts'
import { suiteOf } from '../harness/suite.ts'
import { summarize } from '../harness/summary.ts'
import { Unreachable } from '../harness/unreachable.ts'
import { JOURNEYS } from '../suites/all.ts'
import { createWorld, type World } from '../suites/world.ts'
import { noting } from './noting.ts'
import { REGISTRY, type Target } from './target.ts'
import { tidyUp } from './tidy-up.ts'

/** Who nobody stops is ended by the clock. */
const USUAL_SECONDS = 900

export type Measured = { report: Report; transcript: Transcript; left: ReturnType<typeof leftovers> }

export type Watch = {
  stop?: Stop
  ledgerFile?: string
  /** Somebody is there. */
  onStart?(): void
  onResult?(result: Result): void
  onJourney?(name: string): void
}

/** Judges a deployment: plays, judges, cleans up, and hands back what was seen with its secrets hidden. */
export const measure = async (target: Target, watch: Watch = {}): Promise<Measured> => {
  const { profile, tier, chosen } = target
  const stop = watch.stop ?? createStop()
  const ledger = createLedger(watch.ledgerFile)
  const guard = createGuard(profile, { stop, ledger, paced: tier < 5 })
  const world = createWorld(profile, tier, { transport: guard.over, operator: noting(ledger) })
  const seconds = profile.budgets?.seconds ?? USUAL_SECONDS
  const alarm = setTimeout(
    () => stop.stop({ reason: `budgets.seconds of the profile is spent: ${seconds}` }),
    seconds * 1000,
  )
  const startedAt = nowText()
  try {
    await mustBeThere(target, world)
    watch.onStart?.()
    const recorder = createRecorder(world.transcript)
    const results = await run({
      journeys: JOURNEYS,
      profile,
      world,
      tier,
      chosen,
      stop,
      ...listening(world, recorder, watch),
    })
    await tidyUp(world, ledger)
    const redactor = createRedactor()
    const transcript = recorder.transcript(redactor)
    const cause = stop.cause
    const report: Report = {
      ...frameOf(target),
      startedAt,
      endedAt: nowText(),
      spent: { calls: guard.made.calls, ...spent(ledger.lines) },
      ...(cause && { stopped: cause }),
      ...layersOffIn(results),
      summary: summarize(results, REGISTRY.size, cause),
      checks: hideSecrets(results, redactor),
    }
    return { report, transcript, left: leftovers(ledger.lines) }
  } finally {
    clearTimeout(alarm)
    world.close()
  }
}

const listening = (world: World, { onPlayed }: ReturnType<typeof createRecorder>, { onResult, onJourney }: Watch) => ({
  transcript: world.transcript,
  onPlayed,
  ...(onResult && { onResult }),
  ...(onJourney && { onJourney }),
})

/** What a report says of what was to be judged. */
export const frameOf = ({ profile, tier, only }: Target) => ({
  format: 1 as const,
  suite: suiteOf(JOURNEYS),
  profile: { name: profile.name, file: profile.file },
  target: profile.target,
  ...(profile.dialect && { dialect: profile.dialect }),
  tier,
  only,
})

/** One call tells whether anybody is there; what it answers does not matter yet. */
const mustBeThere = async ({ profile }: Target, { merchant }: World): Promise<void> => {
  const { fault } = await merchant.request('keySet')
  if (!fault) return
  const { baseUrl } = profile.target
  throw new Unreachable(
    `${baseUrl} cannot be reached (${fault.code}: ${fault.message}): is it running, and is the CA of the kit its own?`,
  )
}
