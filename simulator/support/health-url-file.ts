import { join } from 'node:path'

/** The file in which `assay serve` says while it runs where it tells whether it is well, for `assay health`. */
export const healthUrlFile = (dataDir: string): string => join(dataDir, 'health-url')
