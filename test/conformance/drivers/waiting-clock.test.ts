import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSimulator, type TestSimulator } from '../../support/caller-stopped-simulator.ts'
import { certifyWithoutControl } from './certify-without-control.ts'

let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator({ settleAfter: 200 })
})

afterAll(() => simulator.stop())

const judge = (more: Readonly<Record<string, unknown>>) => certifyWithoutControl(simulator, more, ['LIF-01', 'LIF-05'])

test('time passes by really waiting, where patience covers it', async () => {
  const told = await judge({ settlement: { withinSeconds: 1 }, patience: 'PT1S' })
  expect(told).toMatchObject({ 'LIF-01': 'pass', 'LIF-05': 'pass' })
})

test('beyond patience the check is untestable and names the line', async () => {
  const told = await judge({ settlement: { withinSeconds: 2 }, patience: 'PT1S' })
  expect(told['LIF-05'] ?? told['LIF-01']).toMatch(
    /^untestable: nothing gives it PT2S that pass: .* the line patience: PT2S$/,
  )
})
