import { createPublicKey, X509Certificate } from 'node:crypto'
import type { VerifyingKey } from '../../contracts/protocol/match-signature-dialect.ts'
import { algorithmNamed } from '../../contracts/protocol/signature-algorithms.ts'
import type { Organization } from '../store/organization-store.ts'
import type { Store } from '../store/store.ts'

/** A client certificate that an organization has registered, possibly revoked; times in epoch milliseconds. */
export type RegisteredCertificate = {
  organization: Organization
  validFrom: number
  validTo: number
  isRevoked: boolean
}

/** A signing key that an organization has registered, possibly deregistered; `expiresAt` in epoch milliseconds. */
export type RegisteredKey = VerifyingKey & { expiresAt: number; isDeregistered: boolean }

/**
 * Cache of organizations, client certificates (5.1) and signing keys (5.2), for the first two security layers: to load
 * them costs an eighth of a signed call.
 */
export type CertificateAndKeyCache = {
  certificate(fingerprint: string): Promise<RegisteredCertificate | undefined>
  key(organizationId: string, keyId: string): Promise<RegisteredKey | undefined>
  /** Whether a key belongs to another organization. It looks through all of them, which only D-30 by choice is worth. */
  isForeignKey(organizationId: string, keyId: string): Promise<boolean>
  organization(organizationId: string): Promise<Organization | undefined>
  /** Invalidates the entries of one organization, or all: they are loaded again when next used. */
  invalidate(organizationId?: string): void
}

/** Creates the cache of organizations, client certificates and signing keys for the first two security layers. */
export const createCertificateAndKeyCache = (store: Store): CertificateAndKeyCache => {
  const certificates = createCache(
    (fingerprint: string) => loadCertificate(store, fingerprint),
    (_, { organization }) => organization.organizationId,
  )
  const organizations = createCache(store.organization, name => name)
  const keys = createCache(
    (name: string) => loadKey(store, ...partsOf(name)),
    name => partsOf(name)[0],
  )
  return {
    certificate: certificates.find,
    key: (organizationId, keyId) => keys.find(`${organizationId}\n${keyId}`),
    isForeignKey: async (organizationId, keyId) => {
      const others = (await store.organizations()).filter(other => other.organizationId !== organizationId)
      const found = others.map(other => keys.find(`${other.organizationId}\n${keyId}`))
      return (await Promise.all(found)).some(Boolean)
    },
    organization: organizations.find,
    invalidate: organizationId => {
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

/** Number of unknown names that are cached, so that repeated look-ups of one cost a single query. */
const MAX_UNKNOWN = 1_000

/** Caches look-ups by name, found or not. A result loaded while the cache was invalidated is not cached. */
const createCache = <Found>(
  load: (name: string) => Promise<Found | undefined>,
  ownerOf: (name: string, found: Found) => string,
) => {
  const entries = new Map<string, Found>()
  const unknown = new Set<string>()
  const namesOf = new Map<string, string[]>()
  let invalidations = 0
  return {
    find: async (name: string): Promise<Found | undefined> => {
      const known = entries.get(name)
      if (known || unknown.has(name)) return known
      const before = invalidations
      const found = await load(name)
      if (before !== invalidations || entries.has(name)) return found
      if (found === undefined) {
        if (unknown.size >= MAX_UNKNOWN) unknown.clear()
        unknown.add(name)
        return undefined
      }
      entries.set(name, found)
      const organizationId = ownerOf(name, found)
      namesOf.set(organizationId, [...(namesOf.get(organizationId) ?? []), name])
      return found
    },
    forget: (organizationId?: string) => {
      invalidations += 1
      unknown.clear()
      const all = organizationId === undefined
      for (const name of all ? entries.keys() : (namesOf.get(organizationId) ?? [])) entries.delete(name)
      if (all) namesOf.clear()
      else namesOf.delete(organizationId)
    },
  }
}

const loadCertificate = async (store: Store, fingerprint: string): Promise<RegisteredCertificate | undefined> => {
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

const loadKey = async (store: Store, organizationId: string, keyId: string): Promise<RegisteredKey | undefined> => {
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
