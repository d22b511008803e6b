import type { AcceptedDialect } from '../../match-signature-dialect.ts'
import { areInOrder } from '../../signature-input.ts'
import { listSignatureForms, possibleAlgorithms } from '../interpret-signature-bytes.ts'
import { type LabRequest, readHeaderValue } from '../lab-request.ts'
import type { LenientSignature } from '../lenient-signature.ts'
import { type CandidateKey, selectNamedKeys } from '../search-signed-base.ts'
import type { SignatureBaseInputs } from '../signature-base-inputs.ts'
import type { DetectedCause } from '../signature-error-causes.ts'
import { detectedCause, type SignaturePart } from '../signature-error-causes.ts'
import { judgeComponents } from './judge-component-list.ts'
import { judgeDigest } from './judge-content-digest.ts'
import { type CreatedLimits, judgeCreated } from './judge-created-time.ts'
import { judgeKeyId } from './judge-key-id.ts'

/** The steps of verifying a signature, in the order in which they are reported. */
const VERIFICATION_STEPS = [
  'headers',
  'grammar',
  'label',
  'components',
  'parameters',
  'created',
  'key',
  'algorithm',
  'encoding',
  'digest',
  'signature',
] as const
type VerificationStepName = (typeof VERIFICATION_STEPS)[number]

/**
 * The result of one verification step of the signature lab; `note` is an error due only to the time passed since
 * sending.
 */
export type VerificationStep = {
  step: VerificationStepName
  state: 'ok' | 'fault' | 'note' | 'unjudged'
  findings: readonly DetectedCause[]
  /** The text that was judged, as sent. */
  evidence?: string
}

/** What the verification steps judge: the request, its signature, the known keys, dialect and times. */
type VerificationInput = {
  facts: SignatureBaseInputs
  signature: LenientSignature
  keys: readonly CandidateKey[]
  clientIds: readonly string[]
  dialect: AcceptedDialect
  times: CreatedLimits
}

/** Judges the presence of the signature headers, duplicate headers, and the framing of the body (5.2: content-length). */
const judgeHeaders = (request: LabRequest): readonly DetectedCause[] => {
  const count = (name: string) => request.headers.filter(([other]) => other.toLowerCase() === name).length
  const signature = `${readHeaderValue(request, 'signature') ?? ''} ${readHeaderValue(request, 'authorization') ?? ''}`
  if (count('signature-input') === 0 && /keyId\s*=/.test(signature)) return [detectedCause('old-draft')]
  const missing = [
    ...(count('signature-input') === 0 ? [detectedCause('input-missing')] : []),
    ...(count('signature') === 0 ? [detectedCause('signature-missing')] : []),
  ]
  const twice = ['Signature-Input', 'Signature', 'Content-Digest', 'Content-Type', 'Host'].filter(
    name => count(name.toLowerCase()) > 1,
  )
  const isChunked = /chunked/i.test(readHeaderValue(request, 'transfer-encoding') ?? '')
  return [
    ...missing,
    ...twice.map(header => detectedCause('header-twice', { header })),
    ...(isChunked ? [detectedCause('body-chunked', { expected: String(request.body.length) })] : []),
  ]
}

/** Judges every verification step of a request except the signature itself, which needs a search. */
export const judgeVerificationSteps = (parts: VerificationInput): readonly VerificationStep[] => {
  const { facts, signature, keys, times } = parts
  const { input, request } = facts
  const [hasInput, hasSignature] = ['signature-input', 'signature'].map(
    name => readHeaderValue(request, name) !== undefined,
  )
  const worded = [...(hasInput ? input.faults : []), ...(hasSignature ? signature.faults : [])]
  const of = (part: SignaturePart) => worded.filter(one => one.part === part)
  const created = judgeCreated(input, times)
  const judged = (
    step: VerificationStepName,
    isThere: boolean | undefined,
    findings: readonly DetectedCause[],
    evidence?: string,
  ): VerificationStep =>
    isThere ? toVerificationStep(step, findings, evidence) : { step, state: 'unjudged', findings: [] }
  const isKeyed = keys.some(({ use }) => use === 'signing')
  return [
    toVerificationStep('headers', judgeHeaders(request)),
    judged('grammar', hasInput || hasSignature, of('grammar'), readHeaderValue(request, 'signature-input')),
    judged('label', hasInput, judgeLabel(parts), input.label),
    judged('components', hasInput, [...of('components'), ...judgeComponents(facts)], listed(input.components)),
    judged('parameters', hasInput, [...of('parameters'), ...judgeOrder(parts), ...created.parameters]),
    {
      ...judged('created', hasInput && input.created !== undefined, created.window, createdText(input.created)),
      ...(created.isNote ? { state: 'note' as const } : {}),
    },
    judged('key', hasInput && isKeyed, some(judgeKeyId(input.keyId, keys, parts.clientIds)), input.keyId),
    judged('algorithm', hasInput && hasSignature && isKeyed, judgeAlgorithm(parts)),
    judged('encoding', hasSignature, [...of('encoding'), ...judgeEncoding(parts)]),
    judged('digest', !request.bodyIsPartial, some(judgeDigest(facts)), readHeaderValue(request, 'content-digest')),
  ]
}

