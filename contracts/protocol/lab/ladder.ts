import type { Dialect } from '../verify.ts'
import type { Finding } from './causes.ts'
import { finding, type Part } from './causes.ts'
import { componentFinding } from './component-step.ts'
import { createdFindings, type Times } from './created-step.ts'
import { digestFinding } from './digest-step.ts'
import type { Facts } from './facts.ts'
import { keyFinding } from './key-step.ts'
import { headerOf, type LabRequest } from './request.ts'
import { type Candidate, namedKeys } from './search.ts'
import { curvesOf, signatureForms } from './signature-forms.ts'
import type { KindSignature } from './signature-text.ts'

/** The steps of a verification, in the order in which people read them. */
export const RUNGS = [
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
export type RungName = (typeof RUNGS)[number]

/** How one step went; `note` is a fault that only the time since then makes. */
export type Rung = {
  step: RungName
  state: 'ok' | 'fault' | 'note' | 'unjudged'
  findings: readonly Finding[]
  /** What was looked at, as it was sent. */
  evidence?: string
}

export type LadderParts = {
  facts: Facts
  signature: KindSignature
  keys: readonly Candidate[]
  clientIds: readonly string[]
  dialect: Dialect
  times: Times
}

/** Headers without which there is nothing to look at. */
export const headerFindings = (request: LabRequest): readonly Finding[] => {
  const count = (name: string) => request.headers.filter(([other]) => other.toLowerCase() === name).length
  const signature = `${headerOf(request, 'signature') ?? ''} ${headerOf(request, 'authorization') ?? ''}`
  if (count('signature-input') === 0 && /keyId\s*=/.test(signature)) return [finding('old-draft')]
  const missing = [
    ...(count('signature-input') === 0 ? [finding('input-missing')] : []),
    ...(count('signature') === 0 ? [finding('signature-missing')] : []),
  ]
  const twice = ['Signature-Input', 'Signature', 'Content-Digest', 'Content-Type', 'Host'].filter(
    name => count(name.toLowerCase()) > 1,
  )
  return [...missing, ...twice.map(header => finding('header-twice', { header }))]
}

/** Every step but the last one, which needs a search. */
export const ladderOf = (parts: LadderParts): readonly Rung[] => {
  const { facts, signature, keys, times } = parts
  const { input, request } = facts
  const [hasInput, hasSignature] = ['signature-input', 'signature'].map(name => headerOf(request, name) !== undefined)
  const worded = [...(hasInput ? input.faults : []), ...(hasSignature ? signature.faults : [])]
  const of = (part: Part) => worded.filter(one => one.part === part)
  const created = createdFindings(input, times)
  const told = (step: RungName, isThere: boolean | undefined, findings: readonly Finding[], evidence?: string): Rung =>
    isThere ? rung(step, findings, evidence) : { step, state: 'unjudged', findings: [] }
  const isKeyed = keys.some(({ use }) => use === 'signing')
  return [
    rung('headers', headerFindings(request)),
    told('grammar', hasInput || hasSignature, of('grammar'), headerOf(request, 'signature-input')),
    told('label', hasInput, labelFindings(parts), input.label),
    told('components', hasInput, [...of('components'), ...componentFinding(facts)], listed(input.components)),
    told('parameters', hasInput, [...of('parameters'), ...created.parameters]),
    {
      ...told('created', hasInput && input.created !== undefined, created.window, createdText(input.created)),
      ...(created.isNote ? { state: 'note' as const } : {}),
    },
    told('key', hasInput && isKeyed, some(keyFinding(input.keyId, keys, parts.clientIds)), input.keyId),
    told('algorithm', hasInput && hasSignature && isKeyed, algorithmFindings(parts)),
    told('encoding', hasSignature, [...of('encoding'), ...encodingFindings(parts)]),
    told('digest', !request.bodyIsPartial, some(digestFinding(facts)), headerOf(request, 'content-digest')),
  ]
}

export const rung = (step: RungName, findings: readonly Finding[], evidence?: string): Rung => ({
  step,
  state: findings.length > 0 ? 'fault' : 'ok',
  findings,
  ...(evidence === undefined || evidence === '' ? {} : { evidence: evidence.slice(0, 400) }),
})

const some = (found: Finding | undefined): Finding[] => (found ? [found] : [])

const listed = (components: readonly string[]): string => components.map(name => `"${name}"`).join(' ')

const createdText = (created: number | undefined): string | undefined => {
  if (created === undefined) return undefined
  const time = new Date(created * 1000)
  return Number.isNaN(time.getTime()) ? String(created) : `${created} = ${time.toISOString()}`
}

const labelFindings = ({ facts: { input }, signature }: LadderParts): Finding[] => {
  const worded = [...input.faults, ...signature.faults].filter(({ part }) => part === 'label')
  if (input.label !== signature.label && input.label !== '' && signature.label !== '')
    return [finding('label-differs', { label: input.label, other: signature.label })]
  return worded.slice(0, 1)
}

/** What the key that is named could not have made. */
const algorithmFindings = ({ facts, keys, signature }: LadderParts): Finding[] => {
  const { input } = facts
  const key = keys.find(({ name, use }) => use === 'signing' && name === input.keyId)
  if (!key) return []
  const { algorithm } = key
  const expected = `${algorithm.hash.replace('sha', 'SHA-')} (${algorithm.curve})`
  const wrongAlg = input.alg !== undefined && input.alg !== algorithm.rfc9421 && input.alg !== algorithm.name
  const [curve] = curvesOf(signature.bytes)
  const otherCurve = curve && !curvesOf(signature.bytes).includes(algorithm)
  return [
    ...(wrongAlg ? [finding('alg-other', { alg: input.alg ?? '', expected })] : []),
    ...(otherCurve ? [finding('curve-other', { curve: curve.curve, own: algorithm.curve, expected })] : []),
  ]
}

const encodingFindings = ({ facts, keys, signature, dialect }: LadderParts): Finding[] => {
  if (signature.bytes.length === 0) return []
  const named = namedKeys(keys, facts.input.keyId)
  const expected = [...new Set(named.map(({ algorithm }) => algorithm.coordinateBytes))].join(' / ')
  const forms = keys.flatMap(({ algorithm }) => signatureForms(signature.bytes, algorithm))
  if (keys.length > 0 && forms.length === 0 && curvesOf(signature.bytes).length === 0)
    return [finding('encoding-none', { bytes: String(signature.bytes.length), expected })]
  const proper = named
    .flatMap(({ algorithm }) => signatureForms(signature.bytes, algorithm))
    .filter(({ encoding }) => encoding)
  const refused = proper.length > 0 && proper.every(({ encoding }) => encoding && !dialect.encodings.includes(encoding))
  return refused ? [finding('encoding-refused', { encoding: proper[0]?.encoding ?? '', expected })] : []
}
