import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { algorithmOfKey } from '../protocol/algorithms.ts'
import type { VerifyingKey } from '../protocol/verify.ts'
import { type AnswerVerdict, verifyAnswer } from '../protocol/verify-answer.ts'
import { type Exchange, jsonOf } from './exchange.ts'

export type Keys = ReadonlyMap<string, VerifyingKey>

/** The EC keys of a key set by their `kid` (5.4); what is no such key is passed over. */
export const keysOf = (exchange: Exchange): Keys => {
  const { keys } = (jsonOf(exchange) ?? {}) as { keys?: unknown }
  const found = Array.isArray(keys) ? keys.flatMap(verifyingKey) : []
  return new Map(found.map(key => [key.keyId, key]))
}

const verifyingKey = (jwk: JsonWebKey & { kid?: string }): VerifyingKey[] => {
  try {
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
    const algorithm = algorithmOfKey(publicKey)
    return algorithm && jwk.kid ? [{ keyId: jwk.kid, algorithm, publicKey }] : []
  } catch {
    return []
  }
}

/** Judges the signature of a recorded answer (5.4); either reading of the base and either encoding will do (C7). */
export const verifyExchange = async ({ answer }: Exchange, keys: Keys): Promise<AnswerVerdict> => {
  if (!answer) return { ok: false, message: 'there is no answer' }
  const { status, headers, body } = answer
  return verifyAnswer({ status, header: name => headers[name], body }, keyId => keys.get(keyId), {
    readings: ['rfc', 'literal'],
    encodings: ['der', 'raw'],
  })
}

const A_DAY_MS = 24 * 60 * 60 * 1000

/** A verifier of answers that holds the key set for a day, and fetches it anew for a key id that it does not know. */
export const createVerifier = (fetchKeySet: () => Promise<Exchange>, now: () => number) => {
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
  return async (exchange: Exchange): Promise<AnswerVerdict> => {
    const keyId = /;\s*keyid="([^"]*)"/.exec(exchange.answer?.headers['signature-input'] ?? '')?.[1]
    if (keyId !== undefined && (now() > staleAt || !keys.has(keyId))) {
      fetching ??= refresh()
      await fetching
    }
    return verifyExchange(exchange, keys)
  }
}
