import { createSigningKeyPairs, deriveKeyId } from '../installation/create-signing-key-pairs.ts'
import type { SigningKeyRecord } from '../store/certificate-and-key-store.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../support/clock.ts'
import { LIFETIMES } from '../support/lifetimes.ts'
import type { createOrganizationRegistry } from './organization-registry.ts'

type Parts = {
  store: Store
  clock: Clock
  organizations: ReturnType<typeof createOrganizationRegistry>
  onChange: (organizationId: string) => void
}

/** Creates the forced rotation of signing keys, for tests: new keys in the kit, an early end for all others (5.2). */
export const createSigningKeyRotation = ({ store, clock, organizations, onChange }: Parts) => {
  const setEnds = async (organizationId: string, endOf: (key: SigningKeyRecord) => number): Promise<void> => {
    const keys = await store.signingKeys(organizationId)
    const changed = keys.filter(key => key.deregisteredAt === undefined && key.expiresAt !== endOf(key))
    for (const key of changed) await store.setSigningKeyExpiry(organizationId, key.keyId, endOf(key))
    if (changed.length > 0) onChange(organizationId)
  }

  /** Registers new key pairs and puts them into the kit in place of the previous ones. */
  const issueKeys = async (organizationId: string): Promise<void> => {
    const kit = await organizations.credentials(organizationId)
    const registeredAt = clock.now(organizationId)
    const validity = { registeredAt, expiresAt: registeredAt + LIFETIMES.signingKey }
    const signingKeys = []
    for (const { algorithm, publicKey, privateKey } of await createSigningKeyPairs()) {
      const key = { keyId: deriveKeyId(organizationId, publicKey), algorithm: algorithm.name }
      await store.addSigningKey({ ...key, organizationId, publicKey, ...validity })
      signingKeys.push({ ...key, privateKey })
    }
    await store.setKit(organizationId, JSON.stringify({ ...kit, signingKeys }))
  }

  return {
    /** Puts new keys into the kit and ends all others after so many milliseconds; no-op if a rotation is under way. */
    begin: async (organizationId: string, milliseconds: number): Promise<void> => {
      if ((await store.signingKeys(organizationId)).some(key => key.expiresAt < fullValidityEnd(key))) return
      const end = clock.now(organizationId) + milliseconds
      await setEnds(organizationId, key => Math.min(key.expiresAt, end))
      await issueKeys(organizationId)
      onChange(organizationId)
    },
    /** Gives every key its validity of twelve months back. */
    restore: (organizationId: string): Promise<void> => setEnds(organizationId, fullValidityEnd),
  }
}

const fullValidityEnd = ({ registeredAt }: SigningKeyRecord): number => registeredAt + LIFETIMES.signingKey
