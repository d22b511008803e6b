import type { Result } from './check.ts'

const HEADER = 'assay-layers'

/** What a deployment says in its answers about layers of clause 5 that it has switched off (D-70); undefined for none. */
export const layersOff = (results: readonly Result[]): string | undefined =>
  results.map(({ exchange }) => exchange?.answer?.headers[HEADER]).find(value => value !== undefined)
