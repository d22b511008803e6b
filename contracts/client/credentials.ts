import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { DialectLines } from '../dialect/dialect-lines.ts'
import type { SigningKey } from '../protocol/sign-messages.ts'
import { ALGORITHMS, algorithmOfKey } from '../protocol/signature-algorithms.ts'
import { hasUserInfo } from '../protocol/user-info.ts'
import { readFileUpTo } from '../read-file-up-to.ts'
import {
  CredentialsError,
  checkIdentity,
  type NameOfCredential,
  parseCertificate,
  parsePrivateKey,
} from './check-pem-files.ts'

export { CredentialsError }

/** A client certificate and its private key, both PEM (5.1). */
export type Identity = { certificate: string; privateKey: string }

/** Credentials of one organization for the three security layers of clause 5, and the addresses of the service. */
export type Credentials = {
  baseUrl: string
  organizationId: string
  clientId: string
  processingAccountIds: readonly string[]
  /** PEM of the CA of the server certificate; by default the CAs that Node trusts. */
  ca?: string
  identity: Identity
  signingKeys: readonly SigningKey[]
  /** The dialect of the service, where it is not our own. */
  dialectLines?: DialectLines
}

/** The content of a kit.json: addresses, ids, and keys as PEM or as paths relative to the file. */
export type Kit = {
  apiBaseUrl: string
  pagesBaseUrl?: string
  jwksUrl?: string
  organizationId: string
  clientId: string
  processingAccountIds: readonly string[]
  ca?: string
  certificate: string
  privateKey: string
  signingKeys: readonly { keyId: string; algorithm: string; privateKey: string }[]
  /** The dialect of a sandbox that speaks another than our own: lines of a profile. */
  dialect?: DialectLines
}

/** Reads credentials from a kit folder or a kit.json; throws CredentialsError. */
export const readKit = (path: string): Credentials => {
  if (!path) throw new CredentialsError('No kit is named: give its folder or its kit.json.')
  const file = isFolder(path) ? join(path, 'kit.json') : resolve(path)
  return credentialsFromKit(parseKit(readText(file), file), dirname(file), member => `${member} in ${file}`)
}

/** Converts a kit to credentials; relative paths start from `folder`, and `nameOf` names members. Throws CredentialsError. */
export const credentialsFromKit = (
  kit: Kit,
  folder = '.',
  nameOf: NameOfCredential = member => `${member} in the kit`,
): Credentials => {
  const pem = (value: string | undefined, what: string) => pemText(value, what, folder)
  const ca = kit.ca === undefined ? {} : { ca: pem(kit.ca, 'ca') }
  const identity = { certificate: pem(kit.certificate, 'certificate'), privateKey: pem(kit.privateKey, 'privateKey') }
  if (ca.ca !== undefined) parseCertificate(ca.ca, nameOf('ca'))
  checkIdentity(identity, nameOf)
  checkBaseUrl(kit.apiBaseUrl, nameOf)
  return {
    baseUrl: kit.apiBaseUrl,
    organizationId: kit.organizationId,
    clientId: kit.clientId,
    processingAccountIds: kit.processingAccountIds,
    ...ca,
    identity,
    ...(kit.dialect === undefined ? {} : { dialectLines: kit.dialect }),
    signingKeys: kit.signingKeys.map(key => createSigningKey(key, pem(key.privateKey, `signing key ${key.keyId}`))),
  }
}

/** Throws a CredentialsError for an address at which no call can be made, by the rule of a profile's target.baseUrl. */
const checkBaseUrl = (text: string, nameOf: NameOfCredential): void => {
  const url = /^https:\/\/[^?#\s]+$/.test(text) ? URL.parse(text) : null
  if (url && !hasUserInfo(url)) return
  throw new CredentialsError(
    `${nameOf('apiBaseUrl')} is invalid: give an address that begins with https://, without a user name or password and without a query, such as https://localhost:8443.`,
  )
}

/** Reads a signing key (5.2); throws CredentialsError unless its curve fits its algorithm. */
export const createSigningKey = (
  { keyId, algorithm }: { keyId: string; algorithm: string },
  pem: string,
): SigningKey => {
  const privateKey = parsePrivateKey(pem, `Signing key ${keyId}`)
  const row = ALGORITHMS.find(({ name }) => name === algorithm)
  if (!row)
    throw new CredentialsError(
      `Signing key ${keyId} has the algorithm ${algorithm}: there are ${ALGORITHMS.map(({ name }) => name).join(', ')}.`,
    )
  if (algorithmOfKey(privateKey) === row) return { keyId, algorithm: row, privateKey }
  throw new CredentialsError(`Signing key ${keyId} is no ${row.curve} key: ${algorithm} needs one.`)
}

const pemText = (value: string | undefined, what: string, folder: string): string => {
  if (value === undefined) throw new CredentialsError(`The kit names no ${what}: add it.`)
  if (value.includes('-----BEGIN')) return value
  try {
    return readText(resolve(folder, value))
  } catch (error) {
    if (!LIKE_A_KEY.test(value)) throw error
    throw new CredentialsError(
      `The ${what} of the kit is no PEM: it lacks its first line, such as -----BEGIN PRIVATE KEY-----.`,
    )
  }
}

/** A text that is a key rather than the name of a file, and so is not repeated. */
const LIKE_A_KEY = /^[\w+/=\s-]{80,}$/

const parseKit = (text: string, file: string): Kit => {
  let kit: Readonly<Record<string, unknown>> | null
  try {
    kit = JSON.parse(text)
  } catch {
    throw new CredentialsError(`${file} is not JSON: name a kit.json that the simulator wrote.`)
  }
  for (const [name, isSo, what] of MEMBERS) {
    const value = kit?.[name]
    if (isSo(value)) continue
    const problem = value === undefined ? `has no ${name}` : `has a ${name} that is not ${what}`
    throw new CredentialsError(`${file} ${problem}: name a kit.json that the simulator wrote.`)
  }
  return kit as unknown as Kit
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isList = (isItem: (value: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(isItem)
const isKey = (value: unknown) =>
  value !== null &&
  typeof value === 'object' &&
  ['keyId', 'algorithm', 'privateKey'].every(name => isText(Reflect.get(value, name)))

// biome-ignore format: a table reads by its columns
const MEMBERS: readonly (readonly [name: keyof Kit, isSo: (value: unknown) => boolean, what: string])[] = [
  ['apiBaseUrl',           isText,                                     'a text'],
  ['organizationId',       isText,                                     'a text'],
  ['clientId',             isText,                                     'a text'],
  ['processingAccountIds', isList(isText),                             'a list of texts'],
  ['ca',                   value => value === undefined || isText(value), 'a text'],
  ['certificate',          isText,                                     'a text'],
  ['privateKey',           isText,                                     'a text'],
  ['signingKeys',          isList(isKey),                              'a list of keys, each with keyId, algorithm and privateKey'],
]

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Most bytes of a kit, or of a file that it names. */
const MOST_BYTES = 1_000_000

const readText = (file: string): string => {
  let bytes: Buffer | undefined
  try {
    bytes = readFileUpTo(file, MOST_BYTES)
  } catch {
    throw new CredentialsError(`${file} cannot be read: start the simulator, which writes it, or name another kit.`)
  }
  if (!bytes) throw new CredentialsError(`${file} is larger than 1 MB, which no kit is: name another.`)
  return bytes.toString('utf8')
}
