import { createSigningKeyPairs, deriveKeyId } from '../installation/create-signing-key-pairs.ts'
import { refuseIfFull } from '../installation/key-and-certificate-input-errors.ts'
import type { SigningKeyRecord, SigningKeyValidity } from '../store/certificate-and-key-store.ts'
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

/**
 * Creates the functions that force a rotation of an organization's signing keys, for tests: new keys in the kit, an
 * early end for all others (5.2).
 */
export const createSigningKeyRotation = ({ store, clock, organizations, onChange }: Parts) => {
  const setValidity = async (
    organizationId: string,
    validityOf: (key: SigningKeyRecord) => SigningKeyValidity | undefined,
  ): Promise<void> => {
    let isChanged = false
    for (const key of await store.signingKeys(organizationId)) {
      const validity = validityOf(key)
      if (!validity) continue
      await store.setSigningKeyValidity(organizationId, key.keyId, validity)
      isChanged = true
    }
    if (isChanged) onChange(organizationId)
  }
  const setEnds = (organizationId: string, endOf: (key: SigningKeyRecord) => number): Promise<void> =>
    setValidity(organizationId, key =>
      key.deregisteredAt === undefined && key.expiresAt !== endOf(key)
        ? { registeredAt: key.registeredAt, expiresAt: endOf(key) }
        : undefined,
    )

  /** Registers new key pairs and puts them into the kit in place of the previous ones. */
  const issueKeys = async (organizationId: string): Promise<void> => {
    const kit = await organizations.credentials(organizationId)
    const registeredAt = clock.now(organizationId)
    const validity = { registeredAt, expiresAt: registeredAt + LIFETIMES.signingKey }
    const signingKeys = []
    for (const { algorithm, publicKey, privateKey } of await createSigningKeyPairs()) {
      const key = { keyId: deriveKeyId(organizationId, publicKey), algorithm: algorithm.name }
      refuseIfFull(await store.addSigningKey({ ...key, organizationId, publicKey, ...validity }), 'signing keys')
      signingKeys.push({ ...key, privateKey })
    }
    await organizations.saveKit(organizationId, { ...kit, signingKeys })
  }

  return {
    /** Puts new keys into the kit and ends all others after so many milliseconds; no-op if a rotation is under way. */
    begin: async (organizationId: string, milliseconds: number): Promise<void> => {
      const others = await store.signingKeys(organizationId)
      if (others.some(key => key.deregisteredAt === undefined && key.expiresAt < fullValidityEnd(key))) return
      const end = clock.now(organizationId) + milliseconds
      await issueKeys(organizationId) // first, as there may be no room for them
      await setEnds(organizationId, ({ keyId, expiresAt }) =>
        others.some(other => other.keyId === keyId) ? Math.min(expiresAt, end) : expiresAt,
      )
      onChange(organizationId)
    },
    /** Gives every key its validity of twelve months back. */
    restore: (organizationId: string): Promise<void> => setEnds(organizationId, fullValidityEnd),
    /** Lets the twelve months of keys that were registered after an instant begin then, as the clock was set back to it. */
    clamp: (organizationId: string, now: number): Promise<void> =>
      setValidity(organizationId, key =>
        key.registeredAt > now
          ? { registeredAt: now, expiresAt: Math.min(key.expiresAt, now + LIFETIMES.signingKey) }
          : undefined,
      ),
  }
}

const fullValidityEnd = ({ registeredAt }: SigningKeyRecord): number => registeredAt + LIFETIMES.signingKey
