import { expect, test } from 'vitest'
import { seededRandom } from '../support/seeded-random.ts'
import { certifyMutant, unexpectedResults } from './mutants/certify-mutant.ts'
import { RUN_TIMEOUT } from './mutants/expect-mutant-caught.ts'
import { GRID_MUTANTS } from './mutants/grid-mutants.ts'
import type { Mutant } from './mutants/mutant.ts'

/** Number of mutants that each run of the tests tries; `npm run matrix` tries all. */
const SAMPLE = 6

const sample = (): Mutant[] => {
  const { pick } = seededRandom(22)
  const left = [...GRID_MUTANTS]
  return Array.from({ length: SAMPLE }, () => {
    const chosen = pick(left)
    left.splice(left.indexOf(chosen), 1)
    return chosen
  })
}

test.each(sample())(
  'of all rows of the grids, $caughtBy alone catches the service that $does',
  async mutant => expect(unexpectedResults(mutant, await certifyMutant(mutant))).toEqual([]),
  RUN_TIMEOUT,
)
