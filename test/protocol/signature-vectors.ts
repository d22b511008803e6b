import { createPublicKey, type JsonWebKey } from 'node:crypto'
import type { AcceptedDialect, VerifyingKey } from '../../contracts/protocol/match-signature-dialect.ts'
import { algorithmNamed } from '../../contracts/protocol/signature-algorithms.ts'
import type { BaseReading } from '../../contracts/protocol/signature-base.ts'
import {
  type ReceivedRequest,
  type RequestVerificationRules,
  verifyRequest,
} from '../../contracts/protocol/verify-request.ts'
import data from './signature-vectors.json' with { type: 'json' }

type Headers = Readonly<Record<string, string | undefined>>
type SignedRequest = { method: string; target: string; headers: Headers; body?: string }

/** Signature vectors for tests: requests signed by an independent implementation, each in one reading of 5.2. */
export const POSITIVE_VECTORS = data.positives as readonly {
  id: string
  reading: BaseReading
  keyId: string
  request: SignedRequest
  base: string
}[]

/** Signature vectors for tests: requests with one error in their signature each. */
export const NEGATIVE_VECTORS = data.negatives.map(({ id, diagnosis, signature, request }) => {
  const signed = positiveVector(request)
  return { id, diagnosis, request: { ...signed, headers: { ...signed.headers, signature } } }
})

export const { digests: DIGESTS, badDigests: BAD_DIGESTS, components: COMPONENTS_OF_RFC } = data
export const { rfcResponse: RFC_RESPONSE, structuredFieldNegatives: STRUCTURED_FIELD_NEGATIVES } = data

/** Value of `created` in every signature of the test vectors, epoch seconds. */
export const VECTORS_CREATED = 1_760_000_000

export const TOLERANT_DIALECT: AcceptedDialect = { readings: ['rfc', 'literal'], encodings: ['der', 'raw'] }

/** Creates a signature dialect for tests that accepts one reading of the base and one encoding. */
export const strictDialect = (reading: BaseReading, encoding: 'der' | 'raw' = 'raw'): AcceptedDialect => ({
  readings: [reading],
  encodings: [encoding],
})

export function positiveVector(id: string): SignedRequest {
  const found = POSITIVE_VECTORS.find(vector => vector.id === id)
  if (!found) throw new Error(`There is no vector ${id}.`)
  return found.request
}

export const vectorKey = (keyId: string): VerifyingKey | undefined => {
  const row = Object.entries(data.keys).find(([name]) => name === keyId)?.[1]
  if (!row) return undefined
  const publicKey = createPublicKey({ key: row.jwk as JsonWebKey, format: 'jwk' })
  return { keyId, algorithm: algorithmNamed(row.algorithm), publicKey }
}

export const receivedRequest = ({ method, target, headers, body = '' }: SignedRequest): ReceivedRequest => ({
  method,
  target,
  host: headers.host ?? '',
  header: name => headers[name],
  body: Buffer.from(body),
})

/** Verifies a request of the signature vectors at the vectors' time with the default time window. */
export const verifyAtVectorTime = (request: SignedRequest, rules: Partial<RequestVerificationRules> = {}) =>
  verifyRequest(receivedRequest(request), {
    keyFor: vectorKey,
    dialect: TOLERANT_DIALECT,
    nowSeconds: VECTORS_CREATED,
    maxAgeSeconds: 300,
    maxAheadSeconds: 60,
    ...rules,
  })
