import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { explore, newStageOf } from '../../contracts/explore/explore.ts'
import { playSequence } from '../../contracts/explore/play-and-confirm-sequence.ts'
import { shrink } from '../../contracts/explore/shrink.ts'
import type { Step } from '../../contracts/explore/step.ts'
import { findingText } from '../../contracts/explore/tell/finding-text.ts'
import { explorationText } from '../../contracts/harness/report/exploration.ts'
import { databaseViolations } from '../crash/database-invariants.ts'
import { copyPostgresToSqlite } from '../outages/copy-postgres-to-sqlite.ts'
import { storeOptionFor } from '../support/open-test-store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createCoreTarget, openExploredCore } from './in-process-exploration-target.ts'

// EXPLORE_CALLS and EXPLORE_SEED explore more, and other sequences.

const { EXPLORE_CALLS: calls = 10_000, EXPLORE_SEED: seed = 2 } = process.env

test('R1 to R5, I3, I4, 7.4: the model explains ten thousand calls, and their sums agree with the books', {
  timeout: 60_000 + 20 * Number(calls),
}, async () => {
  const folder = temporaryFolder()
  const core = await openExploredCore(folder)
  const target = createCoreTarget(core)
  const { findings, coverage } = await explore(target, { seed: Number(seed), calls: Number(calls) })
  for (const found of findings)
    expect.fail(findingText(await shrink(() => newStageOf(target)(found.isLong), found, target.rules)))
  expect(coverage.unvisited()).toEqual([])
  const { store } = await storeOptionFor(folder)
  await core.close()
  const file = store === undefined ? join(folder, 'assay.db') : await copyPostgresToSqlite(store, temporaryFolder())
  expect(databaseViolations(file)).toEqual([])
})

test('I3: a replay of a replay is known as the payment of the first call', async () => {
  const core = await openExploredCore(temporaryFolder())
  onTestFinished(core.close)
  const target = createCoreTarget(core)
  const { violation } = await playSequence(
    await newStageOf(target)(false),
    [
      { id: 's1', do: 'initiate', method: 'IRIS' },
      { id: 's2', do: 'repeat', again: 's1' },
      { id: 's3', do: 'repeat', again: 's2' },
      { id: 's4', do: 'status', on: 's2' },
    ],
    target.rules,
  )
  expect(violation).toBeUndefined()
})

test('of a sequence that too many states explain the last steps are not judged, and the exploration says so', async () => {
  const core = await openExploredCore(temporaryFolder())
  onTestFinished(core.close)
  const target = createCoreTarget(core)
  const steps = Array.from({ length: 14 }, (_, index) => ({
    ...{ id: `s${index + 1}`, do: 'initiate', method: 'IRIS', lost: true },
  })) as Step[]
  const play = await playSequence(await newStageOf(target)(false), steps, target.rules)
  expect([play.isJudgedInPart, play.violation, play.played.length]).toEqual([true, undefined, steps.length])
  const told = { seed: 1, calls: 10, sequences: 3, judgedInPart: 2, visited: 1, transitions: 5, violations: [] }
  expect(explorationText(told)).toBe(
    'Explored by seed 1: 10 calls, 1 of 5 transitions visited, 4 not reached, no violation; 2 sequences were judged in part only, as too many states explain the responses',
  )
})
