import { type Clock, isoTime } from '../clock.ts'
import { DAY } from '../duration.ts'
import { LIFETIMES } from '../payments/deadlines.ts'
import type { SigningKeyRecord, Store } from '../store/port.ts'
import { OperatorError } from './operator-error.ts'
import { readSigningKey } from './public-key.ts'
import { keyIdOf } from './signing-keys.ts'

/** How long before its end a key is said to expire (5.2 asks for advance notice). */
const NOTICE = 30 * DAY

type Parts = { store: Store; clock: Clock; onChange: (organizationId: string) => void }

/** Signing keys as the portal shows and changes them (5.2); all times are the organization's. */
export const createKeyRegistry = ({ store, clock, onChange }: Parts) => ({
  list: async (organizationId: string) =>
    (await store.signingKeys(organizationId)).map(key => viewOf(key, clock.now(organizationId))),

  /** Registers a public key, PEM or JWK; it works beside the others from now on, for twelve months. */
  register: async (organizationId: string, given: unknown) => {
    const { algorithm, publicKey } = readSigningKey(given)
    const keyId = keyIdOf(organizationId, publicKey)
    const registeredAt = clock.now(organizationId)
    const expiresAt = registeredAt + LIFETIMES.signingKey
    const key = { keyId, organizationId, algorithm: algorithm.name, publicKey, registeredAt, expiresAt }
    const registered = await store.addSigningKey(key)
    if (registered === 'known')
      throw new OperatorError('conflict', `This key is registered already, as ${keyId}: make a new key pair.`)
    if (registered === 'other-purpose')
      throw new OperatorError(
        'conflict',
        'This is the key of one of your client certificates: make a key pair for signing only (5.1).',
      )
    onChange(organizationId)
    return viewOf(key, registeredAt)
  },

  /** From now on nothing that it signs is accepted. */
  deregister: async (organizationId: string, keyId: string) => {
    const now = clock.now(organizationId)
    const key = await store.deregisterSigningKey(organizationId, keyId, now)
    if (!key)
      throw new OperatorError('unknown', `${organizationId} has no signing key of this id: list them to see all.`)
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

const stateOf = ({ expiresAt, deregisteredAt }: SigningKeyRecord, now: number) => {
  if (deregisteredAt !== undefined) return 'deregistered'
  if (now >= expiresAt) return 'expired'
  return now >= expiresAt - NOTICE ? 'expiring' : 'active'
}

const warningOf = ({ expiresAt }: SigningKeyRecord, state: 'expiring' | 'expired'): string =>
  `This key ${state === 'expired' ? 'expired' : 'expires'} on ${isoTime(expiresAt)}: register a new one, sign with it, then deregister this one.`
