/**
 * Result of judging the series of a soak metric: the verdict, with the level, the rise and the allowed rise on which it
 * rests.
 */
export type Trend = {
  verdict: 'flat' | 'growing' | 'too short'
  /** Median of the second half. */
  level: number
  /** Rise of the fitted line over the second half, and the rise allowed. */
  rise: number
  allowed: number
}

export type Point = { at: number; value: number }
/** Rise of a soak metric that is not yet a leak: a share of its level, at least an absolute amount. */
export type Allowance = { share: number; least: number }

/** Fewest points in the second half: four rising points in a row happen by chance once in 24. */
const FEWEST = 4
/** One-sided z-score at the 5 % significance level, above which a rise counts as growth. */
const SIGNIFICANT = 1.645

/**
 * Judges by the second half of its series whether a soak metric grows; the first half is warm-up. The slope is the
 * median over all pairs (Theil–Sen), so that outliers do not matter. A series grows if its rise is significant
 * (Mann–Kendall) and above the allowance.
 */
export const trendOf = (points: readonly Point[], { share, least }: Allowance): Trend => {
  const half = points.slice(Math.floor(points.length / 2)).filter(({ value }) => !Number.isNaN(value))
  const level = medianOf(half.map(({ value }) => value))
  const allowed = Math.max(share * level, least)
  const pairs = half.flatMap((one, index) => half.slice(index + 1).map(other => ({ one, other })))
  const slope = medianOf(pairs.map(({ one, other }) => (other.value - one.value) / (other.at - one.at)))
  const rise = slope * ((half.at(-1)?.at ?? 0) - (half[0]?.at ?? 0))
  if (half.length < FEWEST) return { verdict: 'too short', level, rise, allowed }
  const growing = rise > allowed && risesBeyondChance(half, pairs)
  return { verdict: growing ? 'growing' : 'flat', level, rise, allowed }
}

const risesBeyondChance = (half: readonly Point[], pairs: readonly { one: Point; other: Point }[]): boolean => {
  const ups = pairs.reduce((sum, { one, other }) => sum + Math.sign(other.value - one.value), 0)
  const n = half.length
  return (ups - 1) / Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18) > SIGNIFICANT
}

const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const at = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 0
    ? ((sorted[at - 1] ?? Number.NaN) + (sorted[at] ?? Number.NaN)) / 2
    : (sorted[at] ?? Number.NaN)
}
