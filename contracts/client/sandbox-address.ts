import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The file in which `assay serve` says while it runs where it tells whether it is well. */
export const healthUrlFile = (dataDir: string): string => join(dataDir, 'health-url')

/** What the sandbox of a data folder says in that file; undefined where none runs. */
export const readHealthUrl = (dataDir: string): string | undefined => {
  try {
    return readFileSync(healthUrlFile(dataDir), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Base URL of the pages and control of the running sandbox: ASSAY_URL, else where the sandbox of the data folder (ASSAY_DATA_DIR,
 * else .assay) says that it listens, else the usual port. `named` is the file that says so. Nothing is called.
 */
export const findSandboxAddress = (env: Environment): { url: string; named?: string } => {
  if (env.ASSAY_URL) return { url: env.ASSAY_URL }
  const dataDir = env.ASSAY_DATA_DIR || '.assay'
  const told = URL.parse(readHealthUrl(dataDir) ?? '')
  if (!told) return { url: `http://localhost:${env.ASSAY_PAGES_PORT || 8080}` }
  const host = told.hostname === '127.0.0.1' ? told.host.replace('127.0.0.1', 'localhost') : told.host
  return { url: `${told.protocol}//${host}`, named: healthUrlFile(dataDir) }
}

/** The sentence where no sandbox responds: why, what named the address, and the cure. */
export const noSandboxSentence = (url: string, why: string, named?: string): string =>
  `No sandbox responds at ${url} (${why}${named === undefined ? '' : `; ${named} names it`}): start one with ` +
  `"npx @assay-sandbox/assay serve" ("npm start" in a clone), or set ASSAY_URL.`
