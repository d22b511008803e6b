import type { AssayServer } from '../load/start-servers.ts'
import { databaseSize } from './database-size.ts'
import type { Inspector } from './inspector.ts'
import type { Allowance } from './trend.ts'

// biome-ignore format: a table reads by its columns
/** The metrics that a soak run samples, with the growth each may show: a share of its level, or an absolute minimum. */
export const METRICS = {
  residentMb: { title: 'resident memory, MB',  digits: 0, share: 0.10, least: 12 },
  heapMb:     { title: 'heap in use, MB',      digits: 1, share: 0.05, least: 2 },
  handles:    { title: 'handles of Node',      digits: 0, share: 0,    least: 4 },
  files:      { title: 'open files',           digits: 0, share: 0,    least: 4 },
  databaseMb: { title: 'database, MB',         digits: 2, share: 0.08, least: 0.15 },
} as const satisfies Record<string, { title: string; digits: number } & Allowance>

export type Metric = keyof typeof METRICS
export const METRIC_NAMES = Object.keys(METRICS) as Metric[]

export type Sample = { seconds: number; laps: number; days: number; payments: number } & Record<Metric, number>
/** Row counts of the sandbox's database by table, taken with a sample of a soak run. */
export type RowCounts = Record<string, number>

type Watched = { assay: AssayServer; inspector: Inspector; dataDir: string }

/**
 * Samples the resource usage of the idle sandbox in a soak run; resident memory is read before the garbage collection.
 */
export const takeSample = async ({
  assay,
  inspector,
  dataDir,
}: Watched): Promise<Record<Metric, number> & { rows: RowCounts }> => {
  const { residentMb, files } = assay.usage()
  const heapMb = await inspector.heapMb()
  const handles = await inspector.handles()
  const { mb, rows } = databaseSize(dataDir)
  return { residentMb, heapMb, handles, files, databaseMb: mb, rows }
}
