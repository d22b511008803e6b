import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readScriptArguments, readScriptNumber, refuse } from '../../bench/report/read-script-arguments.ts'
import { explore, newStageOf, type Target } from '../../contracts/explore/explore.ts'
import { openTarget } from '../../contracts/explore/open-target.ts'
import { shrink } from '../../contracts/explore/shrink.ts'
import { findingText } from '../../contracts/explore/tell/finding-text.ts'
import { createCheckContext } from '../../contracts/suites/context/check-context.ts'
import { simulatorProfileAt } from '../conformance/run-suites.ts'
import { databaseViolations } from '../crash/database-invariants.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { startExploredReplicas } from './explored-replicas.ts'
import { createCoreTarget, openExploredCore } from './in-process-exploration-target.ts'

// npm run explore:long [-- CALLS [SEED] [--on sqlite|process|replicas]]: explores the good simulator over HTTP on SQLite, without
// HTTP in this process, or on two replicas over PostgreSQL of which one is killed now and then. Each 10,000 calls have a seed of
// their own, from SEED on.

const CALLS_OF_A_SEED = 10_000

/** What one kind of exploration runs on: for each seed a target, which tells when it is closed what its store shows that must not be. */
type Ground = {
  open(): Promise<{ target: Target; close(): Promise<readonly string[]> }>
  /** Replicas killed so far, and calls that had no response because of that. */
  counts: { kills: number; unanswered: number }
  stop(): Promise<void>
}

const none = { counts: { kills: 0, unanswered: 0 }, stop: async () => undefined }

/** Checks the database in a folder that is no longer used, and removes it. */
const closeFolder = (folder: string): readonly string[] => {
  const violations = databaseViolations(join(folder, 'assay.db'))
  rmSync(folder, { recursive: true })
  return violations
}

const GROUNDS: Readonly<Record<string, (seed: number) => Promise<Ground>>> = {
  sqlite: async () => ({
    ...none,
    open: async () => {
      const simulator = await startTestSimulator()
      const context = createCheckContext(simulatorProfileAt(simulator), 3)
      const close = async () => {
        context.close()
        await simulator.close()
        return closeFolder(simulator.dataDir)
      }
      return { target: openTarget(context), close }
    },
  }),
  process: async () => ({
    ...none,
    open: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'assay-explored-'))
      const core = await openExploredCore(folder)
      return { target: createCoreTarget(core), close: () => core.close().then(() => closeFolder(folder)) }
    },
  }),
  replicas: async seed => {
    const { profile, wrappers, ...replicas } = await startExploredReplicas(seed)
    const open = async () => {
      const context = createCheckContext(profile, 3, wrappers)
      const close = () => {
        context.close()
        return replicas.violations()
      }
      return { target: openTarget(context), close }
    }
    return { ...replicas, open }
  },
}

const { values, positionals } = readScriptArguments({
  options: { on: { type: 'string', default: 'sqlite' } },
  allowPositionals: true,
})
if (positionals.length > 2) refuse('Give two numbers at most: npm run explore:long -- CALLS SEED')
const calls = readScriptNumber('CALLS', positionals[0] ?? '100000')
const first = readScriptNumber('SEED', positionals[1] ?? '1', 0)
const start = GROUNDS[values.on] ?? refuse(`--on names "${values.on}": give one of ${Object.keys(GROUNDS).join()}.`)
const { open, counts, stop } = await start(first)
const startedAt = performance.now()
let made = 0
for (let seed = first; made < calls && process.exitCode === undefined; seed += 1) {
  const { target, close } = await open()
  const explored = await explore(target, { seed, calls: Math.min(calls - made, CALLS_OF_A_SEED) })
  made += explored.calls
  for (const found of explored.findings) {
    console.log(findingText(await shrink(() => newStageOf(target)(found.isLong), found, target.rules)))
    process.exitCode = 1
  }
  const wrong = await close()
  for (const sentence of wrong) console.log(sentence)
  if (wrong.length > 0) process.exitCode = 1
  const perSecond = Math.round((made * 1000) / (performance.now() - startedAt))
  const outcome = process.exitCode ? 'a violation' : 'no violation'
  const killed = values.on === 'replicas' ? `${counts.kills} kills, ${counts.unanswered} calls unanswered, ` : ''
  console.log(`seed ${seed}: ${made} calls, ${killed}${outcome}, ${perSecond} calls a second`)
}
await stop()
