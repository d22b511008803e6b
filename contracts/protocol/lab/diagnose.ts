import { contentDigest } from '../content-digest.ts'
import type { SigningKey } from '../sign.ts'
import { signatureBase } from '../signature-base.ts'
import { writeParameters } from '../signature-input.ts'
import type { Dialect } from '../verify.ts'
import { differenceOf, rowsOf } from './compare.ts'
import { completing } from './complete.ts'
import { correctOf } from './correct.ts'
import type { Diagnosis } from './diagnosis.ts'
import { acceptedComponents, digestFunctionOf, expectedComponents, type Facts, factsOf } from './facts.ts'
import { ladderOf, type Rung, rung } from './ladder.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { readKindly } from './read-input.ts'
import { headerOf, type LabRequest } from './request.ts'
import { type Budget, type Candidate, namedKeys } from './search.ts'
import { type KindSignature, readSignatureKindly } from './signature-text.ts'

export type LabParts = {
  request: LabRequest
  keys: readonly Candidate[]
  dialect: Dialect
  /** UNIX seconds. */
  now: number
  maxAge: number
  maxAhead: number
  budget: Budget
  /** Names that clients take for the id of a key. */
  clientIds?: readonly string[]
  /** Other host names of the service. */
  otherHosts?: readonly string[]
  /** Other requests that may bear a signature by the same key. */
  companions?: readonly LabRequest[]
  /** The base that the client says it built. */
  base?: Buffer
  /** The private key of an id, where it is at hand. */
  signerOf?: (keyId: string | undefined) => SigningKey | undefined
}

/**
 * Judges a signed request step by step (5.2) and finds out what was signed, by whom, and what has to be mended.
 * Takes whatever comes: a fault of the request is a finding, never an exception.
 */
export const diagnose = async (parts: LabParts): Promise<Diagnosis> => {
  const { facts, signature } = unexplained(parts.request, parts)
  const isSigned = signature.bytes.length > 0 && headerOf(parts.request, 'signature-input') !== undefined
  const outcome = isSigned ? await whoSigned(parts, facts, signature.bytes) : undefined
  const base = basesOf(facts, parts.dialect, outcome, parts.base)
  const complete = completing(facts, parts.keys, base.expected)
  const rungs = rungsOf(parts, facts, signature)
  const ladder = [...mendedBy(rungs, outcome), lastRung(rungs, outcome)].map(one => {
    return { ...one, findings: one.findings.map(complete) }
  })
  const { verifications = 0, isExhausted = true, alternatives = [], notes = [] } = outcome ?? {}
  const inState = (wanted: Rung['state']) => ladder.flatMap(({ state, findings }) => (state === wanted ? findings : []))
  return {
    verdict: inState('fault').length === 0 && ladder.at(-1)?.state === 'ok' ? 'verifies' : 'refused',
    faults: inState('fault'),
    alternatives: alternatives.map(complete),
    notes: [...inState('note'), ...notes.map(complete)],
    ladder,
    base,
    ...keyOf(outcome),
    search: { verifications, isExhausted },
    correct: await rightOf(parts, facts, outcome),
    ...(parts.request.mended === undefined ? {} : { mended: parts.request.mended }),
  }
}

const rungsOf = (parts: LabParts, facts: Facts, signature: KindSignature): readonly Rung[] =>
  ladderOf({
    facts,
    signature,
    keys: parts.keys,
    clientIds: parts.clientIds ?? [],
    dialect: parts.dialect,
    times: { sentAt: parts.request.sentAt, now: parts.now, maxAge: parts.maxAge, maxAhead: parts.maxAhead },
  })

const rightOf = ({ keys, dialect, now, signerOf }: LabParts, facts: Facts, outcome: Outcome | undefined) =>
  correctOf({
    facts,
    dialect,
    usual: outcome?.reading,
    now,
    hash: namedKeys(keys, facts.input.keyId)[0]?.algorithm.hash ?? 'sha256',
    signer: signerOf?.(facts.input.keyId),
  })

