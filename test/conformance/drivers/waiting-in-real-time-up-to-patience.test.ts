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

test('beyond a patience that the user set, the check is withheld and says how long it takes', async () => {
  const told = await judge({ settlement: { withinSeconds: 2 }, patience: 'PT1S' })
  expect(told['LIF-05'] ?? told['LIF-01']).toBe('withheld: takes PT2S, and this run waits up to PT1S')
})

test('where the user set none, what takes longer is untestable and names the line', async () => {
  const told = await certifyWithoutControl(simulator, {}, ['LIF-25', 'TOK-18'])
  expect(told['LIF-25']).toMatch(/^untestable: nothing gives it P7D that pass: .* the line patience: P7D$/)
  expect(told['TOK-18']).toMatch(/^untestable: nothing gives it PT2H5M that pass: /)
})

test('what a user keeps back is withheld, and so is what has it as its control', async () => {
  const told = await certifyWithoutControl(simulator, { patience: 'PT1H' }, ['TOK-18', 'LIF-26'])
  expect(told).toMatchObject({
    'TOK-18': 'withheld: takes PT2H5M, and this run waits up to PT1H',
    'LIF-25': 'withheld: takes P7D, and this run waits up to PT1H',
    'LIF-26': 'withheld: takes P7D, and this run waits up to PT1H',
  })
})
