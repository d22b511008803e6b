import { expect, test } from 'vitest'
import { EXPLORABLE_MUTANTS } from './explorable-mutants.ts'
import { exploreMutant } from './explore-mutant.ts'

test('a mutant of a call that explore never makes is none by which it is measured', () => {
  expect(EXPLORABLE_MUTANTS.map(({ does }) => does)).not.toContain('accepts a settle call')
})

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
