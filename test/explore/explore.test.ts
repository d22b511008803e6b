import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DecisionChoices as AllChoices } from '../../contracts/dialect/decision-choices.ts'
import { explore, newStageOf, type Target } from '../../contracts/explore/explore.ts'
import { openTarget } from '../../contracts/explore/open-target.ts'
import type { Stage } from '../../contracts/explore/organizations-and-values-of-play.ts'
import { playSequence } from '../../contracts/explore/play-and-confirm-sequence.ts'
import type { Play } from '../../contracts/explore/play-and-judge-steps.ts'
import { toReplayFile } from '../../contracts/explore/replay-file.ts'
import { shrink } from '../../contracts/explore/shrink.ts'
import { isCall, type Step } from '../../contracts/explore/step.ts'
import { findingText } from '../../contracts/explore/tell/finding-text.ts'
import { createCheckContext } from '../../contracts/suites/context/check-context.ts'
import { BASIC_MUTANTS } from '../conformance/mutants/basic-mutants.ts'
import { runCertifyInProcess } from '../conformance/run-certify-in-process.ts'
import { SIMULATOR_PROFILE, simulatorProfileAt } from '../conformance/run-suites.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

type DecisionChoices = Partial<AllChoices>

let simulator: TestSimulator
beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

const options = () => [
  ...['--profile', SIMULATOR_PROFILE, '--base-url', simulator.apiUrl],
  ...['--kit', simulator.kitFolder, '--control', simulator.pagesUrl],
]

describe('assay certify explore', () => {
  test('finds no violation in the simulator', { timeout: 180_000 }, async () => {
    const { code, out } = await runCertifyInProcess('explore', ...options(), '--seed', '7', '--calls', '800')
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^Seed 7: 8\d\d calls in \d+ sequences, .* no violation\.\n$/),
    ])
  })

  test('plays a sequence of a file again', async () => {
    const file = join(temporaryFolder(), 'sequence.json')
    writeFileSync(
      file,
      toReplayFile([
        { id: 's1', do: 'initiate', method: 'IRIS' },
        { id: 's2', do: 'cancel', on: 's1' },
        { id: 's3', do: 'cancel', on: 's1', together: true },
        { id: 's4', do: 'status', on: 's1' },
      ]),
    )
    expect(await runCertifyInProcess('explore', ...options(), '--replay', file)).toMatchObject({
      code: 0,
      out: 'No violation.\n',
    })
  })

  test.each([
    [['--seed', 'x'], '--seed is a whole number from 0 to 999999999, not "x".'],
    [['--seed', '9999999999'], '--seed is a whole number from 0 to 999999999, not "9999999999".'],
    [['--calls', '1000000000'], '--calls is a whole number from 1 to 999999999, not "1000000000".'],
    [['--replay', SIMULATOR_PROFILE], 'holds no sequence of format 1: name a file that explore has written.'],
  ])('explains %j', async (more, sentence) => {
    const { code, err } = await runCertifyInProcess('explore', ...options(), ...more)
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)])
  })
})

test('the same seed plays the same sequences, step by step', { timeout: 120_000 }, async () => {
  const profile = simulatorProfileAt(simulator)
  const played = async (seed: number) => {
    const context = createCheckContext(profile, 3)
    const sequences: string[] = []
    const onSequence = (_: number, steps: readonly Step[]) => sequences.push(JSON.stringify(steps))
    try {
      await explore(openTarget(context), { seed, calls: 120, onSequence })
      return sequences.join('\n')
    } finally {
      context.close()
    }
  }
  const first = await played(3)
  expect(first.split('\n').length).toBeGreaterThan(8)
  expect(await played(3)).toBe(first)
  expect(await played(4)).not.toBe(first)
})

