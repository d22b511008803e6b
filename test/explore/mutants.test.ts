import { expect, test } from 'vitest'
import { EXPLORABLE_MUTANTS } from './explorable-mutants.ts'
import { exploreMutant } from './explore-mutant.ts'

/** One mutant each of lifecycle, money, idempotency, mocks and isolation; `npm run explore:mutants` explores all. */
test.each([
  'shows a canceled payment as AUTHORIZED',
  'refunds more than it has captured',
  'stores no Idempotency-Key',
  'finds no mock by its payer',
  'shares idempotency keys between merchants',
])('explore finds the mutant that %s', async does => {
  const mutant = EXPLORABLE_MUTANTS.find(one => one.does === does)
  expect(mutant).toBeDefined()
  const { findings, shortest } = await exploreMutant(mutant ?? {}, { seed: 1, calls: 800 })
  expect(findings).toHaveLength(1)
  expect(shortest).toBeLessThanOrEqual(8)
})
