import { isOverPostgres } from '../runner/postgres-exclusions.ts'

/** Divisor of runs over PostgreSQL, where each walk creates a schema. */
const FEWER = isOverPostgres ? 5 : 1

/** fast-check parameters: a number of runs, which FC_RUNS overrides; FC_PATH repeats a failure. */
export const propertyRuns = (usual: number) => ({
  numRuns: Number(process.env.FC_RUNS ?? Math.ceil(usual / FEWER)),
  ...(process.env.FC_PATH === undefined ? {} : { path: process.env.FC_PATH }),
})

/** Timeout in milliseconds of a test with so many runs of a property. */
export const propertyTimeout = (usual: number): number => FEWER * Math.max(60_000, 200 * propertyRuns(usual).numRuns)
