import type { KeyObject } from 'node:crypto'
import type { Algorithm } from './algorithms.ts'
import { contentDigest, type DigestName } from './content-digest.ts'
import { signEcdsa } from './ecdsa.ts'
import { type Encoding, rawFromDer } from './ecdsa-encoding.ts'
import {
  type AnswerParts,
  answerComponent,
  COMPONENTS,
  type Port,
  type Reading,
  requestComponent,
  signatureBase,
} from './signature-base.ts'
import { type Order, SIGNATURE_LABEL, writeParameters } from './signature-input.ts'

export type SigningKey = { keyId: string; algorithm: Algorithm; privateKey: KeyObject }

export type SigningOptions = {
  /** UNIX time in seconds, UTC. */
  created: number
  reading?: Reading
  encoding?: Encoding
  digest?: DigestName
  /** Of the parameters keyid and created. */
  order?: Order
  /** Of `@authority`. */
  port?: Port
}

export type RequestToSign = { method: string; target: string; host: string; contentType?: string; body?: Uint8Array }

/** Signs a base with the algorithm's own hash; the hash always fits the curve (5.2). */
export const signBase = async (base: string, key: SigningKey, encoding: Encoding): Promise<Buffer> => {
  const der = await signEcdsa(key.algorithm, Buffer.from(base), key.privateKey)
  if (encoding === 'der') return der
  const raw = rawFromDer(der, key.algorithm.coordinateBytes)
  if (!raw) throw new Error('The crypto library returned a signature that is not DER.')
  return raw
}

/** Headers that make a request a signed one (5.2): digest and length with a body, and the signature pair. */
export const signRequest = (
  request: RequestToSign,
  key: SigningKey,
  options: SigningOptions,
): Promise<Record<string, string>> => {
  const components = request.body === undefined ? COMPONENTS.requestWithoutBody : COMPONENTS.requestWithBody
  return signOver(components, request, key, options)
}

/** Headers that sign a webhook as answers are signed (6, D-100); the host is not covered: tunnels change it. */
export const signWebhook = (
  webhook: { target: string; contentType: string; body: Uint8Array },
  key: SigningKey,
  options: SigningOptions,
): Promise<Record<string, string>> =>
  signOver(COMPONENTS.webhook, { ...webhook, method: 'POST', host: '' }, key, { digest: 'sha-512', ...options })

const signOver = async (
  components: readonly string[],
  { method, target, host, contentType, body }: RequestToSign,
  key: SigningKey,
  { created, reading = 'literal', encoding = 'der', digest = 'sha-256', order, port }: SigningOptions,
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
  const base = signatureBase(components, name => requestComponent(parts, name), parameters, reading)
  return { ...content, ...signatureHeaders(parameters, await signBase(base, key, encoding)) }
}

/** Headers that sign an answer (5.4): the status, and with a body its digest, type and length. */
export const signAnswer = async (
  answer: AnswerParts,
  key: SigningKey,
  { created, reading = 'literal', encoding = 'der' }: SigningOptions,
): Promise<Record<string, string>> => {
  const components = answer.contentDigest === undefined ? COMPONENTS.answerWithoutBody : COMPONENTS.answerWithBody
  const parameters = writeParameters(components, key.keyId, created)
  const base = signatureBase(components, name => answerComponent(answer, name), parameters, reading)
  return signatureHeaders(parameters, await signBase(base, key, encoding))
}

const signatureHeaders = (parameters: string, signature: Buffer): Record<string, string> => ({
  'signature-input': `${SIGNATURE_LABEL}=${parameters}`,
  signature: `${SIGNATURE_LABEL}=:${signature.toString('base64')}:`,
})
