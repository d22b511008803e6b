import { seededRandom } from '../../support/seeded-random.ts'

/**
 * Draws variants or violations to test at random without repetition, in the order of the table; the same seed draws the
 * same rows.
 */
export const sampleFrom = <Row>(rows: readonly Row[], count: number, seed: number): Row[] => {
  const random = seededRandom(seed)
  const left = rows.map((_, index) => index)
  const drawn = Array.from({ length: Math.min(count, rows.length) }, () => left.splice(random.below(left.length), 1))
  return drawn
    .flat()
    .sort((a, b) => a - b)
    .map(index => rows[index] as Row)
}
