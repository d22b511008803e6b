import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCheckRegistry } from '../../contracts/harness/run/check-registry.ts'
import { CHECK_SCENARIOS } from '../../contracts/suites/index.ts'
import { certifyMutant, unexpectedResults } from './mutants/certify-mutant.ts'
import { expectMutantCaughtInFullRun, RUN_TIMEOUT } from './mutants/expect-mutant-caught.ts'
import { GRID_MUTANTS } from './mutants/grid-mutants.ts'
import { CHECKS_WITHOUT_MUTANT, killMatrix, mutantsCaughtBy } from './mutants/kill-matrix.ts'
import type { Mutant } from './mutants/mutant.ts'
import { MUTANTS } from './mutants/mutants-outside-grids.ts'
import { mutateRequest } from './mutants/simulator-mutations.ts'

const checks = [...createCheckRegistry(CHECK_SCENARIOS).values()]

test('every check that can fail catches a mutant, or its reason for having none is listed', () => {
  const without = checks.filter(check => !check.observes && mutantsCaughtBy(check).length === 0)
  const cure =
    'name each in the caughtBy of a mutant in test/conformance/mutants, or give its reason in CHECKS_WITHOUT_MUTANT'
  expect(without.map(({ id }) => id).sort(), cure).toEqual(Object.keys(CHECKS_WITHOUT_MUTANT).sort())
  expect(without.filter(({ basis }) => basis !== 'assumed')).toEqual([])
})

test('mutants name existing checks, and their descriptions are unique', () => {
  const ids = new Set(checks.map(({ id }) => id))
  const mutants = [...MUTANTS, ...GRID_MUTANTS]
  expect(mutants.flatMap(({ caughtBy }) => caughtBy).filter(id => !ids.has(id))).toEqual([])
  expect(new Set(mutants.map(({ does }) => does)).size).toBe(mutants.length)
})

test('docs/kill-matrix.md is up to date', () => {
  const stored = readFileSync(join(import.meta.dirname, '../../docs/kill-matrix.md'), 'utf8')
  expect(stored === killMatrix(), 'docs/kill-matrix.md is stale: run `npm run update`').toBe(true)
})

const hourly = MUTANTS.find(({ caughtBy }) => caughtBy.join() === 'TOK-02')
const idle: Mutant = { does: 'breaks nothing', caughtBy: ['TOK-02'], mutation: mutateRequest(() => false) }

// biome-ignore format: a table reads by its columns
test.each<[string, Mutant, string[]]>([
  ['caught by another check', { ...idle, ...hourly, caughtBy: ['TOK-03'] }, ['TOK-03 has not caught it', 'TOK-02 has caught it and should not']],
  ['never run',               idle,                                         ['TOK-02 has not caught it', 'what is broken was never used']],
])('a mutant that is %s is reported', async (_what, saboteur, faults) => {
  expect(unexpectedResults(saboteur, await certifyMutant(saboteur, ['TOK-02', 'TOK-03']))).toEqual(faults)
})

// Two of them, as an example: `npm run matrix` runs all checks against every mutant.
test.each([MUTANTS[60], MUTANTS[180]] as Mutant[])(
  'the mutant that $does is caught by no other check in a full run',
  expectMutantCaughtInFullRun,
  RUN_TIMEOUT,
)
