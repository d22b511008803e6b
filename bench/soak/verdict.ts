import { METRIC_NAMES, METRICS, type Metric, type Rows, type Sample } from './sample.ts'
import { type Trend, trendOf } from './trend.ts'

/** What an hour, or minutes of it, have shown. */
export type Soak = {
  samples: Sample[]
  trends: Record<Metric, Trend>
  verdict: Trend['verdict']
  /** The tables that have most rows more than in the middle of the run. */
  grown: { table: string; from: number; to: number }[]
}

const MOST_TOLD = 3

/** Flat where everything is; growing where anything is. */
export const judge = (samples: Sample[], rows: readonly Rows[]): Soak => {
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

const grownTables = (rows: readonly Rows[]): Soak['grown'] => {
  const [from = {}, to = {}] = [rows[Math.floor(rows.length / 2)], rows.at(-1)]
  return Object.entries(to)
    .map(([table, count]) => ({ table, from: from[table] ?? 0, to: count }))
    .filter(({ from, to }) => to > from)
    .sort((a, b) => b.to - b.from - (a.to - a.from))
    .slice(0, MOST_TOLD)
}
