import { contentDigest } from '../content-digest.ts'
import type { AcceptedDialect } from '../match-signature-dialect.ts'
import type { SigningKey } from '../sign-messages.ts'
import { signatureBase } from '../signature-base.ts'
import { areInOrder, writeParameters } from '../signature-input.ts'
import { createAddCorrectionSentenceValues } from './add-correction-sentence-values.ts'
import { alignBases, findBaseDifference } from './compare-signature-bases.ts'
import { findSigner, type SignerOutcome } from './find-signer-and-base.ts'
import { type LabRequest, readHeaderValue } from './lab-request.ts'
import { type LenientSignature, readLenientSignature } from './lenient-signature.ts'
import { readLenientSignatureInput } from './lenient-signature-input.ts'
import { type CandidateKey, type SearchBudget, selectNamedKeys } from './search-signed-base.ts'
import { correctRequest } from './sign-corrected-request.ts'
import {
  acceptedComponents,
  digestFunctionOf,
  expectedComponents,
  type SignatureBaseInputs,
  toSignatureBaseInputs,
} from './signature-base-inputs.ts'
import type { SignatureDiagnosis } from './signature-diagnosis-type.ts'
import {
  judgeVerificationSteps,
  toVerificationStep,
  type VerificationStep,
} from './verification-steps/judge-verification-steps.ts'

/** A request to diagnose, with the known keys, the signature dialect, the time limits and the search budget. */
export type DiagnosisInput = {
  request: LabRequest
  keys: readonly CandidateKey[]
  dialect: AcceptedDialect
  /** UNIX seconds. */
  now: number
  maxAge: number
  maxAhead: number
  budget: SearchBudget
  /** Ids of the organization and its client, which are mistaken for key ids. */
  clientIds?: readonly string[]
  /** Other host names of the service. */
  otherHosts?: readonly string[]
  /** Other requests that may be signed with the same key. */
  companions?: readonly LabRequest[]
  /** The signature base that the client reports. */
  base?: Buffer
  /** Looks up the private key of a key id, if available. */
  signerOf?: (keyId: string | undefined) => SigningKey | undefined
}

/**
 * Diagnoses a signed request step by step (5.2): which bytes were signed, with which key, and what to correct.
 * Any request is accepted: an error in it is reported as a cause, never thrown.
 */
export const diagnoseRequest = async (parts: DiagnosisInput): Promise<SignatureDiagnosis> => {
  const { facts, signature } = readSignatureHeaders(parts.request, parts)
  const isSigned = signature.bytes.length > 0 && readHeaderValue(parts.request, 'signature-input') !== undefined
  const outcome = isSigned ? await searchSigner(parts, facts, signature.bytes) : undefined
  const base = basesOf(facts, parts.dialect, outcome, parts.base)
  const complete = createAddCorrectionSentenceValues(facts, parts.keys, {
    expectedBase: base.expected,
    order: parts.dialect.order,
    encodings: parts.dialect.encodings,
  })
  const steps = judgeSteps(parts, facts, signature)
  const verificationSteps = [...refinedBySearch(steps, outcome), signatureStep(steps, outcome)].map(one => {
    return { ...one, findings: one.findings.map(complete) }
  })
  const { verifications = 0, isExhausted = true, alternatives = [], notes = [] } = outcome ?? {}
  const inState = (wanted: VerificationStep['state']) =>
    verificationSteps.flatMap(({ state, findings }) => (state === wanted ? findings : []))
  return {
    verdict: inState('fault').length === 0 && verificationSteps.at(-1)?.state === 'ok' ? 'verifies' : 'refused',
    faults: inState('fault'),
    alternatives: alternatives.map(complete),
    notes: [...inState('note'), ...notes.map(complete)],
    verificationSteps,
    base,
    ...keyOf(outcome),
    search: { verifications, isExhausted },
    correct: await correctedRequestOf(parts, facts, outcome),
    ...(parts.request.mended === undefined ? {} : { mended: parts.request.mended }),
  }
}

const judgeSteps = (
  parts: DiagnosisInput,
  facts: SignatureBaseInputs,
  signature: LenientSignature,
): readonly VerificationStep[] =>
  judgeVerificationSteps({
    facts,
    signature,
    keys: parts.keys,
    clientIds: parts.clientIds ?? [],
    dialect: parts.dialect,
    times: { sentAt: parts.request.sentAt, now: parts.now, maxAge: parts.maxAge, maxAhead: parts.maxAhead },
  })

const correctedRequestOf = (
  { keys, dialect, now, signerOf }: DiagnosisInput,
  facts: SignatureBaseInputs,
  outcome: SignerOutcome | undefined,
) =>
  correctRequest({
    facts,
    dialect,
    usual: outcome?.reading,
    now,
    hash: selectNamedKeys(keys, facts.input.keyId)[0]?.algorithm.hash ?? 'sha256',
    signer: signerOf?.(facts.input.keyId),
  })

