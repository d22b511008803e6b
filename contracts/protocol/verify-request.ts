import { describeDigestError } from './content-digest.ts'
import {
  type AcceptedDialect,
  matchSignature,
  readSignature,
  type SignatureMatch,
  type VerifyingKey,
} from './match-signature-dialect.ts'
import { COVERED_COMPONENTS, type RequestParts, requestComponent, signatureBase } from './signature-base.ts'
import { areInOrder, readSignatureInput, type SignatureInput } from './signature-input.ts'
import { UnreadableField } from './structured-field.ts'

/** A received request, for signature verification; `header` takes lower-case names. */
export type ReceivedRequest = {
  method: string
  target: string
  host: string
  header(name: string): string | undefined
  body: Uint8Array
}

/** The registered keys, the signature dialect and the time window by which requests are verified. */
export type RequestVerificationRules = {
  keyFor(keyId: string): VerifyingKey | undefined | Promise<VerifyingKey | undefined>
  dialect: AcceptedDialect
  nowSeconds: number
  maxAgeSeconds: number
  maxAheadSeconds: number
}

/**
 * The reason why a request signature is refused: `absent`, `unreadable` and `mismatch` are authentication errors (401),
 * `digest` is a body that does not match its digest (400, 7.1).
 */
export type SignatureError = {
  kind: 'absent' | 'unreadable' | 'digest' | 'mismatch'
  message: string
  expectedBase?: string
}
/** The result of verifying a request: the key and dialect that matched, or the reason it was refused. */
type RequestVerdict = ({ ok: true; keyId: string } & SignatureMatch) | ({ ok: false; keyId?: string } & SignatureError)

/** Verifies the digest and signature of a request by clause 5.2, cheapest test first. */
export const verifyRequest = (request: ReceivedRequest, rules: RequestVerificationRules): Promise<RequestVerdict> =>
  judge(request, rules).catch(error => {
    if (error instanceof UnreadableField) return refuse('unreadable', error.message)
    throw error
  })

const judge = async (request: ReceivedRequest, rules: RequestVerificationRules): Promise<RequestVerdict> => {
  const [inputHeader, signatureHeader] = [request.header('signature-input'), request.header('signature')]
  if (inputHeader === undefined) return refuse('absent', 'Signature-Input is missing: sign every request (5.2)')
  if (signatureHeader === undefined) return refuse('absent', 'Signature is missing: sign every request (5.2)')
  const digestFault = digestError(request)
  if (digestFault) return refuse('digest', digestFault)
  const input = readSignatureInput(inputHeader)
  const signature = readSignature(signatureHeader)
  const error = componentListError(request, input) ?? orderError(input, rules) ?? createdError(input, rules)
  if (error) return refuse('mismatch', error, { keyId: input.keyId })
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
  const parts = { ...partsOf(request), port: rules.dialect.port }
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
  kind: SignatureError['kind'],
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

const digestError = (request: ReceivedRequest): string | undefined => {
  const digest = request.header('content-digest')
  if (digest !== undefined) return describeDigestError(digest, request.body)
  if (request.body.length > 0)
    return 'Content-Digest is missing: a request with a body carries the digest of its bytes (5.2)'
}

/** Returns the error of a component list that is not exactly the documented one; undefined if it is. */
const componentListError = (request: ReceivedRequest, input: SignatureInput): string | undefined => {
  const accepted = acceptedLists(request)
  if (accepted.some(list => isSame(list, input.components))) return undefined
  const [sent, expected] = [input.components, accepted[0] ?? []].map(written)
  return `the component list is ${sent}, expected ${expected} in this order (5.2)`
}

const orderError = (
  { parameters }: SignatureInput,
  { dialect: { order } }: RequestVerificationRules,
): string | undefined => {
  if (areInOrder(parameters, order)) return undefined
  return `the parameters are in another order than ${order?.replace('-', ', ')}, which this service accepts alone`
}

/** Returns the accepted component lists; both for an empty POST body with a digest (D-29). */
const acceptedLists = ({ method, body, header }: ReceivedRequest): (readonly string[])[] => {
  const { requestWithBody, requestWithoutBody } = COVERED_COMPONENTS
  if (body.length > 0) return [requestWithBody]
  const eitherWay = method !== 'GET' && header('content-digest') !== undefined
  return eitherWay ? [requestWithBody, requestWithoutBody] : [requestWithoutBody]
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, at) => name === other[at])

const written = (components: readonly string[]): string => `(${components.map(name => `"${name}"`).join(' ')})`

const createdError = ({ created, expires }: SignatureInput, rules: RequestVerificationRules): string | undefined => {
  const age = rules.nowSeconds - created
  if (created > 100_000_000_000) return `created=${created} is a time in milliseconds: send whole seconds`
  if (age > rules.maxAgeSeconds)
    return `created=${created} is ${age} s old, at most ${rules.maxAgeSeconds} s are accepted: check the client's clock`
  if (-age > rules.maxAheadSeconds)
    return `created=${created} is ${-age} s ahead, at most ${rules.maxAheadSeconds} s are accepted: check the client's clock`
  if (expires !== undefined && expires < rules.nowSeconds)
    return `the signature expired ${rules.nowSeconds - expires} s ago`
}
