import { readFileSync } from 'node:fs'

/** Returns the version of this package, such as 0.1.0. */
export const packageVersion = (): string =>
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
