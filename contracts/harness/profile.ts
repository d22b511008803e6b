import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { LineCounter, parseDocument } from 'yaml'
import { type Credentials, credentialsFromKit, type Identity, readKit } from '../client/credentials.ts'
import type { Paths } from '../client/endpoints.ts'
import type { SendOptions } from '../client/send.ts'
import type { Capability } from './capabilities.ts'
import { cut, profileFaults } from './profile-schema.ts'

/** A deployment as its operator describes it. `fields` say where to look, never what must hold. */
export type Profile = {
  /** Where the profile was read from, for messages and for paths in it. */
  file: string
  name: string
  target: { baseUrl: string; environment: 'sandbox' | 'production'; knownTransactionId?: string }
  organization: OrganizationSource
  secondOrganization?: OrganizationSource | { create: string }
  /** References to a certificate of ours that was trusted until it ended, and its key (5.5). */
  expiredIdentity?: { certificate: string; privateKey: string }
  /** `token` is a reference to what a guarded control wants to be shown. */
  control?: { url: string; token?: string }
  dialect?: SendOptions['dialect']
  paths?: Paths
  /** Names of the headers of answers that are not those of RFC 9421 and RFC 9530 (5.4). */
  headers?: Partial<Record<AnswerHeader, string>>
  /** Where members of a request stand, by operation: dotted names of ours, pointers of theirs. */
  requests?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Where members of an answer stand, by operation. */
  fields?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Words that are not those of the document, one for one. */
  enums?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Whether a body names a payment by a text or by a number; and an id of no payment, in the form that ids have here. */
  ids?: { transactionId?: 'text' | 'number'; unknownTransactionId?: string }
  /** Statuses of a success, by operation; any 2xx where none is named. */
  success?: Readonly<Record<string, readonly number[]>>
  errors?: { reasonCode?: string; callId?: string; declined?: { at: string; words: readonly string[] } }
  states?: Readonly<Record<string, readonly string[]>>
  settlement?: { withinSeconds?: number }
  /** Where in the body of mock/set the overrides of a step stand (2.7). */
  mocks?: { initiate?: string; finalize?: string }
  /** Where the service reaches this command to tell it what happens; port 0 is a free one (6). */
  webhooks?: { receiver?: string }
  /** The stable version, which calls get that name none (9). */
  serviceVersion?: string
  /** `holdSeconds`: how long an authorization waits for its capture (R3); `pollSeconds`: how often a status may be asked for. */
  limits?: { bodyBytes?: number; callsPerSecond?: number; holdSeconds?: number; pollSeconds?: number }
  /** The transcript of an earlier run, whose fields must still be there (9). */
  earlierRun?: string
  /** What this deployment lacks, by name, each with whether it is there. */
  capabilities?: Readonly<Partial<Record<Capability, boolean>>>
  notApplicable?: Readonly<Record<string, string>>
  /** Checks that are known to fail here, each with the reason or the ticket. */
  knownFailures?: Readonly<Record<string, string>>
  /** What a run may take at most: time in all, time for each call, calls in a second, payments, and sums as they are sent. */
  budgets?: { seconds?: number; callSeconds?: number; callsPerSecond?: number; payments?: number; amount?: number }
  /** Lines that `scout` filled and nobody has looked at, each with the checks that would only confirm it by itself. */
  scouted?: Readonly<Record<string, readonly string[]>>
  confirmed?: 'all' | readonly string[]
}

export type AnswerHeader = 'signature' | 'signatureInput' | 'contentDigest'

export type OrganizationSource =
  | { kit: string }
  | {
      id: string
      clientId?: string
      processingAccountIds: readonly string[]
      ca?: string
      certificate: string
      privateKey: string
      signingKeys: readonly { keyId: string; algorithm: string; privateKey: string }[]
    }

/** What the command line may say instead of the profile. */
export type Overrides = { baseUrl?: string; kit?: string; control?: string }

