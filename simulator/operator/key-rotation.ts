import type { Clock } from '../clock.ts'
import { LIFETIMES } from '../payments/deadlines.ts'
import type { SigningKeyRecord, Store } from '../store/port.ts'
import type { createOrganizations } from './organizations.ts'
import { createSigningKeyPairs, keyIdOf } from './signing-keys.ts'

type Parts = {
  store: Store
  clock: Clock
  organizations: ReturnType<typeof createOrganizations>
  onChange: (organizationId: string) => void
}

/** Keys that end before their time, with new ones in the kit: an occasion to rotate without waiting for a year (5.2). */
export const createKeyRotation = ({ store, clock, organizations, onChange }: Parts) => {
  const setEnds = async (organizationId: string, endOf: (key: SigningKeyRecord) => number): Promise<void> => {
    const keys = await store.signingKeys(organizationId)
    const changed = keys.filter(key => key.deregisteredAt === undefined && key.expiresAt !== endOf(key))
    for (const key of changed) await store.setSigningKeyEnd(organizationId, key.keyId, endOf(key))
    if (changed.length > 0) onChange(organizationId)
  }

  /** New pairs, registered and in the kit in place of those before. */
  const handOut = async (organizationId: string): Promise<void> => {
    const kit = await organizations.credentials(organizationId)
    const registeredAt = clock.now(organizationId)
    const life = { registeredAt, expiresAt: registeredAt + LIFETIMES.signingKey }
    const signingKeys = []
    for (const { algorithm, publicKey, privateKey } of await createSigningKeyPairs()) {
      const key = { keyId: keyIdOf(organizationId, publicKey), algorithm: algorithm.name }
      await store.addSigningKey({ ...key, organizationId, publicKey, ...life })
      signingKeys.push({ ...key, privateKey })
    }
    await store.setKit(organizationId, JSON.stringify({ ...kit, signingKeys }))
  }

  return {
    /** Puts new keys into the kit and lets all others end so many milliseconds later; once, until they are restored. */
    begin: async (organizationId: string, milliseconds: number): Promise<void> => {
      if ((await store.signingKeys(organizationId)).some(key => key.expiresAt < fullLifeOf(key))) return
      const end = clock.now(organizationId) + milliseconds
      await setEnds(organizationId, key => Math.min(key.expiresAt, end))
      await handOut(organizationId)
      onChange(organizationId)
    },
    /** Every key holds for its twelve months again. */
    restore: (organizationId: string): Promise<void> => setEnds(organizationId, fullLifeOf),
  }
}

const fullLifeOf = ({ registeredAt }: SigningKeyRecord): number => registeredAt + LIFETIMES.signingKey
