import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { STATES } from '../../simulator/payments/lifecycle.ts'
import { openCoreIn } from '../support/simulator-core.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { propertyRuns, propertyTimeout } from './property-run-counts.ts'
import { runWalk } from './run-walk-against-model.ts'
import { type WalkStep, walkArbitrary } from './walk-steps.ts'

const RUNS = 250
const CODES = [200, 404, 409, 422, 423, 500, 501, 502, 504]

/** A fixed walk with a cancel, which random walks may lack. */
const CANCELING: WalkStep[] = [
  { do: 'initiate', provider: 'BLIK', type: 'ONE_TIME', auto: false, amount: 100, code: 'fresh' },
  { do: 'shopper', action: 'approve', which: 0 },
  { do: 'act', operation: 'finalize', which: 0, part: 'all' },
  { do: 'act', operation: 'cancel', which: 0, part: 'all' },
]

const reached = new Map<string | number, number>()
const tell = (what: string | number): void => void reached.set(what, (reached.get(what) ?? 0) + 1)

test(
  'R1 to R5, I3, I4, 7.4: sums, states, refusals and replays match the model on every random walk',
  async () => {
    const folder = temporaryFolder()
    const property = fc.asyncProperty(walkArbitrary, async steps => {
      const own = mkdtempSync(join(folder, 'walk-'))
      const core = await openCoreIn(own)
      try {
        await runWalk(core, steps, tell)
      } finally {
        await core.close()
        rmSync(own, { recursive: true })
      }
    })
    await fc.assert(property, { ...propertyRuns(RUNS), examples: [[CANCELING]] })
  },
  propertyTimeout(RUNS),
)

const { numRuns, path } = { path: undefined, ...propertyRuns(RUNS) }
test.skipIf(numRuns < RUNS || path !== undefined)('R1 to R5: the random walks reach every state and status', () => {
  const missing = [...Object.keys(STATES).filter(state => state !== 'DISPUTED'), ...CODES].filter(
    what => !reached.has(what),
  )
  expect(missing).toEqual([])
})