/** A fault of a profile that a person can mend; the message names file and line. */
export class ProfileError extends Error {}

/** Reads a profile and checks it; the first fault is told with its line. */
export const readProfile = (file: string, overrides: Overrides = {}): Profile => {
  const lines = new LineCounter()
  const { document, data } = parsed(file, lines)
  const [fault] = profileFaults(data)
  if (!fault) return overridden({ ...data, file }, overrides)
  const node = document.getIn(fault.path, true) ?? document.getIn(fault.path.slice(0, -1), true)
  const start = (node as { range?: [number] } | undefined)?.range?.[0] ?? 0
  throw new ProfileError(`${file}:${lines.linePos(start).line}: ${fault.message}.`)
}

/** What the file holds; aliases that lead nowhere or everywhere, and endless nesting, the parser only throws at. */
const parsed = (file: string, lines: LineCounter) => {
  const text = readText(file)
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
    const [broken] = document.errors
    if (broken) throw new ProfileError(`${file}:${lines.linePos(broken.pos[0]).line}: ${cut(broken.message, 200)}.`)
    return { document, data: document.toJS() ?? {} }
  } catch (error) {
    if (error instanceof ProfileError) throw error
    throw new ProfileError(`${file} cannot be read as YAML: ${cut((error as Error).message, 200).replace(/\.$/, '')}.`)
  }
}

const overridden = (profile: Profile, { baseUrl, kit, control }: Overrides): Profile => {
  if (baseUrl !== undefined && !/^https:\/\/[^/?#\s]/.test(baseUrl))
    throw new ProfileError(`The base URL "${baseUrl}" is none: give one that begins with https://.`)
  return {
    ...profile,
    target: { ...profile.target, ...(baseUrl === undefined ? {} : { baseUrl }) },
    ...(kit === undefined ? {} : { organization: { kit: resolve(kit) } }),
    ...(control === undefined ? {} : { control: { ...profile.control, url: control } }),
  }
}

/** The credentials that a profile names; the target's base URL wins over the kit's. */
export const credentialsOf = (profile: Profile, source: OrganizationSource): Credentials => {
  const folder = dirname(profile.file)
  if ('kit' in source) return { ...readKit(resolve(folder, source.kit)), baseUrl: profile.target.baseUrl }
  const secret = (reference: string) => readReference(reference, folder)
  const kit = {
    apiBaseUrl: profile.target.baseUrl,
    organizationId: source.id,
    clientId: source.clientId ?? source.id,
    processingAccountIds: source.processingAccountIds,
    ...(source.ca === undefined ? {} : { ca: secret(source.ca) }),
    certificate: secret(source.certificate),
    privateKey: secret(source.privateKey),
    signingKeys: source.signingKeys.map(key => ({ ...key, privateKey: secret(key.privateKey) })),
  }
  return credentialsFromKit(kit, folder)
}

/** The certificate that a profile names as expired, if it names one. */
export const expiredIdentityOf = ({ file, expiredIdentity }: Profile): Identity | undefined =>
  expiredIdentity && {
    certificate: readReference(expiredIdentity.certificate, dirname(file)),
    privateKey: readReference(expiredIdentity.privateKey, dirname(file)),
  }

/** Where control is, and what it wants to be shown. */
export const controlOf = ({ file, control }: Profile): { url: string; token?: string } => {
  const { url = '', token } = control ?? {}
  return { url, ...(token === undefined ? {} : { token: readReference(token, dirname(file)).trim() }) }
}

const readReference = (reference: string, folder: string): string => {
  const name = reference.slice(reference.indexOf(':') + 1)
  if (reference.startsWith('file:')) return readText(resolve(folder, name))
  const value = process.env[name]
  if (value === undefined) throw new ProfileError(`The environment has no ${name}: set it, the profile refers to it.`)
  return value
}

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new ProfileError(`There is no readable file ${file}: name one that exists.`)
  }
}
