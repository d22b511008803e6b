import { expect, test } from 'vitest'
import { PLANTED_FAULTS } from './planted-store-faults.ts'
import { simulate } from './simulate.ts'

/** Seeds and days of every run of the tests; those of seeds that have found a fault are kept. */
const RUNS: readonly (readonly [seed: number, days: number])[] = [[1, 0.3]]

test.each(RUNS)(
  'seed %i: %d days with crashes, power cuts, a poor network and a full disk lose nothing (I3, 6, D-101, D-112)',
  async (seed, days) => {
    const report = await simulate(seed, days)
    expect(report.problems).toEqual([])
    expect(report.days).toBeGreaterThanOrEqual(days)
    expect(report.kills + report.powerCuts).toBeGreaterThan(0) // how many, changes with every await of the product
  },
  300_000,
)

test('the same seed plays the same days', async () => {
  const [one, other] = [await simulate(3, 0.05), await simulate(3, 0.05)]
  expect(other).toEqual(one)
  expect(one.problems).toEqual([])
}, 300_000)

/** Days within which a planted fault is found. */
const FOUND_WITHIN = 1

test.each(Object.entries(PLANTED_FAULTS))(
  `%s is found within a simulated day`,
  async (_name, plant) => {
    const { problems } = await simulate(4, FOUND_WITHIN, plant)
    expect(problems).not.toEqual([])
  },
  300_000,
)
