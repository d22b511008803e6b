import {
  createCertificateAndKeyCache,
  type RegisteredCertificate,
} from '../../../simulator/http/certificate-and-key-cache.ts'
import type { SigningKeyRecord } from '../../../simulator/store/certificate-and-key-store.ts'
import { openTestStore } from '../../support/open-test-store.ts'
import type { Mutant, Mutation } from './mutant.ts'
import { mutateStore } from './simulator-mutations.ts'

/** Certificates stay as they are, whatever their dates say. */
const forgivingDates: Mutation = async (dataDir, hits) => {
  const store = await openTestStore(dataDir)
  const identityCache = createCertificateAndKeyCache(store)
  const endless = (known: RegisteredCertificate) => {
    hits.count += 1
    return { ...known, validTo: Number.POSITIVE_INFINITY }
  }
  return {
    store,
    identityCache: {
      ...identityCache,
      certificate: async fingerprint => {
        const known = await identityCache.certificate(fingerprint)
        return known && endless(known)
      },
    },
  }
}

/** The rule of 5.1 is not looked at. */
const sharingKeys = mutateStore((store, hits) => {
  const shared = new Map<string, SigningKeyRecord>()
  return {
    addSigningKey: async key => {
      const registered = await store.addSigningKey(key)
      if (registered !== 'other-purpose') return registered
      hits.count += 1
      shared.set(key.keyId, key)
      return 'saved'
    },
    signingKey: async (organizationId, keyId) => shared.get(keyId) ?? store.signingKey(organizationId, keyId),
    deregisterSigningKey: async (organizationId, keyId, now) =>
      shared.get(keyId) ?? store.deregisterSigningKey(organizationId, keyId, now),
  }
})

const keepingKeys = mutateStore((store, hits) => ({
  deregisterSigningKey: async (organizationId, keyId) => {
    hits.count += 1
    return store.signingKey(organizationId, keyId)
  },
}))

const keepingCertificates = mutateStore((store, hits) => ({
  revokeCertificate: async (organizationId, fingerprint) => {
    hits.count += 1
    return (await store.certificates(organizationId)).find(certificate => certificate.fingerprint === fingerprint)
  },
}))

const keepingOldKeys = mutateStore((store, hits) => ({
  signingKey: async (organizationId, keyId) => {
    const key = await store.signingKey(organizationId, keyId)
    hits.count += 1
    return key && { ...key, expiresAt: Number.MAX_SAFE_INTEGER }
  },
}))

/** A new key takes the place of all others as long as it is registered. */
const replacingKeys = mutateStore((store, hits) => {
  let only: string | undefined
  return {
    addSigningKey: async key => {
      const registered = await store.addSigningKey(key)
      if (registered === 'saved') only = key.keyId
      return registered
    },
    signingKey: async (organizationId, keyId) => {
      if (only === undefined || only === keyId) return store.signingKey(organizationId, keyId)
      hits.count += 1
      return undefined
    },
    deregisterSigningKey: async (organizationId, keyId, now) => {
      only = undefined
      return store.deregisterSigningKey(organizationId, keyId, now)
    },
  }
})

export const CERTIFICATE_AND_KEY_MUTANTS: readonly Mutant[] = [
  { does: 'ignores the validity period of certificates', caughtBy: ['MTLS-06'], mutation: forgivingDates },
  { does: 'does not revoke certificates', caughtBy: ['MTLS-13'], mutation: keepingCertificates },
  { does: 'ignores the validity period of signing keys', caughtBy: ['SIG-43'], mutation: keepingOldKeys },
  { does: 'accepts the key of a certificate as signing key', caughtBy: ['MTLS-11'], mutation: sharingKeys },
  { does: 'does not deregister keys', caughtBy: ['SIG-33'], mutation: keepingKeys },
  { does: 'deregisters the old key when a new one is registered', caughtBy: ['SIG-34'], mutation: replacingKeys },
]
