import { afterAll, beforeAll, expect, test } from 'vitest'
import { VERDICTS } from '../../contracts/harness/check.ts'
import { registryOf } from '../../contracts/harness/registry.ts'
import { summarize } from '../../contracts/harness/summary.ts'
import { JOURNEYS } from '../../contracts/suites/all.ts'
import { startTestSimulator, type TestSimulator } from '../support/simulator.ts'
import { certify, idsOf, othersThan, profileOf } from './certify.ts'

let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator()
})

afterAll(() => simulator.stop())

test('the simulator passes every check, twice in a row', { timeout: 120_000 }, async () => {
  const registered = registryOf(JOURNEYS).size
  for (const _run of ['first', 'second']) {
    const results = await certify(profileOf(simulator))
    expect(othersThan(results, 'pass', 'observed', 'not applicable', 'withheld')).toEqual([])
    expect(idsOf(results, 'not applicable')).toEqual([
      'IRS-06',
      'IRS-08',
      'LIM-01',
      'LIM-02',
      'MCK-24',
      'MTLS-08',
      'VER-06',
      'VER-07',
    ])
    expect(idsOf(results, 'withheld')).toEqual(['ERR-14', 'IRS-02', 'MCK-17', 'MCK-18'])
    const { counts, exitCode } = summarize(results, registered)
    expect(VERDICTS.reduce((sum, verdict) => sum + counts[verdict], 0)).toBe(registered)
    expect(exitCode).toBe(0)
  }
})

test('one check alone runs with its control and nothing else', async () => {
  const results = await certify(profileOf(simulator), ['lif-12'])
  expect(results.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(['LIF-09 pass', 'LIF-12 pass'])
})

test("what goes through to the provider's sandbox passes where it is asked for", async () => {
  const results = await certify(profileOf(simulator), ['mck-17', 'mck-18'], 'T4')
  expect(results.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(['MCK-01 pass', 'MCK-18 pass', 'MCK-17 pass'])
})

test('in production no payment is made', async () => {
  const fresh = await startTestSimulator({ environment: 'production' })
  try {
    const profile = profileOf(fresh)
    const results = await certify({ ...profile, target: { ...profile.target, environment: 'production' } })
    expect(othersThan(results, 'pass', 'observed', 'withheld', 'blocked', 'untestable', 'not applicable')).toEqual([])
    expect(idsOf(results, 'withheld')).toEqual(expect.arrayContaining(['VAL-01', 'LIF-01', 'IDM-08']))
    expect(idsOf(results, 'pass')).toEqual(expect.arrayContaining(['TOK-01', 'SIG-01', 'SIG-09']))
    const journal = await fetch(`${fresh.pagesUrl}/control/organizations/demo-merchant/journal?limit=500`)
    const calls = JSON.stringify(await journal.json())
    expect(calls).toContain('/auth/token')
    expect(calls).not.toContain('/payments/initiate')
  } finally {
    await fresh.stop()
  }
})
