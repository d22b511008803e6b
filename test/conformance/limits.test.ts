import type { MiddlewareHandler } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import type { ApiEnvironment } from '../../simulator/http/call.ts'
import type { Config } from '../../simulator/options.ts'
import type { SimulatorParts } from '../../simulator/simulator.ts'
import { startTestSimulator } from '../support/simulator.ts'
import { certify, othersThan, profileOf } from './certify.ts'

const LIMITS = { bodyBytes: 20_000, callsPerSecond: 20 }
const GOOD = { bodyLimit: LIMITS.bodyBytes, rateLimit: LIMITS.callsPerSecond }

/** Judges what disturbs, of a simulator that can be brought to its limits. */
const judged = async (config: Partial<Config> = {}, parts: Partial<SimulatorParts> = {}) => {
  const simulator = await startTestSimulator({ ...GOOD, ...config }, parts)
  onTestFinished(() => simulator.stop())
  const profile = { ...profileOf(simulator), limits: LIMITS, notApplicable: {} }
  return certify(profile, ['ERR-14', 'LIM'], '5')
}

const verdicts = (results: Awaited<ReturnType<typeof judged>>) =>
  Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]))

/** Answers of 429 with another Retry-After, or none. */
const retryAfter = (value: string | undefined): Partial<SimulatorParts> => {
  const limitBody: MiddlewareHandler<ApiEnvironment> = async (c, next) => {
    await next()
    const { answerHeaders, refusal } = c.var.call
    if (refusal?.retryAfter === undefined) return
    if (value === undefined) Object.assign(refusal, { retryAfter: undefined })
    else answerHeaders['retry-after'] = value
  }
  return { layers: { limitBody } }
}

test('7.1, 8: the simulator keeps to its limits', async () => {
  expect(othersThan(await judged(), 'pass')).toEqual([])
})

test('one that takes bodies of any size is caught', async () => {
  expect(verdicts(await judged({ bodyLimit: 1_000_000 }))).toMatchObject({ 'ERR-14': 'fail', 'LIM-01': 'pass' })
})

test('one that does not say when to come back is caught', async () => {
  expect(verdicts(await judged({}, retryAfter(undefined)))).toMatchObject({ 'LIM-01': 'fail', 'LIM-02': 'blocked' })
})

test('one that calls back too early is caught', async () => {
  expect(verdicts(await judged({ rateLimit: 1 }, retryAfter('0')))).toMatchObject({
    'LIM-01': 'pass',
    'LIM-02': 'fail',
  })
})

test('one that is never reached its limit of is no fault of the service', async () => {
  expect(verdicts(await judged({ rateLimit: 0 }))).toMatchObject({ 'LIM-01': 'inconclusive', 'LIM-02': 'blocked' })
})