const readSignatureHeaders = (request: LabRequest, { keys, otherHosts = [], dialect: { port } }: DiagnosisInput) => {
  const keyIds = keys.flatMap(({ name }) => (name === undefined ? [] : [name]))
  const facts = toSignatureBaseInputs(
    request,
    readLenientSignatureInput(readHeaderValue(request, 'signature-input') ?? ''),
    {
      keyIds,
      otherHosts,
      port,
    },
  )
  return { facts, signature: readLenientSignature(readHeaderValue(request, 'signature') ?? '') }
}

const searchSigner = (parts: DiagnosisInput, facts: SignatureBaseInputs, signature: Buffer): Promise<SignerOutcome> =>
  findSigner({
    facts,
    signature,
    keys: parts.keys,
    dialect: parts.dialect,
    budget: parts.budget,
    companions: (parts.companions ?? []).map(request => {
      const other = readSignatureHeaders(request, parts)
      return { facts: other.facts, signature: other.signature.bytes }
    }),
    expected: reading => expectedBase(facts, parts.dialect, reading),
    given: parts.base,
  })

/** Removes from the steps what the search explains better: a wrong curve where another key signed. */
const refinedBySearch = (
  steps: readonly VerificationStep[],
  outcome: SignerOutcome | undefined,
): readonly VerificationStep[] => {
  const causes = outcome?.findings.map(({ cause }) => cause) ?? []
  const isOtherKey = causes.some(cause => ['key-other', 'key-certificate', 'key-unregistered'].includes(cause))
  return steps.map(one => {
    const findings = one.findings.filter(({ cause }) => !(isOtherKey && cause === 'curve-other'))
    return findings.length === one.findings.length ? one : { ...toVerificationStep(one.step, findings, one.evidence) }
  })
}

/** Steps whose errors do not prevent the signature from being judged. */
const JUDGED_APART: readonly string[] = ['created', 'digest']

const signatureStep = (steps: readonly VerificationStep[], outcome: SignerOutcome | undefined): VerificationStep => {
  if (!outcome) return { step: 'signature', state: 'unjudged', findings: [] }
  const isUnknown = steps.some(
    ({ step, state }) =>
      (state === 'fault' && !JUDGED_APART.includes(step)) || (step === 'key' && state === 'unjudged'),
  )
  const isLost = outcome.findings.every(({ cause }) => cause === 'not-found') && outcome.findings.length > 0
  return isLost && isUnknown
    ? { step: 'signature', state: 'unjudged', findings: [] }
    : toVerificationStep('signature', outcome.findings)
}

/** Returns the correct signature base, with the digest of the real body, in the reading that the client uses. */
const expectedBase = (
  facts: SignatureBaseInputs,
  { readings, order }: AcceptedDialect,
  reading: SignerOutcome['reading'],
): string => {
  const { input, request } = facts
  const list = acceptedComponents(request).find(names => names.join() === input.components.join())
  const components = list ?? expectedComponents(request)
  const isClean =
    list !== undefined &&
    input.faults.length === 0 &&
    input.created !== undefined &&
    areInOrder(input.parameters, order)
  const parameters = isClean
    ? input.parameters
    : writeParameters(components, input.keyId ?? 'KEY-ID', secondsOf(input.created), order)
  const componentOf = (name: string) =>
    name === 'content-digest' && !request.bodyIsPartial ? rightDigest(facts) : facts.componentOf(name)
  const accepted = reading !== undefined && readings.includes(reading) ? reading : (readings[0] ?? 'rfc')
  return signatureBase(components, componentOf, parameters, accepted)
}

const rightDigest = ({ request, componentOf }: SignatureBaseInputs): string => {
  const sent = componentOf('content-digest')
  const right = contentDigest(request.body, digestFunctionOf(request).name)
  return sent.includes(right) ? sent : right
}

const MILLISECONDS = 100_000_000_000
const secondsOf = (created = 0): number => (created > MILLISECONDS ? Math.floor(created / 1000) : created)

const basesOf = (
  facts: SignatureBaseInputs,
  dialect: AcceptedDialect,
  outcome: SignerOutcome | undefined,
  given: Buffer | undefined,
): SignatureDiagnosis['base'] => {
  const expected = expectedBase(facts, dialect, outcome?.reading)
  const signed = outcome?.signed ?? (given && { text: given.toString('utf8'), source: 'given' as const })
  if (!signed) return { expected, rows: alignBases(expected, expected).map(({ expected = '' }) => ({ expected })) }
  const difference = findBaseDifference(expected, signed.text)
  return {
    expected,
    signed: signed.text,
    source: signed.source,
    rows: alignBases(expected, signed.text),
    ...(difference ? { difference } : {}),
  }
}

const keyOf = (outcome: SignerOutcome | undefined): Pick<SignatureDiagnosis, 'key'> => {
  const key = outcome?.key
  if (!key) return {}
  const { name, use, algorithm, publicKey } = key
  return {
    key: {
      ...(name === undefined ? {} : { name }),
      use: outcome.isUnregistered ? 'unregistered' : use,
      algorithm: algorithm.name,
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    },
  }
}
