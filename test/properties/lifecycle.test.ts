import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { STATES } from '../../simulator/payments/lifecycle.ts'
import { coreIn } from '../support/core.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { runs, timeFor } from './runs.ts'
import { type Step, walks } from './steps.ts'
import { walk } from './walk.ts'

const RUNS = 250
const CODES = [200, 404, 409, 422, 423, 500, 501, 502, 504]

/** One walk that is walked every time: few of the others cancel, and now and then none. */
const CANCELING: Step[] = [
  { do: 'initiate', provider: 'BLIK', type: 'ONE_TIME', auto: false, amount: 100, code: 'fresh' },
  { do: 'shopper', action: 'approve', which: 0 },
  { do: 'act', operation: 'finalize', which: 0, part: 'all' },
  { do: 'act', operation: 'cancel', which: 0, part: 'all' },
]

const reached = new Map<string | number, number>()
const tell = (what: string | number): void => void reached.set(what, (reached.get(what) ?? 0) + 1)

test(
  'R1 to R5, I3, I4, 7.4: sums, states, refusals and replays hold on every walk',
  async () => {
    const folder = temporaryFolder()
    const property = fc.asyncProperty(walks, async steps => {
      const own = mkdtempSync(join(folder, 'walk-'))
      const core = await coreIn(own)
      try {
        await walk(core, steps, tell)
      } finally {
        await core.close()
        rmSync(own, { recursive: true })
      }
    })
    await fc.assert(property, { ...runs(RUNS), examples: [[CANCELING]] })
  },
  timeFor(RUNS),
)

const { numRuns, path } = { path: undefined, ...runs(RUNS) }
test.skipIf(numRuns < RUNS || path !== undefined)('R1 to R5: the walks got everywhere', () => {
  const missing = [...Object.keys(STATES).filter(state => state !== 'DISPUTED'), ...CODES].filter(
    what => !reached.has(what),
  )
  expect(missing).toEqual([])
})
