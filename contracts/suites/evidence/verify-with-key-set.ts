import type { Exchange } from '../../client/http-exchange.ts'
import { readJwks, toVerifyingKey } from '../../client/service-key-set.ts'
import type { AcceptedResponseDialect } from '../../protocol/match-signature-dialect.ts'
import { type ComponentReader, matchByReaders } from '../../protocol/received-components.ts'
import { ALGORITHMS, type Algorithm } from '../../protocol/signature-algorithms.ts'
import type { SignatureInput } from '../../protocol/signature-input.ts'

/**
 * The result of verifying a signature of the service: its hash function, or the reason why it cannot be judged
 * (`unread`) or does not verify (`error`).
 */
export type ServiceSignatureResult = { hash: Algorithm['hash'] } | { unread: string } | { error: string }

type ServiceSignature = {
  of: 'response' | 'webhook'
  input: SignatureInput
  signature: Buffer
  dialect: AcceptedResponseDialect
}

/**
 * Verifies a signature of the service with every key of its key set and every hash: how a key is named, and which hash
 * goes with its curve, is open (5.4, D-27). A key that is named as the signature names it is the one that signs.
 */
export const verifyWithKeySet = async (
  keySet: Exchange,
  { of, input, signature, dialect }: ServiceSignature,
  readers: readonly ComponentReader[],
): Promise<ServiceSignatureResult> => {
  const keys = importKeys(keySet)
  for (const { algorithm, publicKey } of keys.flatMap(({ key }) => key ?? []))
    for (const hash of hashesOf(algorithm)) {
      const key = { keyId: input.keyId, algorithm: { ...algorithm, hash } as Algorithm, publicKey }
      if (await matchByReaders(input, signature, readers, key, dialect)) return { hash }
    }
  const isNamed = keys.some(({ jwk }) => jwk?.kid === input.keyId)
  const others = keys.filter(({ jwk, key }) => jwk && !key && (!isNamed || jwk.kid === input.keyId)).length
  return others > 0
    ? { unread: `${others} of its public keys ${others === 1 ? 'is no EC key' : 'are no EC keys'}` }
    : { error: `the signature of the ${of} does not verify with any key of the key set` }
}

type ImportedKey = { jwk: ReturnType<typeof readJwks>[number]; key: ReturnType<typeof toVerifyingKey> }

/** Imported keys of a key set response: importing them for each response was half the time of judging all signatures. */
const imported = new WeakMap<Exchange, readonly ImportedKey[]>()

const importKeys = (keySet: Exchange): readonly ImportedKey[] => {
  const keys = imported.get(keySet) ?? readJwks(keySet).map(jwk => ({ jwk, key: toVerifyingKey(jwk) }))
  imported.set(keySet, keys)
  return keys
}

/** Returns the hashes to try for a key: that of its curve first (5.2 requires it of requests), then the others. */
const hashesOf = ({ hash }: Algorithm): Algorithm['hash'][] => [
  hash,
  ...ALGORITHMS.map(row => row.hash).filter(other => other !== hash),
]

/** Says of a signature of the service that cannot be judged why, what can be, and which lines can cure it. */
export const unjudgedSignature = (why: string, file: string): string =>
  `${why}: this suite verifies ECDSA on P-256, P-384 and P-521 with the parameters keyid and created; another label, reading, encoding or digest can be said under responses in ${file}`