const charged: Step[] = [
  { id: 's1', do: 'mockSet', payer: 'u2', mock: { type: 'MOCK' } },
  { id: 's2', do: 'charge', payer: 'u2' },
]
const captured: Step[] = [
  { id: 's1', do: 'initiate', method: 'IRIS', autoCapture: false, account: 'other' },
  { id: 's2', do: 'initiate', method: 'BLIK', autoCapture: false },
  { id: 's3', do: 'shopper', on: 's2', decision: 'approve' },
  { id: 's4', do: 'finalize', on: 's2' },
  { id: 's5', do: 'capture', on: 's2', amount: 400 },
]
const declined: Step[] = [
  { id: 's1', do: 'initiate', method: 'BLIK', code: 'wrong' },
  { id: 's2', do: 'status', on: 's1' },
  { id: 's3', do: 'initiate', method: 'IRIS' },
  { id: 's4', do: 'shopper', on: 's3', decision: 'approve' },
  { id: 's5', do: 'finalize', on: 's3', fault: 'decline' },
  { id: 's6', do: 'status', on: 's3' },
  { id: 's7', do: 'refund', on: 's3' },
]
test.each<[DecisionChoices, Step[]]>([
  [{ 'D-07': '402' }, declined],
  [{ 'D-07': '422' }, declined],
  [{ 'D-19': 'account' }, [...captured, { id: 's6', do: 'initiate', method: 'IRIS', account: 'other', key: 's2' }]],
  [{ 'D-35': 'repeated' }, [...captured, { id: 's6', do: 'finalize', on: 's2' }]],
  [{ 'D-35': 'repeated' }, [...charged, { id: 's3', do: 'finalize', on: 's2' }]],
  [{ 'D-48': 'of-payment' }, [...captured, { id: 's6', do: 'repeat', again: 's5', change: 'clientTransactionId' }]],
])('a sandbox that does what its profile chooses draws no violation, said or unsaid: %j', async (decisions, steps) => {
  const dialect = join(temporaryFolder(), 'deployment.yaml')
  writeFileSync(dialect, JSON.stringify({ decisions }))
  const chosen = await startTestSimulator({ dialect })
  const profile = simulatorProfileAt(chosen)
  const played = async (lines: object): Promise<Play> => {
    const context = createCheckContext({ ...profile, ...lines }, 3)
    try {
      const target = openTarget(context)
      return await playSequence(await newStageOf(target)(false), steps, target.rules)
    } finally {
      context.close()
    }
  }
  try {
    for (const lines of [{ decisions }, ...('D-48' in decisions ? [] : [{ confirmed: [] }])]) {
      const { played: made, violation } = await played(lines)
      expect(violation).toBeUndefined()
      expect(made.length).toBeGreaterThanOrEqual(steps.length - 1)
    }
  } finally {
    await chosen.stop()
  }
})

/** Runs a test against a simulator that replays the stored response where it should refuse a changed payload (I4). */
const withMutant = async (act: (target: Target, newStage: () => Promise<Stage>) => Promise<void>): Promise<void> => {
  const [mutant] = BASIC_MUTANTS.filter(({ does }) => does === 'replays the stored response instead of 409')
  const hits = { count: 0 }
  const wrong = await startTestSimulator({}, dataDir => mutant?.mutation?.(dataDir, hits) ?? {})
  const context = createCheckContext(simulatorProfileAt(wrong), 3)
  try {
    const target = openTarget(context)
    await act(target, () => newStageOf(target)(false))
  } finally {
    context.close()
    await wrong.stop()
  }
}

test('a violation is shrunk to the shortest sequence that shows it', () =>
  withMutant(async (target, newStage) => {
    const { findings } = await explore(target, { seed: 1, calls: 1000 })
    const [found] = findings
    if (!found) throw new Error('nothing was found')
    const shrunk = await shrink(newStage, found, target.rules)
    expect(shrunk).toMatchObject({ shown: 10, replays: 10 })
    expect(shrunk.steps.filter(isCall).length).toBeLessThanOrEqual(4)
    expect(findingText(shrunk)).toMatch(/^Violation of I4.*10 of 10 replays show it/)
  }))

test('a violation is shrunk although all its steps are of one payment', () =>
  withMutant(async (target, newStage) => {
    const steps: Step[] = [
      { id: 's1', do: 'initiate', method: 'IRIS' },
      { id: 's2', do: 'status', on: 's1' },
      { id: 's3', do: 'events', on: 's1' },
      { id: 's4', do: 'repeat', again: 's1', change: 'paymentDetails.description' },
    ]
    const play = await playSequence(await newStage(), steps, target.rules)
    const shrunk = await shrink(newStage, { steps, play }, target.rules)
    expect(shrunk.steps.map(({ id }) => id)).toEqual(['s1', 's4'])
  }))
