/**
 * Returns the fast-check parameters of a property test: a number of runs, which FC_RUNS overrides; FC_PATH repeats a
 * failure.
 */
export const propertyRuns = (usual: number) => ({
  numRuns: Number(process.env.FC_RUNS ?? usual),
  ...(process.env.FC_PATH === undefined ? {} : { path: process.env.FC_PATH }),
})
