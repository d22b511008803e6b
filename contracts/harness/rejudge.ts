import type { Check, Journey, Result, Tier } from './check.ts'
import type { Keep } from './evidence.ts'
import type { Profile } from './profile.ts'
import { exchangeOfRecord, failureOf, type RecordedJourney, type Transcript } from './recording.ts'
import { run } from './run.ts'
import { Open } from './signals.ts'

type Rejudged = {
  journeys: readonly Journey<never>[]
  profile: Profile
  tier: Tier
  chosen: ReadonlySet<string>
  transcript: Transcript
}

/**
 * Judges a recorded run again, and calls nobody: checks see evidence only, so the evidence is all that it takes.
 * A journey that the run did not play, as with another profile, leaves its checks untestable.
 */
export const rejudge = ({ journeys, transcript, ...options }: Rejudged): Promise<Result[]> => {
  const exchanges = transcript.exchanges.map(exchangeOfRecord)
  const played = new Map(transcript.journeys.map(journey => [journey.name, journey]))
  const seen: (typeof exchanges)[number][] = []
  const recorded = journeys.map(
    ({ name, tier, needs, checks }): Journey<undefined> => ({
      name,
      tier,
      ...(needs && { needs }),
      checks: checks.map(check => (played.get(name)?.asked.includes(check.id) ? check : unasked(check))),
      play: async (_world, keep) => {
        const journey = played.get(name)
        if (!journey) return
        seen.push(...exchanges.slice(seen.length, journey.seen))
        await replay(journey, exchanges, keep)
      },
    }),
  )
  return run({ ...options, journeys: recorded, world: undefined, transcript: seen })
}

const replay = async (
  { steps, stopped }: RecordedJourney,
  exchanges: Parameters<typeof failureOf>[1],
  keep: Keep<string>,
): Promise<void> => {
  for (const [step, kept] of Object.entries(steps)) {
    const exchange = typeof kept === 'number' ? exchanges[kept] : undefined
    const failure =
      typeof kept === 'number' ? new Open('the transcript lacks this exchange') : failureOf(kept, exchanges)
    await keep(step, exchange ? Promise.resolve(exchange) : Promise.reject(failure)).catch(() => undefined)
  }
  if (stopped) throw failureOf(stopped, exchanges)
}

const unasked = (check: Check): Check => ({
  ...check,
  judge: () => {
    throw new Open('the recorded run made no call for it: run it again')
  },
})
