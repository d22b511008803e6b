import { afterAll, beforeAll, expect, test } from 'vitest'
import { VERDICTS } from '../../contracts/harness/judge/check.ts'
import { summarizeRun } from '../../contracts/harness/report/run-summary.ts'
import { createCheckRegistry } from '../../contracts/harness/run/check-registry.ts'
import { CHECK_SCENARIOS } from '../../contracts/suites/index.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { describeResultsExcept, idsWithVerdict, runSuites, simulatorProfileAt } from './run-suites.ts'
import { shuffledScenarios } from './shuffled-scenarios.ts'

let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator()
})

afterAll(() => simulator.stop())

test('the simulator passes every check, twice in a row, the second time in another order of scenarios', {
  timeout: 300_000,
}, async () => {
  const registered = createCheckRegistry(CHECK_SCENARIOS).size
  for (const scenarios of [CHECK_SCENARIOS, shuffledScenarios()]) {
    const results = await runSuites(simulatorProfileAt(simulator), [], undefined, scenarios)
    expect(describeResultsExcept(results, 'pass', 'observed', 'not applicable', 'withheld')).toEqual([])
    expect(idsWithVerdict(results, 'not applicable')).toEqual([
      'GRD-36',
      'GRD-40',
      'GRD-49',
      'IRS-06',
      'IRS-08',
      'LIM-01',
      'LIM-02',
      'MCK-24',
      'MTLS-08',
      'VER-06',
      'VER-07',
    ])
    expect(idsWithVerdict(results, 'withheld')).toEqual(['ERR-14', 'IRS-02', 'MCK-17', 'MCK-18'])
    const { counts, exitCode } = summarizeRun(results, registered)
    expect(VERDICTS.reduce((sum, verdict) => sum + counts[verdict], 0)).toBe(registered)
    expect(exitCode).toBe(0)
  }
})

test('--only runs one check and its control', async () => {
  const results = await runSuites(simulatorProfileAt(simulator), ['lif-12'])
  expect(results.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(['LIF-09 pass', 'LIF-12 pass'])
})

test('the passthrough checks of mocks pass in tier 4', async () => {
  const results = await runSuites(simulatorProfileAt(simulator), ['mck-17', 'mck-18'], 'T4')
  expect(results.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(['MCK-01 pass', 'MCK-18 pass', 'MCK-17 pass'])
})

test('in production no payment is made', async () => {
  const fresh = await startTestSimulator({ environment: 'production' })
  try {
    const profile = simulatorProfileAt(fresh)
    const results = await runSuites({ ...profile, target: { ...profile.target, environment: 'production' } })
    expect(
      describeResultsExcept(results, 'pass', 'observed', 'withheld', 'blocked', 'untestable', 'not applicable'),
    ).toEqual([])
    expect(idsWithVerdict(results, 'withheld')).toEqual(expect.arrayContaining(['VAL-01', 'LIF-01', 'IDM-08']))
    expect(idsWithVerdict(results, 'pass')).toEqual(expect.arrayContaining(['TOK-01', 'SIG-01', 'SIG-09']))
    const journal = await fetch(`${fresh.pagesUrl}/control/organizations/demo-merchant/journal?limit=500`)
    const calls = JSON.stringify(await journal.json())
    expect(calls).toContain('/auth/token')
    expect(calls).not.toContain('/payments/initiate')
  } finally {
    await fresh.stop()
  }
})
