import { dirname, resolve } from 'node:path'
import { checkIdentity } from '../../client/check-pem-files.ts'
import {
  type Credentials,
  createSigningKey,
  credentialsFromKit,
  type Identity,
  readKit,
} from '../../client/credentials.ts'
import { unusableAccessSentence } from '../../client/sandbox-address.ts'
import type { SigningKey } from '../../protocol/sign-messages.ts'
import { isWebhookSecret } from '../../protocol/webhook-hmac.ts'
import type { OrganizationSource, Profile } from './profile.ts'
import { ProfileError, readText } from './read-profile.ts'

/** Reads the credentials of an organization that a profile names; the target's base URL overrides the kit's. */
export const readCredentials = (profile: Profile, source: OrganizationSource): Credentials => {
  const folder = dirname(profile.file)
  if ('kit' in source) return { ...readKit(resolve(folder, source.kit)), baseUrl: profile.target.baseUrl }
  const line = source === profile.secondOrganization ? 'secondOrganization' : 'organization'
  const nameOf = (member: string) => `${line}.${member} in ${profile.file}`
  const secret = (reference: string) => readPem(reference, profile.file)
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
  return credentialsFromKit(kit, folder, nameOf)
}

/** Reads the expired or revoked client certificate that a profile names, with its key, if it names one. */
export const readIdentity = (profile: Profile, line: 'expiredIdentity' | 'revokedIdentity'): Identity | undefined => {
  const { file, [line]: source } = profile
  if (!source) return undefined
  const identity = { certificate: readPem(source.certificate, file), privateKey: readPem(source.privateKey, file) }
  checkIdentity(identity, member => `${line}.${member} in ${file}`)
  return identity
}

/** Reads the expired or deregistered signing key that a profile names, if it names one. */
export const readSigningKey = (profile: Profile, line: 'expiredKey' | 'revokedKey'): SigningKey | undefined => {
  const { file, [line]: source } = profile
  return source && createSigningKey(source, readPem(source.privateKey, file))
}

/** Reads the secret of the webhooks of a profile; throws a ProfileError where it is not of the form of D-100. */
export const readWebhookSecret = ({ file, webhooks }: Profile): string | undefined => {
  if (webhooks?.secret === undefined) return undefined
  const secret = readReference(webhooks.secret, file).trim()
  if (isWebhookSecret(secret)) return secret
  throw new ProfileError(`${file}: webhooks.secret must refer to whsec_ and a key in Base64.`)
}

/** Checks before any call that all a profile refers to beside its own organization can be read; throws otherwise. */
export const checkReferences = (profile: Profile): void => {
  for (const line of ['expiredIdentity', 'revokedIdentity'] as const) readIdentity(profile, line)
  for (const line of ['expiredKey', 'revokedKey'] as const) readSigningKey(profile, line)
  readWebhookSecret(profile)
  const { secondOrganization: second } = profile
  if (second && !('create' in second)) readCredentials(profile, second)
}

/**
 * Reads the control address of a profile, with the bearer token that its reference points to; throws a ProfileError where
 * no call can be made with them.
 */
export const readControlAddress = ({ file, control }: Profile): { url: string; token?: string } => {
  const { url = '', token: reference } = control ?? {}
  const token = reference === undefined ? {} : { token: readReference(reference, file).trim() }
  const unusable = unusableAccessSentence(url, token.token)
  if (unusable !== undefined) throw new ProfileError(unusable)
  return { url, ...token }
}

/** Reads the PEM text that a reference of a profile points to; throws a ProfileError where it points to no PEM. */
const readPem = (reference: string, file: string): string => {
  const text = readReference(reference, file)
  if (text.includes('-----BEGIN')) return text
  throw new ProfileError(`${reference} in ${file} leads to no PEM: name a text that begins with -----BEGIN.`)
}

/** Reads the text that a reference of a profile (`file:PATH`, `env:NAME`) points to; throws a ProfileError without it. */
const readReference = (reference: string, file: string): string => {
  const name = reference.slice(reference.indexOf(':') + 1)
  const cure = `set it, or correct ${reference} in ${file}`
  if (reference.startsWith('file:')) return readText(resolve(dirname(file), name), `correct ${reference} in ${file}`)
  const value = process.env[name]
  if (value === undefined) throw new ProfileError(`The environment has no ${name}: ${cure}.`)
  return value
}
