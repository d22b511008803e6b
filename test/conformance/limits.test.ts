import { expect, onTestFinished, test, vi } from 'vitest'
import { type Clock, createClock } from '../../simulator/clock.ts'
import { MINUTE } from '../../simulator/duration.ts'
import type { Config } from '../../simulator/options.ts'
import { startTestSimulator } from '../support/simulator.ts'
import { certify, othersThan, profileOf } from './certify.ts'

vi.setConfig({ testTimeout: 180_000 })

/** More calls than all polite checks make together, however fast they make them. */
const POLITE = 40
const LIMITS = { bodyBytes: 20_000, callsPerSecond: POLITE, pollSeconds: 0.05 }
const GOOD = { bodyLimit: LIMITS.bodyBytes, rateLimit: LIMITS.callsPerSecond, signatureAhead: 5 * MINUTE }

/** Calls are counted by real time: a second of it takes four here, so that a machine that is busy makes too many in one too. */
const slowly = (): Clock => {
  const begun = Date.now()
  return { ...createClock(), real: () => Math.floor(begun + (Date.now() - begun) / 4) }
}

/** Judges what disturbs, of a simulator that can be brought to its limits. */
const judged = async (config: Partial<Config> = {}) => {
  const simulator = await startTestSimulator({ ...GOOD, ...config }, { clock: slowly() })
  onTestFinished(() => simulator.stop())
  const budgets = { callSeconds: 60 } // others may want the machine for a while
  const profile = { ...profileOf(simulator), limits: LIMITS, notApplicable: {}, budgets }
  return certify(profile, ['ERR-14', 'LIM'], '5')
}

const verdicts = (results: Awaited<ReturnType<typeof judged>>) =>
  Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]))

test('7.1, 8: the simulator keeps to its limits', async () => {
  expect(othersThan(await judged(), 'pass')).toEqual([])
})

test('one that is never reached its limit of is no fault of the service', async () => {
  expect(verdicts(await judged({ rateLimit: 0 }))).toMatchObject({ 'LIM-01': 'inconclusive', 'LIM-02': 'blocked' })
})
