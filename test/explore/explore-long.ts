import { explore, newStageOf } from '../../contracts/explore/explore.ts'
import { openTarget } from '../../contracts/explore/open-target.ts'
import { shrink } from '../../contracts/explore/shrink.ts'
import { findingText } from '../../contracts/explore/tell/finding-text.ts'
import { createCheckContext } from '../../contracts/suites/context/check-context.ts'
import { simulatorProfileAt } from '../conformance/run-suites.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'

// npm run explore:long [-- CALLS [SEED]]: explores the good simulator; each 10,000 calls have a seed of their own, from SEED on.

const CALLS_OF_A_SEED = 10_000
const [, , calls = '100000', first = '1'] = process.argv

const simulator = await startTestSimulator()
let seed = Number(first)
for (let left = Number(calls); left > 0 && process.exitCode === undefined; left -= CALLS_OF_A_SEED, seed += 1) {
  const context = createCheckContext(simulatorProfileAt(simulator), 3)
  const target = openTarget(context)
  const { calls: made, findings } = await explore(target, { seed, calls: Math.min(left, CALLS_OF_A_SEED) })
  console.log(`seed ${seed}: ${made} calls, ${findings.length === 0 ? 'no violation' : 'a violation'}`)
  for (const found of findings) {
    console.log(findingText(await shrink(() => newStageOf(target)(found.isLong), found, target.rules)))
    process.exitCode = 1
  }
  context.close()
}
await simulator.stop()
