import { expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../simulator/options.ts'
import { startTestSimulator } from '../support/simulator.ts'
import { certify, othersThan, profileOf } from './certify.ts'

const LIMITS = { bodyBytes: 20_000, callsPerSecond: 20, pollSeconds: 0.05 }
const GOOD = { bodyLimit: LIMITS.bodyBytes, rateLimit: LIMITS.callsPerSecond }

/** Judges what disturbs, of a simulator that can be brought to its limits. */
const judged = async (config: Partial<Config> = {}) => {
  const simulator = await startTestSimulator({ ...GOOD, ...config })
  onTestFinished(() => simulator.stop())
  const profile = { ...profileOf(simulator), limits: LIMITS, notApplicable: {} }
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
