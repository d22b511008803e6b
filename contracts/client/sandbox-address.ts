import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the path of the file in a data folder in which a running `assay serve` notes the URL of its health check. */
export const healthUrlFile = (dataDir: string): string => join(dataDir, 'health-url')

/**
 * Reads the URL of the health check that the running sandbox of a data folder has noted there; undefined where none
 * runs.
 */
export const readHealthUrl = (dataDir: string): string | undefined => {
  try {
    return readFileSync(healthUrlFile(dataDir), 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

type Environment = Readonly<Record<string, string | undefined>>

const VARIABLE = 'ASSAY_URL'

/** Where a sandbox is: the base URL of its pages and control. `named` is the file or the variable that says so. */
export type SandboxAddress = { url: string; named?: string }

const dataDirOf = (env: Environment): string => env.ASSAY_DATA_DIR || '.assay'

/**
 * Finds the address of a running sandbox: ASSAY_URL, else what the sandbox of the data folder (ASSAY_DATA_DIR, else
 * .assay) has noted; undefined otherwise, as one at the usual port may be anybody's. Nothing is called.
 */
export const findSandboxAddress = (env: Environment): SandboxAddress | undefined => {
  if (env.ASSAY_URL) return { url: env.ASSAY_URL, named: VARIABLE }
  const dataDir = dataDirOf(env)
  const told = URL.parse(readHealthUrl(dataDir) ?? '')
  if (!told) return undefined
  const host = told.hostname === '127.0.0.1' ? told.host.replace('127.0.0.1', 'localhost') : told.host
  return { url: `${told.protocol}//${host}`, named: healthUrlFile(dataDir) }
}

/**
 * Returns the error sentence, which shows neither, for an address or a control token that no call can be made with;
 * undefined for all others.
 */
export const unusableAccessSentence = (url: string, token?: string): string | undefined => {
  if (url.includes('@'))
    return 'The address of the sandbox has a user name or password before its "@": leave that out; control takes a token instead.'
  return token === undefined || /^[\x21-\x7e]+$/.test(token)
    ? undefined
    : 'The control token cannot be sent in a header: give letters, digits and signs of ASCII, without a space or line end.'
}

const START = 'start one with "npx @assay-sandbox/assay serve" ("npm start" in a clone)'

/** Cause of a fetch of a port that the Fetch standard blocks, such as 6000: nothing is called. */
export const BAD_PORT = 'bad port'

/** Returns why a fetch failed: the code or the message of its cause, or its own message. */
export const reasonOfFailedFetch = (error: unknown): string => {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } }
  return cause?.code || cause?.message || message
}

/** What corrects an address, by what named it; one of an option is named by nothing else. */
const correctionOf = (named: string | undefined): string => {
  if (named === undefined) return 'correct the address'
  return named === VARIABLE ? 'correct ASSAY_URL' : 'set ASSAY_URL'
}

/** The cure of a call to an address that cannot be that of the pages of a sandbox. */
export const PAGES_ADDRESS = 'give that of the pages of a sandbox, such as http://localhost:8080'

/** Codes of a certificate that nothing is wrong with but its authority, which is not known here. */
const UNKNOWN_AUTHORITY = /SELF_SIGNED|LEAF|ISSUER/

/** Returns the error sentence for a call that failed by the certificate of an address; undefined for another reason. */
export const untrustedCertificateSentence = (url: string, why: string): string | undefined => {
  if (!/CERT|LEAF/.test(why)) return undefined
  const trust = UNKNOWN_AUTHORITY.test(why) ? ', or trust its authority with NODE_EXTRA_CA_CERTS' : ''
  return `The certificate of ${url} is not trusted here (${why}): ${PAGES_ADDRESS}${trust}.`
}

/** Returns the error sentence for an address where no sandbox responds: why, what named the address, and the cure. */
export const noSandboxSentence = (url: string, why: string, named?: string): string => {
  const naming = named === undefined ? [] : [`${named} names it`]
  if (why !== BAD_PORT)
    return `No sandbox responds at ${url} (${[why, ...naming].join('; ')}): ${START}, or ${correctionOf(named)}.`
  const by = naming.map(source => ` (${source})`)
  return `No call can be made to ${url}${by}: fetch blocks its port, as browsers do. Start the sandbox with another --pages-port.`
}

/** Returns the error sentence where `findSandboxAddress` finds none. */
export const noSandboxNamedSentence = (env: Environment): string =>
  `No sandbox runs in ${dataDirOf(env)}: ${START}, or name one elsewhere, such as ASSAY_URL=http://localhost:8080.`

/**
 * Returns the error sentence for a call that control refused: its own, but for a missing or wrong token (401), whose cure is
 * how the caller takes one.
 */
export const refusedCallSentence = (status: number, message: string, tokenCure: string): string =>
  status === 401 ? `${message.split(/:|\.$/, 1)[0]}: ${tokenCure}.` : message
