import { CHECK_REGISTRY, type RunTarget, refuseUnknownChecks } from './commands/chosen-profile-and-checks.ts'
import { createReportHead, judgeDeployment } from './commands/judge-deployment.ts'
import type { CheckResult, Verdict } from './harness/judge/check.ts'
import type { Profile } from './harness/profile/profile.ts'
import { readProfile } from './harness/profile/read-profile.ts'
import { checkResultText } from './harness/report/text-report.ts'
import { selectChecks } from './harness/run/check-registry.ts'
import { confirmHost, effectiveTier } from './harness/safety/production-limits.ts'
import { CHECK_SCENARIOS } from './suites/index.ts'

export { replaySequence } from './commands/replay-sequence.ts'

/** Context that a test runner passes to a test; vitest and node:test both have it. */
type Context = { skip(note?: string): unknown }

export type CertifyWith = {
  /** A profile, or the file that holds one. */
  profile: string | Profile
  /** Ids or sections of checks, such as IDM-15 or SIG; all where left out. */
  only?: readonly string[]
  tier?: 0 | 1 | 2 | 3 | 4 | 5
  /** The host of a production target, such as api.example.com, to confirm that it is meant; no other needs it. */
  confirmHost?: string
  /** Milliseconds that a test may wait for the scenario whose evidence it judges; 120,000 unless given. */
  timeout?: number
  describe(name: string, members: () => void): unknown
  it(name: string, test: (context: Context) => Promise<void>, timeout: number): unknown
}

/** Verdicts by which a test passes or is skipped; it fails by any other. */
const PASSED: readonly Verdict[] = ['pass', 'observed']
const SKIPPED: readonly Verdict[] = ['untestable', 'withheld', 'not applicable', 'blocked', 'known']

const DEFAULT_TIMEOUT_MS = 120_000

/**
 * Defines the checks of `assay certify` as tests of your own test runner: a group for each scenario, a test for each
 * check. The calls are made once, when the first test runs; a check that could not be judged is skipped and says why.
 */
export const certifyWith = ({
  profile: given,
  only = [],
  tier,
  confirmHost: confirmed,
  timeout = DEFAULT_TIMEOUT_MS,
  describe,
  it,
}: CertifyWith): void => {
  const profile = typeof given === 'string' ? readProfile(given) : given
  refuseUnknownChecks(profile)
  confirmHost(profile, confirmed, 'confirmHost')
  const chosen = selectChecks(CHECK_REGISTRY, only, profile)
  const target = { profile, only, chosen, tier: effectiveTier(profile, tier === undefined ? undefined : String(tier)) }
  const resultOf = createResultReader(target)
  for (const { name, checks } of CHECK_SCENARIOS) {
    const members = checks.filter(({ id }) => chosen.has(id))
    if (members.length === 0) continue
    describe(name, () => {
      for (const { id, title } of members)
        it(`${id} ${title}`, async context => applyResult(await resultOf(id), target, context), timeout)
    })
  }
}

/** Starts the run when the first result is read; each result resolves as soon as its check is judged. */
const createResultReader = (target: RunTarget): ((id: string) => Promise<CheckResult>) => {
  const waiting = new Map([...target.chosen].map(id => [id, Promise.withResolvers<CheckResult>()]))
  const fail = (why: unknown): void => {
    for (const { reject } of waiting.values()) reject(why)
  }
  let isRunning = false
  for (const { promise } of waiting.values()) promise.catch(() => undefined)
  return id => {
    if (!isRunning)
      void judgeDeployment(target, { onResult: result => waiting.get(result.id)?.resolve(result) }).catch(fail)
    isRunning = true
    return waiting.get(id)?.promise ?? Promise.reject(new Error(`${id} was not chosen.`))
  }
}

const applyResult = (result: CheckResult, target: RunTarget, context: Context): void => {
  const { verdict, reason, id } = result
  if (PASSED.includes(verdict)) return
  if (SKIPPED.includes(verdict)) return void context.skip(`${verdict}: ${reason}`)
  const failure = new Error(`${verdict}\n${checkResultText(result, createReportHead(target), true)}`)
  failure.name = id
  // The stack of this line says nothing: the text holds all.
  failure.stack = `${failure.name}: ${failure.message}`
  throw failure
}
