import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Profile } from '../../contracts/harness/profile.ts'
import { startTestSimulator, type TestSimulator } from '../support/simulator.ts'
import { certify, idsOf, profileOf } from './certify.ts'

let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator()
})

afterAll(() => simulator.stop())

const certifyMocks = (profile: Profile) => certify(profile, ['mck'], 'T4')

test('a profile that does not tell where overrides stand fails no check of mocks', async () => {
  const { mocks: _, ...profile } = profileOf(simulator)
  const results = await certifyMocks(profile)
  expect(idsOf(results, 'fail', 'harness error')).toEqual([])
  expect(results.find(({ id }) => id === 'MCK-03')).toMatchObject({
    verdict: 'untestable',
    reason: expect.stringContaining('mocks.initiate: "/steps/initiate/providerDetails"'),
  })
})

test('nor does one that tells it wrongly', async () => {
  const profile = profileOf(simulator)
  const steps = { initiate: '/steps/begin/overrides', finalize: '/steps/end/overrides' }
  const results = await certifyMocks({ ...profile, mocks: steps })
  expect(idsOf(results, 'fail', 'harness error')).toEqual([])
  expect(results.find(({ id }) => id === 'MCK-03')).toMatchObject({
    verdict: 'untestable',
    reason: expect.stringContaining('correct mocks'),
  })
})

test('nor does one that looks for an override where no answer has anything', async () => {
  const profile = profileOf(simulator)
  const initiate = { ...profile.fields?.initiate, redirectUrl: '/nowhere', registeredAt: '/nowhere' }
  const results = await certifyMocks({ ...profile, fields: { ...profile.fields, initiate } })
  expect(idsOf(results, 'fail', 'harness error')).toEqual([])
  expect(idsOf(results, 'untestable')).toEqual(['MCK-14', 'MCK-15', 'MCK-16', 'MCK-18'])
  expect(idsOf(results, 'pass')).toEqual(expect.arrayContaining(['MCK-13', 'MCK-23']))
})

test('flat data, as the document shows it, is as good a place', async () => {
  const results = await certifyMocks({ ...profileOf(simulator), mocks: { initiate: '/data' } })
  expect(idsOf(results, 'fail', 'harness error', 'differs')).toEqual([])
  expect(idsOf(results, 'untestable')).toEqual(['MCK-12', 'MCK-22'])
})
