import type { KeyObject } from 'node:crypto'
import { contentDigest, type DigestName } from './content-digest.ts'
import { signEcdsa } from './ecdsa.ts'
import { rawFromDer, type SignatureEncoding } from './ecdsa-encoding.ts'
import type { Algorithm } from './signature-algorithms.ts'
import {
  type AuthorityPort,
  type BaseReading,
  COVERED_COMPONENTS,
  type ResponseParts,
  requestComponent,
  responseComponent,
  signatureBase,
} from './signature-base.ts'
import { type ParameterOrder, SIGNATURE_LABEL, writeParameters } from './signature-input.ts'

/** A private key that signs messages, with its registered id and algorithm. */
export type SigningKey = { keyId: string; algorithm: Algorithm; privateKey: KeyObject }

/** Options of signing a message: the creation time, and the variants of the signature dialect (5.2, C7). */
export type SigningOptions = {
  /** UNIX time in seconds, UTC. */
  created: number
  reading?: BaseReading
  encoding?: SignatureEncoding
  digest?: DigestName
  /** Order of the parameters keyid and created. */
  order?: ParameterOrder
  /** Whether `@authority` keeps its port. */
  port?: AuthorityPort
  /** Label of the signature, `service_sig` where none is named. */
  label?: string
}

/** The parts of a request that its signature covers; `host` is the Host header. */
export type RequestToSign = { method: string; target: string; host: string; contentType?: string; body?: Uint8Array }

/** Signs a signature base with the hash of the key's algorithm (5.2). */
export const signBase = async (base: string, key: SigningKey, encoding: SignatureEncoding): Promise<Buffer> => {
  const der = await signEcdsa(key.algorithm, Buffer.from(base), key.privateKey)
  if (encoding === 'der') return der
  const raw = rawFromDer(der, key.algorithm.coordinateBytes)
  if (!raw) throw new Error('The crypto library returned a signature that is not DER.')
  return raw
}

/** Computes the signature headers of a request (5.2), with Content-Digest and Content-Length where it has a body. */
export const signRequest = (
  request: RequestToSign,
  key: SigningKey,
  options: SigningOptions,
): Promise<Record<string, string>> => {
  const components =
    request.body === undefined ? COVERED_COMPONENTS.requestWithoutBody : COVERED_COMPONENTS.requestWithBody
  return signComponents(components, request, key, options)
}

/** Computes the signature headers of a webhook (6, D-100); the host is not covered because tunnels change it. */
export const signWebhook = (
  webhook: { target: string; contentType: string; body: Uint8Array },
  key: SigningKey,
  options: SigningOptions,
): Promise<Record<string, string>> =>
  signComponents(COVERED_COMPONENTS.webhook, { ...webhook, method: 'POST', host: '' }, key, {
    digest: 'sha-512',
    ...options,
  })

const signComponents = async (
  components: readonly string[],
  { method, target, host, contentType, body }: RequestToSign,
  key: SigningKey,
  { created, reading = 'literal', encoding = 'der', digest = 'sha-256', order, port, label }: SigningOptions,
): Promise<Record<string, string>> => {
  const content =
    body === undefined
      ? undefined
      : { 'content-digest': contentDigest(body, digest), 'content-length': String(body.length) }
  const parts = {
    method,
    target,
    host,
    port,
    contentType,
    contentDigest: content?.['content-digest'],
    contentLength: body?.length,
  }
  const parameters = writeParameters(components, key.keyId, created, order)
  const base = signatureBase(components, name => requestComponent(parts, name), parameters, reading, label)
  return { ...content, ...signatureHeaders(parameters, await signBase(base, key, encoding), label) }
}

/**
 * Signs a response (5.4): returns Signature-Input and Signature over the status and, with a body, its given digest, type
 * and length.
 */
export const signResponse = async (
  response: ResponseParts,
  key: SigningKey,
  { created, reading = 'literal', encoding = 'der', label }: SigningOptions,
): Promise<Record<string, string>> => {
  const components =
    response.contentDigest === undefined ? COVERED_COMPONENTS.responseWithoutBody : COVERED_COMPONENTS.responseWithBody
  const parameters = writeParameters(components, key.keyId, created)
  const base = signatureBase(components, name => responseComponent(response, name), parameters, reading, label)
  return signatureHeaders(parameters, await signBase(base, key, encoding), label)
}

const signatureHeaders = (
  parameters: string,
  signature: Buffer,
  label: string = SIGNATURE_LABEL,
): Record<string, string> => ({
  'signature-input': `${label}=${parameters}`,
  signature: `${label}=:${signature.toString('base64')}:`,
})
