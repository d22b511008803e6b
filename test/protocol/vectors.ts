import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { algorithmNamed } from '../../contracts/protocol/algorithms.ts'
import type { Reading } from '../../contracts/protocol/signature-base.ts'
import type { Dialect, VerifyingKey } from '../../contracts/protocol/verify.ts'
import { type ReceivedRequest, type RequestRules, verifyRequest } from '../../contracts/protocol/verify-request.ts'
import data from './vectors.json' with { type: 'json' }

type Headers = Readonly<Record<string, string | undefined>>
type SignedRequest = { method: string; target: string; headers: Headers; body?: string }

/** Requests signed by somebody else, each in one reading. */
export const POSITIVES = data.positives as readonly {
  id: string
  reading: Reading
  keyId: string
  request: SignedRequest
  base: string
}[]

/** The same requests with a signature that is wrong in one way. */
export const NEGATIVES = data.negatives.map(({ id, diagnosis, signature, request }) => {
  const signed = positive(request)
  return { id, diagnosis, request: { ...signed, headers: { ...signed.headers, signature } } }
})

export const { digests: DIGESTS, badDigests: BAD_DIGESTS, components: COMPONENTS_OF_RFC } = data
export const { rfcResponse: RFC_RESPONSE, structuredFieldNegatives: STRUCTURED_FIELD_NEGATIVES } = data

/** The instant at which every generated request was signed. */
export const CREATED = 1_760_000_000

export const TOLERANT: Dialect = { readings: ['rfc', 'literal'], encodings: ['der', 'raw'] }

/** A dialect that accepts one reading and one encoding. */
export const strict = (reading: Reading, encoding: 'der' | 'raw' = 'raw'): Dialect => ({
  readings: [reading],
  encodings: [encoding],
})

export function positive(id: string): SignedRequest {
  const found = POSITIVES.find(vector => vector.id === id)
  if (!found) throw new Error(`There is no vector ${id}.`)
  return found.request
}

export const keyFor = (keyId: string): VerifyingKey | undefined => {
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

/** Judges a request at the instant of the vectors by the default window. */
export const judge = (request: SignedRequest, rules: Partial<RequestRules> = {}) =>
  verifyRequest(receivedRequest(request), {
    keyFor,
    dialect: TOLERANT,
    nowSeconds: CREATED,
    maxAgeSeconds: 300,
    maxAheadSeconds: 60,
    ...rules,
  })
