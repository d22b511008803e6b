import { expect, onTestFinished, test, vi } from 'vitest'
import type { Config } from '../../simulator/options/options.ts'
import { type Clock, createClock } from '../../simulator/support/clock.ts'
import { MINUTE } from '../../simulator/support/duration.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { describeResultsExcept, runSuites, simulatorProfileAt } from './run-suites.ts'

vi.setConfig({ testTimeout: 180_000 })

/** Calls per second that the checks other than LIM never reach. */
const POLITE = 40
const LIMITS = { bodyBytes: 20_000, callsPerSecond: POLITE, pollSeconds: 0.05 }
const GOOD = { bodyLimit: LIMITS.bodyBytes, rateLimit: LIMITS.callsPerSecond, signatureAhead: 5 * MINUTE }

/** A clock whose real time runs at a quarter of the speed, so that a busy machine reaches the rate limit too. */
const slowly = (): Clock => {
  const begun = Date.now()
  return { ...createClock(), real: () => Math.floor(begun + (Date.now() - begun) / 4) }
}

/** Runs the tier-5 limit checks against a simulator with small limits. */
const judged = async (config: Partial<Config> = {}) => {
  const simulator = await startTestSimulator({ ...GOOD, ...config }, { clock: slowly() })
  onTestFinished(() => simulator.stop())
  const budgets = { callSeconds: 60 } // others may want the machine for a while
  const profile = { ...simulatorProfileAt(simulator), limits: LIMITS, notApplicable: {}, budgets }
  return runSuites(profile, ['ERR-14', 'LIM'], '5')
}

const verdicts = (results: Awaited<ReturnType<typeof judged>>) =>
  Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]))

test('7.1, 8: the simulator passes the limit checks', async () => {
  expect(describeResultsExcept(await judged(), 'pass')).toEqual([])
})

test('a rate limit that is not reached is inconclusive, not a failure', async () => {
  expect(verdicts(await judged({ rateLimit: 0 }))).toMatchObject({ 'LIM-01': 'inconclusive', 'LIM-02': 'blocked' })
})
