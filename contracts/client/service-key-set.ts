import { createPublicKey } from 'node:crypto'
import type { VerifyingKey } from '../protocol/match-signature-dialect.ts'
import { algorithmOfKey } from '../protocol/signature-algorithms.ts'
import { readSignatureInput } from '../protocol/signature-input.ts'
import { UnreadableField } from '../protocol/structured-field.ts'
import { UnreadableKeySet } from './call-errors.ts'
import { type Exchange, isServed, responseJson } from './http-exchange.ts'

/** Public keys of the service by `kid`. */
export type VerifyingKeys = ReadonlyMap<string, VerifyingKey>

/** Reads the EC keys of a key set response by `kid` (5.4); other keys are skipped. */
export const readVerifyingKeys = (exchange: Exchange): VerifyingKeys => {
  const found = readJwks(exchange).flatMap(jwk => toVerifyingKey(jwk) ?? [])
  return new Map(found.filter(key => key.keyId).map(key => [key.keyId, key]))
}

/** Returns the JWKs of a key set response, of any key type. */
export const readJwks = (exchange: Exchange): readonly NamedJwk[] => {
  const { keys } = (responseJson(exchange) ?? {}) as { keys?: unknown }
  return Array.isArray(keys) ? keys : []
}

/** A JWK in words of our own: not every version of Node's types exports one. */
type NamedJwk = { kid?: string; [member: string]: unknown }

/** Imports a JWK as a verifying key, `keyId` empty without `kid`; undefined unless it is EC on a curve of 5.2. */
export const toVerifyingKey = (jwk: NamedJwk): VerifyingKey | undefined => {
  try {
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
    const algorithm = algorithmOfKey(publicKey)
    return algorithm && { keyId: jwk.kid ?? '', algorithm, publicKey }
  } catch {
    return undefined
  }
}

const A_DAY_MS = 24 * 60 * 60 * 1000
/** How long known keys are used on where the key set could not be read. */
const ANOTHER_TRY_MS = 60 * 1000

/**
 * Creates a cache of the service's key set that lasts a day; an unknown key id under the label causes a new fetch. Where
 * that brings no keys, those that are known stay; it throws what the fetch throws, or UnreadableKeySet, if the key is not
 * among them.
 */
export const createKeySetCache = (fetchKeySet: () => Promise<Exchange>, now: () => number, label?: string) => {
  let keys: VerifyingKeys = new Map()
  let staleAt = Number.NEGATIVE_INFINITY
  let fetching: Promise<void> | undefined
  const refresh = async () => {
    try {
      const exchange = await fetchKeySet()
      const found = readVerifyingKeys(exchange)
      if (!isServed(exchange) || found.size === 0) throw new UnreadableKeySet(exchange)
      keys = found
      staleAt = now() + A_DAY_MS
    } catch (error) {
      staleAt = now() + ANOTHER_TRY_MS
      throw error
    } finally {
      fetching = undefined
    }
  }
  /** Returns the keys; fetches them if they are stale or lack the key id that the `Signature-Input` header names. */
  return async (signatureInput: string | undefined): Promise<VerifyingKeys> => {
    const keyId = keyIdIn(signatureInput, label)
    if (keyId !== undefined && (now() > staleAt || !keys.has(keyId))) {
      fetching ??= refresh()
      await fetching.catch(error => {
        if (!keys.has(keyId)) throw error
      })
    }
    return keys
  }
}

/** Returns the key id under a label of a `Signature-Input` header; undefined where none is read, which verification tells. */
const keyIdIn = (header: string | undefined, label: string | undefined): string | undefined => {
  try {
    return header === undefined ? undefined : readSignatureInput(header, label).keyId
  } catch (error) {
    if (error instanceof UnreadableField) return undefined
    throw error
  }
}

export type KeySetCache = ReturnType<typeof createKeySetCache>
