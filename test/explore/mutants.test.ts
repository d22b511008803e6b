import { expect, test } from 'vitest'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import * as strange from '../conformance/conformant-variations.ts'
import { isCallTo, replaceReplies, withStatusAndCode } from '../conformance/mutants/mutations-of-matching-calls.ts'
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

/** Lawful: a cancel that comes too late is a conflict of states, which R5 does not name (7.1). */
const lateCancelAsConflict = replaceReplies(
  (call, { http }) => http === 422 && isCallTo('/payments/cancel')(call),
  withStatusAndCode(409),
)

// biome-ignore format: a table reads by its columns
test.each([
  ['ends a token by a newer one',    strange.oneTokenAtATime],
  ['calls a late cancel a conflict', lateCancelAsConflict],
] as const)('a server that %s is not blamed where no decision is confirmed', async (_what, mutation) => {
  const profile = (one: Profile): Profile => ({ ...one, confirmed: [] })
  const { findings, hits } = await exploreMutant({ mutation, profile }, { seed: 1, calls: 400 })
  expect(findings).toEqual([])
  expect(hits).toBeGreaterThan(0)
})
