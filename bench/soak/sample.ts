import type { AssayServer } from '../servers.ts'
import { databaseSize } from './database.ts'
import type { Inspector } from './inspector.ts'
import type { Allowance } from './trend.ts'

// biome-ignore format: a table reads by its columns
/** What is watched, and what of it may come and go (5). */
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
/** Rows of each table, beside the sample of the same number. */
export type Rows = Record<string, number>

type Watched = { assay: AssayServer; inspector: Inspector; dataDir: string }

/** A look at the process when it has answered everything; memory as the system sees it comes before the garbage collection. */
export const look = async ({
  assay,
  inspector,
  dataDir,
}: Watched): Promise<Record<Metric, number> & { rows: Rows }> => {
  const { residentMb, files } = assay.usage()
  const heapMb = await inspector.heapMb()
  const handles = await inspector.handles()
  const { mb, rows } = databaseSize(dataDir)
  return { residentMb, heapMb, handles, files, databaseMb: mb, rows }
}