/** Creates the result of a verification step: a fault where it has causes, else ok. */
export const toVerificationStep = (
  step: VerificationStepName,
  findings: readonly DetectedCause[],
  evidence?: string,
): VerificationStep => ({
  step,
  state: findings.length > 0 ? 'fault' : 'ok',
  findings,
  ...(evidence === undefined || evidence === '' ? {} : { evidence: evidence.slice(0, 400) }),
})

const some = (found: DetectedCause | undefined): DetectedCause[] => (found ? [found] : [])

const listed = (components: readonly string[]): string => components.map(name => `"${name}"`).join(' ')

const createdText = (created: number | undefined): string | undefined => {
  if (created === undefined) return undefined
  const time = new Date(created * 1000)
  return Number.isNaN(time.getTime()) ? String(created) : `${created} = ${time.toISOString()}`
}

/** Judges the order of keyid and created, which some deployments accept one way only (C7). */
const judgeOrder = ({ facts: { input }, dialect: { order } }: VerificationInput): DetectedCause[] =>
  input.faults.some(({ part }) => part !== 'label') || areInOrder(input.parameters, order)
    ? []
    : [detectedCause('params-order')]

const judgeLabel = ({ facts: { input }, signature }: VerificationInput): DetectedCause[] => {
  const worded = [...input.faults, ...signature.faults].filter(({ part }) => part === 'label')
  if (input.label !== signature.label && input.label !== '' && signature.label !== '')
    return [detectedCause('label-differs', { label: input.label, other: signature.label })]
  return worded.slice(0, 1)
}

/** Judges whether alg and the signature fit the algorithm of the key that keyid names. */
const judgeAlgorithm = ({ facts, keys, signature }: VerificationInput): DetectedCause[] => {
  const { input } = facts
  const key = keys.find(({ name, use }) => use === 'signing' && name === input.keyId)
  if (!key) return []
  const { algorithm } = key
  const expected = `${algorithm.hash.replace('sha', 'SHA-')} (${algorithm.curve})`
  const wrongAlg = input.alg !== undefined && input.alg !== algorithm.rfc9421 && input.alg !== algorithm.name
  const [curve] = possibleAlgorithms(signature.bytes)
  const otherCurve = curve && !possibleAlgorithms(signature.bytes).includes(algorithm)
  return [
    ...(wrongAlg ? [detectedCause('alg-other', { alg: input.alg ?? '', expected })] : []),
    ...(otherCurve ? [detectedCause('curve-other', { curve: curve.curve, own: algorithm.curve, expected })] : []),
  ]
}

const judgeEncoding = ({ facts, keys, signature, dialect }: VerificationInput): DetectedCause[] => {
  if (signature.bytes.length === 0) return []
  const named = selectNamedKeys(keys, facts.input.keyId)
  const forms = keys.flatMap(({ algorithm }) => listSignatureForms(signature.bytes, algorithm))
  if (keys.length > 0 && forms.length === 0 && possibleAlgorithms(signature.bytes).length === 0)
    return [detectedCause('encoding-none', { bytes: String(signature.bytes.length) })]
  const proper = named
    .flatMap(({ algorithm }) => listSignatureForms(signature.bytes, algorithm))
    .filter(({ encoding }) => encoding)
  const refused = proper.length > 0 && proper.every(({ encoding }) => encoding && !dialect.encodings.includes(encoding))
  return refused ? [detectedCause('encoding-refused', { encoding: proper[0]?.encoding ?? '' })] : []
}
