import { contentDigestFault } from './content-digest.ts'
import { COMPONENTS, type RequestParts, requestComponent, signatureBase } from './signature-base.ts'
import { readSignatureInput, type SignatureInput } from './signature-input.ts'
import { UnreadableField } from './structured-field.ts'
import { type Dialect, type Match, matchSignature, readSignature, type VerifyingKey } from './verify.ts'

export type ReceivedRequest = {
  method: string
  target: string
  host: string
  header(name: string): string | undefined
  body: Uint8Array
}

export type RequestRules = {
  keyFor(keyId: string): VerifyingKey | undefined | Promise<VerifyingKey | undefined>
  dialect: Dialect
  nowSeconds: number
  maxAgeSeconds: number
  maxAheadSeconds: number
}

/**
 * Why a request's signature is refused. `absent` and `unreadable` and `mismatch` are authentication failures (401),
 * `digest` is a payload that is not what its digest says (400): the split of clause 7.1.
 */
export type SignatureFault = {
  kind: 'absent' | 'unreadable' | 'digest' | 'mismatch'
  message: string
  expectedBase?: string
}
export type RequestVerdict = ({ ok: true; keyId: string } & Match) | ({ ok: false; keyId?: string } & SignatureFault)

/** Judges digest and signature of a request by clause 5.2, cheapest test first. */
export const verifyRequest = (request: ReceivedRequest, rules: RequestRules): Promise<RequestVerdict> =>
  judge(request, rules).catch(error => {
    if (error instanceof UnreadableField) return refuse('unreadable', error.message)
    throw error
  })

const judge = async (request: ReceivedRequest, rules: RequestRules): Promise<RequestVerdict> => {
  const [inputHeader, signatureHeader] = [request.header('signature-input'), request.header('signature')]
  if (inputHeader === undefined) return refuse('absent', 'Signature-Input is missing: sign every request (5.2)')
  if (signatureHeader === undefined) return refuse('absent', 'Signature is missing: sign every request (5.2)')
  const digestFault = bodyFault(request)
  if (digestFault) return refuse('digest', digestFault)
  const input = readSignatureInput(inputHeader)
  const signature = readSignature(signatureHeader)
  const fault = listFault(request, input) ?? timeFault(input, rules)
  if (fault) return refuse('mismatch', fault, { keyId: input.keyId })
  const key = await rules.keyFor(input.keyId)
  if (!key)
    return refuse('mismatch', `keyid "${input.keyId}" is not a registered signing key of this organization`, {
      keyId: input.keyId,
    })
  if (input.alg !== undefined && input.alg !== key.algorithm.rfc9421 && input.alg !== key.algorithm.name)
    return refuse(
      'mismatch',
      `alg "${input.alg}" is not the algorithm of key "${input.keyId}" (${key.algorithm.name})`,
      { keyId: input.keyId },
    )
  const parts = partsOf(request)
  const componentOf = (name: string) => requestComponent(parts, name)
  const match = await matchSignature(input, signature, componentOf, key, rules.dialect)
  if (match) return { ok: true, keyId: input.keyId, ...match }
  const expectedBase = signatureBase(
    input.components,
    componentOf,
    input.parameters,
    rules.dialect.readings[0] ?? 'rfc',
  )
  return refuse('mismatch', `the signature does not verify with key "${input.keyId}" (${key.algorithm.name})`, {
    keyId: input.keyId,
    expectedBase,
  })
}

const refuse = (
  kind: SignatureFault['kind'],
  message: string,
  more: { keyId?: string; expectedBase?: string } = {},
): RequestVerdict => ({
  ok: false,
  kind,
  message,
  ...more,
})

const partsOf = (request: ReceivedRequest): RequestParts => ({
  method: request.method,
  target: request.target,
  host: request.host,
  contentDigest: request.header('content-digest'),
  contentType: request.header('content-type'),
  contentLength: request.body.length,
})

const bodyFault = (request: ReceivedRequest): string | undefined => {
  const digest = request.header('content-digest')
  if (digest !== undefined) return contentDigestFault(digest, request.body)
  if (request.body.length > 0)
    return 'Content-Digest is missing: a request with a body carries the digest of its bytes (5.2)'
}

/** The list must be exactly the documented one. */
const listFault = (request: ReceivedRequest, input: SignatureInput): string | undefined => {
  const accepted = acceptedLists(request)
  if (accepted.some(list => isSame(list, input.components))) return undefined
  const [sent, expected] = [input.components, accepted[0] ?? []].map(written)
  return `the component list is ${sent}, expected ${expected} in this order (5.2)`
}

/** An empty body of a POST may be signed either way where it has a digest (D-29). */
const acceptedLists = ({ method, body, header }: ReceivedRequest): (readonly string[])[] => {
  const { requestWithBody, requestWithoutBody } = COMPONENTS
  if (body.length > 0) return [requestWithBody]
  const eitherWay = method !== 'GET' && header('content-digest') !== undefined
  return eitherWay ? [requestWithBody, requestWithoutBody] : [requestWithoutBody]
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, at) => name === other[at])

const written = (components: readonly string[]): string => `(${components.map(name => `"${name}"`).join(' ')})`

const timeFault = ({ created, expires }: SignatureInput, rules: RequestRules): string | undefined => {
  const age = rules.nowSeconds - created
  if (created > 100_000_000_000) return `created=${created} is a time in milliseconds: send whole seconds`
  if (age > rules.maxAgeSeconds)
    return `created=${created} is ${age} s old, at most ${rules.maxAgeSeconds} s are accepted: check the client's clock`
  if (-age > rules.maxAheadSeconds)
    return `created=${created} is ${-age} s ahead, at most ${rules.maxAheadSeconds} s are accepted: check the client's clock`
  if (expires !== undefined && expires < rules.nowSeconds)
    return `the signature expired ${rules.nowSeconds - expires} s ago`
}
