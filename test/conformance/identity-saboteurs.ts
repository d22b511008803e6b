import { createTrust, type KnownCertificate } from '../../simulator/http/trust.ts'
import type { SigningKeyRecord } from '../../simulator/store/port.ts'
import { openTestStore } from '../support/open-test-store.ts'
import { type Sabotage, type Saboteur, storing } from './sabotage.ts'

/** Certificates stay as they are, whatever their dates say. */
const forgivingDates: Sabotage = async (dataDir, hits) => {
  const store = await openTestStore(dataDir)
  const trust = createTrust(store)
  const endless = (known: KnownCertificate) => {
    hits.count += 1
    return { ...known, validTo: Number.POSITIVE_INFINITY }
  }
  return {
    store,
    trust: {
      ...trust,
      certificate: async fingerprint => {
        const known = await trust.certificate(fingerprint)
        return known && endless(known)
      },
    },
  }
}

/** The rule of 5.1 is not looked at. */
const sharingKeys = storing((store, hits) => {
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

const keepingKeys = storing((store, hits) => ({
  deregisterSigningKey: async (organizationId, keyId) => {
    hits.count += 1
    return store.signingKey(organizationId, keyId)
  },
}))

/** A new key takes the place of all others as long as it is registered. */
const replacingKeys = storing((store, hits) => {
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

export const IDENTITY_SABOTEURS: readonly Saboteur[] = [
  { does: 'looks at no date of a certificate', caughtBy: ['MTLS-06'], sabotage: forgivingDates },
  { does: 'lets the key of a certificate sign', caughtBy: ['MTLS-11'], sabotage: sharingKeys },
  { does: 'deregisters no key', caughtBy: ['SIG-33'], sabotage: keepingKeys },
  { does: 'ends the old key when a new one comes', caughtBy: ['SIG-34'], sabotage: replacingKeys },
]
