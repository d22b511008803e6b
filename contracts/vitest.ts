import { frameOf, measure } from './commands/measure.ts'
import { REGISTRY, type Target } from './commands/target.ts'
import type { Result, Verdict } from './harness/check.ts'
import { type Profile, readProfile } from './harness/profile.ts'
import { choose } from './harness/registry.ts'
import { memberText } from './harness/report-text.ts'
import { tierFor } from './harness/tier.ts'
import { JOURNEYS } from './suites/all.ts'
import { once } from './suites/player.ts'

/** What a test runner hands to a test; vitest and node:test both have it. */
type Context = { skip(note?: string): unknown }

export type CertifyWith = {
  /** A profile, or the file that holds one. */
  profile: string | Profile
  /** Checks or sections, such as IDM-15 or SIG; all where left out. */
  only?: readonly string[]
  tier?: 0 | 1 | 2 | 3 | 4 | 5
  /** Milliseconds that a check may wait for the journey whose evidence it judges. */
  timeout?: number
  describe(name: string, members: () => void): unknown
  it(name: string, test: (context: Context) => Promise<void>, timeout: number): unknown
}

/** What becomes of a test; whatever is not in here is a failure. */
const FINE: readonly Verdict[] = ['pass', 'observed']
const SKIPPED: readonly Verdict[] = ['untestable', 'withheld', 'not applicable', 'blocked', 'differs', 'known']

const LONG_ENOUGH = 120_000

/**
 * The checks as tests of somebody's own runner: a group for each journey, a test for each check. The calls are made once,
 * by whichever test comes first; a check that nobody could judge is skipped and says why.
 */
export const certifyWith = ({
  profile: given,
  only = [],
  tier,
  timeout = LONG_ENOUGH,
  describe,
  it,
}: CertifyWith): void => {
  const profile = typeof given === 'string' ? readProfile(given) : given
  const chosen = choose(REGISTRY, only)
  const target = { profile, only, chosen, tier: tierFor(profile, tier === undefined ? undefined : String(tier)) }
  const resultOf = playing(target)
  for (const { name, checks } of JOURNEYS) {
    const members = checks.filter(({ id }) => chosen.has(id))
    if (members.length === 0) continue
    describe(name, () => {
      for (const { id, title } of members)
        it(`${id} ${title}`, async context => tell(await resultOf(id), target, context), timeout)
    })
  }
}

/** Begins the run when the first result is asked for; each check is told as soon as it is judged. */
const playing = (target: Target): ((id: string) => Promise<Result>) => {
  const waiting = new Map([...target.chosen].map(id => [id, Promise.withResolvers<Result>()]))
  const fail = (why: unknown): void => {
    for (const { reject } of waiting.values()) reject(why)
  }
  const run = once(() => measure(target, { onResult: result => waiting.get(result.id)?.resolve(result) }).catch(fail))
  for (const { promise } of waiting.values()) promise.catch(() => undefined)
  return id => {
    void run()
    return waiting.get(id)?.promise ?? Promise.reject(new Error(`${id} was not chosen.`))
  }
}

const tell = (result: Result, target: Target, context: Context): void => {
  const { verdict, reason, id } = result
  if (FINE.includes(verdict)) return
  if (SKIPPED.includes(verdict)) return void context.skip(`${verdict}: ${reason}`)
  const failure = new Error(`${verdict}\n${memberText(result, frameOf(target), true)}`)
  failure.name = id
  // Where this line stands says nothing: the text says it all.
  failure.stack = `${failure.name}: ${failure.message}`
  throw failure
}
