import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { idsWithVerdict, runSuites, simulatorProfileAt } from './run-suites.ts'

let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator()
})

afterAll(() => simulator.stop())

const certifyMocks = (profile: Profile) => runSuites(profile, ['mck'], 'T4')

test('a profile without mocks.* fails no mock check', async () => {
  const { mocks: _, ...profile } = simulatorProfileAt(simulator)
  const results = await certifyMocks(profile)
  expect(idsWithVerdict(results, 'fail', 'harness error')).toEqual([])
  expect(results.find(({ id }) => id === 'MCK-03')).toMatchObject({
    verdict: 'untestable',
    reason: expect.stringContaining('mocks.initiate: "/steps/initiate/providerDetails"'),
  })
})

test('a profile with wrong mocks.* pointers fails no mock check', async () => {
  const profile = simulatorProfileAt(simulator)
  const steps = { initiate: '/steps/begin/overrides', finalize: '/steps/end/overrides' }
  const results = await certifyMocks({ ...profile, mocks: steps })
  expect(idsWithVerdict(results, 'fail', 'harness error')).toEqual([])
  expect(results.find(({ id }) => id === 'MCK-03')).toMatchObject({
    verdict: 'untestable',
    reason: expect.stringContaining('correct mocks'),
  })
})

test('a profile with wrong pointers to overridden fields fails no mock check', async () => {
  const profile = simulatorProfileAt(simulator)
  const initiate = { ...profile.fields?.initiate, redirectUrl: '/nowhere', registeredAt: '/nowhere' }
  const results = await certifyMocks({ ...profile, fields: { ...profile.fields, initiate } })
  expect(idsWithVerdict(results, 'fail', 'harness error')).toEqual([])
  expect(idsWithVerdict(results, 'untestable')).toEqual(['MCK-14', 'MCK-15', 'MCK-16', 'MCK-18'])
  expect(idsWithVerdict(results, 'pass')).toEqual(expect.arrayContaining(['MCK-13', 'MCK-23']))
})

test('mocks.initiate may point to flat data', async () => {
  const results = await certifyMocks({ ...simulatorProfileAt(simulator), mocks: { initiate: '/data' } })
  expect(idsWithVerdict(results, 'fail', 'harness error', 'differs')).toEqual([])
  expect(idsWithVerdict(results, 'untestable')).toEqual(['MCK-22', 'MCK-27'])
})
