import { expect } from 'vitest'
import { certifyMutant, relatedChecks, unexpectedResults } from './certify-mutant.ts'
import type { Mutant } from './mutant.ts'
import { MUTANTS } from './mutants-outside-grids.ts'

/** Timeout of a test that runs suites against a simulator, in milliseconds; generous for a busy machine. */
export const RUN_TIMEOUT = 300_000

/** Returns every second mutant, so that two test files run in parallel. */
export const halfOfMutants = (first: 0 | 1) => MUTANTS.filter((_, index) => index % 2 === first)

/** Asserts that a mutant is caught by the checks in its row and by no other check of the same scenarios. */
export const expectMutantCaught = async (saboteur: Mutant): Promise<void> =>
  expect(unexpectedResults(saboteur, await certifyMutant(saboteur, relatedChecks(saboteur)))).toEqual([])

/** Asserts that a mutant is caught by the checks in its row and by no other check of a full run. */
export const expectMutantCaughtInFullRun = async (saboteur: Mutant): Promise<void> =>
  expect(unexpectedResults(saboteur, await certifyMutant(saboteur))).toEqual([])
