import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { algorithmOfKey } from '../protocol/algorithms.ts'
import type { VerifyingKey } from '../protocol/verify.ts'
import { type AnswerVerdict, verifyAnswer } from '../protocol/verify-answer.ts'
import { type Exchange, jsonOf } from './exchange.ts'

export type Keys = ReadonlyMap<string, VerifyingKey>

/** The EC keys of a key set by their `kid` (5.4); what is no such key is passed over. */
export const keysOf = (exchange: Exchange): Keys => {
  const found = membersOf(exchange).flatMap(jwk => readKey(jwk) ?? [])
  return new Map(found.filter(key => key.keyId).map(key => [key.keyId, key]))
}

/** What a key set holds, keys of any kind. */
export const membersOf = (exchange: Exchange): readonly NamedJwk[] => {
  const { keys } = (jsonOf(exchange) ?? {}) as { keys?: unknown }
  return Array.isArray(keys) ? keys : []
}

type NamedJwk = JsonWebKey & { kid?: string }

/** An EC key, whether it has a name or not; undefined for any other. */
export const readKey = (jwk: NamedJwk): VerifyingKey | undefined => {
  try {
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
    const algorithm = algorithmOfKey(publicKey)
    return algorithm && { keyId: jwk.kid ?? '', algorithm, publicKey }
  } catch {
    return undefined
  }
}

/** Judges the signature of a recorded answer (5.4); either reading of the base and either encoding will do (C7). */
export const verifyExchange = async ({ answer }: Exchange, keys: Keys): Promise<AnswerVerdict> => {
  if (!answer) return { ok: false, message: 'there is no answer' }
  const { status, headers, body } = answer
  return verifyAnswer({ status, header: name => headers[name], body }, keyId => keys.get(keyId), EITHER)
}

/** Both readings and both encodings are in use (C7). */
export const EITHER = { readings: ['rfc', 'literal'], encodings: ['der', 'raw'] } as const

const A_DAY_MS = 24 * 60 * 60 * 1000

/** The key set, held for a day, and fetched anew for a key id that it does not know. */
export const createKeyCache = (fetchKeySet: () => Promise<Exchange>, now: () => number) => {
  let keys: Keys = new Map()
  let staleAt = Number.NEGATIVE_INFINITY
  let fetching: Promise<void> | undefined
  const refresh = async () => {
    try {
      keys = keysOf(await fetchKeySet())
      staleAt = now() + A_DAY_MS
    } finally {
      fetching = undefined
    }
  }
  /** The keys, this one among them if there is such a one; `signatureInput` is the header that names it. */
  return async (signatureInput: string | undefined): Promise<Keys> => {
    const keyId = /;\s*keyid="([^"]*)"/.exec(signatureInput ?? '')?.[1]
    if (keyId !== undefined && (now() > staleAt || !keys.has(keyId))) {
      fetching ??= refresh()
      await fetching
    }
    return keys
  }
}

export type KeyCache = ReturnType<typeof createKeyCache>

/** A verifier of answers (5.4). */
export const createVerifier =
  (keyCache: KeyCache) =>
  async (exchange: Exchange): Promise<AnswerVerdict> =>
    verifyExchange(exchange, await keyCache(exchange.answer?.headers['signature-input']))
