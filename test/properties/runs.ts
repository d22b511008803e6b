import { isOverPostgres } from '../support/not-over-postgres.ts'

const asked = (name: string): number | undefined =>
  process.env[name] === undefined ? undefined : Number(process.env[name])

/** Over PostgreSQL a walk begins with a schema of its own, which takes longer than the walk. */
const FEWER = isOverPostgres ? 5 : 1

/** How often a property is tried: FC_RUNS instead where it is set; FC_SEED and FC_PATH repeat a failure exactly. */
export const runs = (usual: number) => {
  const [numRuns = Math.ceil(usual / FEWER), seed, path] = [asked('FC_RUNS'), asked('FC_SEED'), process.env.FC_PATH]
  return { numRuns, ...(seed === undefined ? {} : { seed }), ...(path === undefined ? {} : { path }) }
}

/** How long a test may take that tries a property so often. */
export const timeFor = (usual: number): number => FEWER * Math.max(60_000, 200 * runs(usual).numRuns)
