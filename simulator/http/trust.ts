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
  /** The operator's word that some of it is no longer what it was: all is looked up again. */
  forget(): void
}

export const createTrust = (store: Store): Trust => {
  const certificates = remember((fingerprint: string) => loadCertificate(store, fingerprint))
  const organizations = remember(store.organization)
  const keys = remember((name: string) => {
    const [organizationId = '', keyId = ''] = name.split('\n')
    return loadKey(store, organizationId, keyId)
  })
  return {
    certificate: certificates.find,
    key: (organizationId, keyId) => keys.find(`${organizationId}\n${keyId}`),
    organization: organizations.find,
    forget: () => {
      certificates.forget()
      organizations.forget()
      keys.forget()
    },
  }
}

/** Names of strangers are remembered too, so many of them: who comes again and again costs one look-up. */
const MOST_UNKNOWN = 1_000

/** Remembers what was found, and what was not. A look-up that was under way when all was to be forgotten is not remembered. */
const remember = <Found>(load: (name: string) => Promise<Found | undefined>) => {
  let memory = { found: new Map<string, Found>(), unknown: new Set<string>() }
  return {
    find: async (name: string): Promise<Found | undefined> => {
      const { found, unknown } = memory
      if (unknown.has(name)) return undefined
      const one = found.get(name) ?? (await load(name))
      if (one) found.set(name, one)
      else {
        if (unknown.size >= MOST_UNKNOWN) unknown.clear()
        unknown.add(name)
      }
      return one
    },
    forget: () => {
      memory = { found: new Map(), unknown: new Set() }
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
