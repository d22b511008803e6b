import type { SigningKeyRecord } from '../store/certificate-and-key-store.ts'
import type { Store } from '../store/store.ts'
import { type Clock, isoTime } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import { DAY } from '../support/duration.ts'
import { LIFETIMES } from '../support/lifetimes.ts'
import { deriveKeyId } from './create-signing-key-pairs.ts'
import { refuseIfFull } from './key-and-certificate-input-errors.ts'
import { readPublicSigningKey } from './read-public-key.ts'

/** Milliseconds before its end from which a key shows as expiring (5.2 asks for advance notice). */
const NOTICE = 30 * DAY

type Parts = { store: Store; clock: Clock; onChange: (organizationId: string) => void }

/** Creates the registry of signing keys: list, register and deregister (5.2); times are on the organization's clock. */
export const createSigningKeyRegistry = ({ store, clock, onChange }: Parts) => ({
  list: async (organizationId: string) =>
    (await store.signingKeys(organizationId)).map(key => viewOf(key, clock.now(organizationId))),

  /** Registers a public key, PEM or JWK, beside the existing ones; it is valid for twelve months from its first registration. */
  register: async (organizationId: string, given: unknown) => {
    const { algorithm, publicKey } = readPublicSigningKey(given)
    const keyId = deriveKeyId(organizationId, publicKey)
    const now = clock.now(organizationId)
    const first = await store.signingKey(organizationId, keyId)
    const registeredAt = first?.registeredAt ?? now
    const expiresAt = first?.expiresAt ?? now + LIFETIMES.signingKey
    if (now >= expiresAt)
      throw new ControlError(
        'conflict',
        `This key expired on ${isoTime(expiresAt)}, and a key lives twelve months once: make a new key pair (5.2).`,
      )
    const key = { keyId, organizationId, algorithm: algorithm.name, publicKey, registeredAt, expiresAt }
    const registered = await store.addSigningKey(key)
    refuseIfFull(registered, 'signing keys')
    if (registered === 'known')
      throw new ControlError('conflict', `This key is registered already, as ${keyId}: make a new key pair.`)
    if (registered === 'other-purpose')
      throw new ControlError(
        'conflict',
        'This is the key of one of your client certificates: make a key pair for signing only (5.1).',
      )
    onChange(organizationId)
    return viewOf(key, now)
  },

  /** Deregisters a key: its signatures are refused from now on. */
  deregister: async (organizationId: string, keyId: string) => {
    const now = clock.now(organizationId)
    const key = await store.deregisterSigningKey(organizationId, keyId, now)
    if (!key)
      throw new ControlError('unknown', `${organizationId} has no signing key of this id: list them to see all.`)
    onChange(organizationId)
    return viewOf(key, now)
  },
})

const viewOf = (key: SigningKeyRecord, now: number) => {
  const { keyId, algorithm, registeredAt, expiresAt, deregisteredAt } = key
  const state = stateOf(key, now)
  return {
    keyId,
    algorithm,
    registeredAt: isoTime(registeredAt),
    expiresAt: isoTime(expiresAt),
    state,
    ...(deregisteredAt === undefined ? {} : { deregisteredAt: isoTime(deregisteredAt) }),
    ...(state === 'expiring' || state === 'expired' ? { warning: warningOf(key, state) } : {}),
  }
}

type KeyState = 'active' | 'expiring' | 'expired' | 'deregistered'

const stateOf = ({ expiresAt, deregisteredAt }: SigningKeyRecord, now: number): KeyState => {
  if (deregisteredAt !== undefined) return 'deregistered'
  if (now >= expiresAt) return 'expired'
  return now >= expiresAt - NOTICE ? 'expiring' : 'active'
}

const warningOf = ({ expiresAt }: SigningKeyRecord, state: 'expiring' | 'expired'): string =>
  `This key ${state === 'expired' ? 'expired' : 'expires'} on ${isoTime(expiresAt)}: register a new one, sign with it, then deregister this one.`
