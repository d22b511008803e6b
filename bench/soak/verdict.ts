import { METRIC_NAMES, METRICS, type Metric, type RowCounts, type Sample } from './resource-usage-sample.ts'
import { type Trend, trendOf } from './trend.ts'

/** Result of a soak run: samples, a trend per metric, and the overall verdict. */
export type SoakResult = {
  samples: Sample[]
  trends: Record<Metric, Trend>
  verdict: Trend['verdict']
  /** Tables with the largest growth in rows since the middle of the run. */
  grown: { table: string; from: number; to: number }[]
}

const MOST_TOLD = 3

/** Judges a soak run: growing if any metric grows, flat if all are flat. */
export const judgeSoak = (samples: Sample[], rows: readonly RowCounts[]): SoakResult => {
  const trends = Object.fromEntries(
    METRIC_NAMES.map(name => [
      name,
      trendOf(
        samples.map(sample => ({ at: sample.seconds, value: sample[name] })),
        METRICS[name],
      ),
    ]),
  ) as Record<Metric, Trend>
  const verdicts = METRIC_NAMES.map(name => trends[name].verdict)
  const verdict = (['growing', 'too short'] as const).find(word => verdicts.includes(word)) ?? 'flat'
  return { samples, trends, verdict, grown: trends.databaseMb.verdict === 'growing' ? grownTables(rows) : [] }
}

const grownTables = (rows: readonly RowCounts[]): SoakResult['grown'] => {
  const [from = {}, to = {}] = [rows[Math.floor(rows.length / 2)], rows.at(-1)]
  return Object.entries(to)
    .map(([table, count]) => ({ table, from: from[table] ?? 0, to: count }))
    .filter(({ from, to }) => to > from)
    .sort((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, MOST_TOLD)
}
