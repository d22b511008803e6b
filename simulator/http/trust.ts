import { createPublicKey, X509Certificate } from 'node:crypto'
import { algorithmNamed } from '../../contracts/protocol/algorithms.ts'
import type { VerifyingKey } from '../../contracts/protocol/verify.ts'
import type { Organization, Store } from '../store/port.ts'

/** A client certificate that an organization has registered, revoked or not; times in epoch milliseconds. */
export type KnownCertificate = { organization: Organization; validFrom: number; validTo: number; isRevoked: boolean }

/** A signing key that an organization has registered, deregistered or not. */
export type KnownKey = VerifyingKey & { expiresAt: number; isDeregistered: boolean }

/** What the first two layers know of organizations, their certificates (5.1) and signing keys (5.2): looked up once. */
export type Trust = {
  certificate(fingerprint: string): Promise<KnownCertificate | undefined>
  key(organizationId: string, keyId: string): Promise<KnownKey | undefined>
  organization(organizationId: string): Promise<Organization | undefined>
  /** The word that it is no longer what it was, of an organization or of any: it is looked up again. */
  forget(organizationId?: string): void
}

export const createTrust = (store: Store): Trust => {
  const certificates = remember(
    (fingerprint: string) => loadCertificate(store, fingerprint),
    (_, { organization }) => organization.organizationId,
  )
  const organizations = remember(store.organization, name => name)
  const keys = remember(
    (name: string) => loadKey(store, ...partsOf(name)),
    name => partsOf(name)[0],
  )
  return {
    certificate: certificates.find,
    key: (organizationId, keyId) => keys.find(`${organizationId}\n${keyId}`),
    organization: organizations.find,
    forget: organizationId => {
      certificates.forget(organizationId)
      organizations.forget(organizationId)
      keys.forget(organizationId)
    },
  }
}

const partsOf = (name: string): [organizationId: string, keyId: string] => {
  const [organizationId = '', keyId = ''] = name.split('\n')
  return [organizationId, keyId]
}

/** Names of strangers are remembered too, so many of them: who comes again and again costs one look-up. */
const MOST_UNKNOWN = 1_000

/** Remembers what was found, and what was not. A look-up that was under way when anything was to be forgotten is not remembered. */
const remember = <Found>(
  load: (name: string) => Promise<Found | undefined>,
  whose: (name: string, found: Found) => string,
) => {
  const memory = new Map<string, Found>()
  const unknown = new Set<string>()
  const namesOf = new Map<string, string[]>()
  let forgotten = 0
  return {
    find: async (name: string): Promise<Found | undefined> => {
      const known = memory.get(name)
      if (known || unknown.has(name)) return known
      const before = forgotten
      const found = await load(name)
      if (before !== forgotten || memory.has(name)) return found
      if (found === undefined) {
        if (unknown.size >= MOST_UNKNOWN) unknown.clear()
        unknown.add(name)
        return undefined
      }
      memory.set(name, found)
      const organizationId = whose(name, found)
      namesOf.set(organizationId, [...(namesOf.get(organizationId) ?? []), name])
      return found
    },
    forget: (organizationId?: string) => {
      forgotten += 1
      unknown.clear()
      const all = organizationId === undefined
      for (const name of all ? memory.keys() : (namesOf.get(organizationId) ?? [])) memory.delete(name)
      if (all) namesOf.clear()
      else namesOf.delete(organizationId)
    },
  }
}

const loadCertificate = async (store: Store, fingerprint: string): Promise<KnownCertificate | undefined> => {
  const record = await store.certificate(fingerprint)
  const organization = record && (await store.organization(record.organizationId))
  if (!organization) return undefined
  const { validFromDate, validToDate } = new X509Certificate(record.pem)
  return {
    organization,
    validFrom: validFromDate.getTime(),
    validTo: validToDate.getTime(),
    isRevoked: record.revokedAt !== undefined,
  }
}

const loadKey = async (store: Store, organizationId: string, keyId: string): Promise<KnownKey | undefined> => {
  const record = await store.signingKey(organizationId, keyId)
  return (
    record && {
      keyId,
      algorithm: algorithmNamed(record.algorithm),
      publicKey: createPublicKey(record.publicKey),
      expiresAt: record.expiresAt,
      isDeregistered: record.deregisteredAt !== undefined,
    }
  )
}