const unexplained = (request: LabRequest, { keys, otherHosts = [] }: LabParts) => {
  const keyIds = keys.flatMap(({ name }) => (name === undefined ? [] : [name]))
  const facts = factsOf(request, readKindly(headerOf(request, 'signature-input') ?? ''), { keyIds, otherHosts })
  return { facts, signature: readSignatureKindly(headerOf(request, 'signature') ?? '') }
}

const whoSigned = (parts: LabParts, facts: Facts, signature: Buffer): Promise<Outcome> =>
  outcomeOf({
    facts,
    signature,
    keys: parts.keys,
    dialect: parts.dialect,
    budget: parts.budget,
    companions: (parts.companions ?? []).map(request => {
      const other = unexplained(request, parts)
      return { facts: other.facts, signature: other.signature.bytes }
    }),
    expected: reading => expectedBase(facts, parts.dialect, reading),
    given: parts.base,
  })

/** Steps that the search knows better: who knows the key that signed need not wonder about its curve. */
const mendedBy = (rungs: readonly Rung[], outcome: Outcome | undefined): readonly Rung[] => {
  const causes = outcome?.findings.map(({ cause }) => cause) ?? []
  const isOtherKey = causes.some(cause => ['key-other', 'key-certificate', 'key-unregistered'].includes(cause))
  return rungs.map(one => {
    const findings = one.findings.filter(({ cause }) => !(isOtherKey && cause === 'curve-other'))
    return findings.length === one.findings.length ? one : { ...rung(one.step, findings, one.evidence) }
  })
}

/** What is wrong in these steps leaves the signature as it is. */
const JUDGED_APART: readonly string[] = ['created', 'digest']

const lastRung = (rungs: readonly Rung[], outcome: Outcome | undefined): Rung => {
  if (!outcome) return { step: 'signature', state: 'unjudged', findings: [] }
  const isUnknown = rungs.some(
    ({ step, state }) =>
      (state === 'fault' && !JUDGED_APART.includes(step)) || (step === 'key' && state === 'unjudged'),
  )
  const isLost = outcome.findings.every(({ cause }) => cause === 'not-found') && outcome.findings.length > 0
  return isLost && isUnknown
    ? { step: 'signature', state: 'unjudged', findings: [] }
    : rung('signature', outcome.findings)
}

/** The base as it should have been, digest of the real body included, in the reading that the client uses. */
const expectedBase = (facts: Facts, { readings }: Dialect, reading: Outcome['reading']): string => {
  const { input, request } = facts
  const list = acceptedComponents(request).find(names => names.join() === input.components.join())
  const components = list ?? expectedComponents(request)
  const isClean = list !== undefined && input.faults.length === 0 && input.created !== undefined
  const parameters = isClean
    ? input.parameters
    : writeParameters(components, input.keyId ?? 'KEY-ID', secondsOf(input.created))
  const componentOf = (name: string) =>
    name === 'content-digest' && !request.bodyIsPartial ? rightDigest(facts) : facts.componentOf(name)
  const accepted = reading !== undefined && readings.includes(reading) ? reading : (readings[0] ?? 'rfc')
  return signatureBase(components, componentOf, parameters, accepted)
}

const rightDigest = ({ request, componentOf }: Facts): string => {
  const sent = componentOf('content-digest')
  const right = contentDigest(request.body, digestFunctionOf(request).name)
  return sent.includes(right) ? sent : right
}

const MILLISECONDS = 100_000_000_000
const secondsOf = (created = 0): number => (created > MILLISECONDS ? Math.floor(created / 1000) : created)

const basesOf = (
  facts: Facts,
  dialect: Dialect,
  outcome: Outcome | undefined,
  given: Buffer | undefined,
): Diagnosis['base'] => {
  const expected = expectedBase(facts, dialect, outcome?.reading)
  const signed = outcome?.signed ?? (given && { text: given.toString('utf8'), source: 'given' as const })
  if (!signed) return { expected, rows: rowsOf(expected, expected).map(({ expected = '' }) => ({ expected })) }
  const difference = differenceOf(expected, signed.text)
  return {
    expected,
    signed: signed.text,
    source: signed.source,
    rows: rowsOf(expected, signed.text),
    ...(difference ? { difference } : {}),
  }
}

const keyOf = (outcome: Outcome | undefined): Pick<Diagnosis, 'key'> => {
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
