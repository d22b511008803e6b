/** What a series of a metric says: flat, growing, or too short to say. */
export type Trend = {
  verdict: 'flat' | 'growing' | 'too short'
  /** The middle of the second half. */
  level: number
  /** By how much the fitted line rises over the second half, and how much it may. */
  rise: number
  allowed: number
}

export type Point = { at: number; value: number }
/** What may come and go without being a leak: a share of the level, or so much at the least. */
export type Allowance = { share: number; least: number }

/** Fewer points in the second half prove nothing: four that rise one after the other are chance once in 24. */
const FEWEST = 4
/** As often as one in twenty a flat series looks like this by chance (one-sided). */
const SIGNIFICANT = 1.645

/**
 * Judges the second half of a series; the first is warming up. The line is the median of the slopes between all pairs (Theil and
 * Sen), so that single outliers do not bend it; that it rises at all has to be more than chance (Mann and Kendall), and then it must
 * rise by more than the allowance.
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
