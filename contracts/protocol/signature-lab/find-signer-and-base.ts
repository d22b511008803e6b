import type { AcceptedDialect } from '../match-signature-dialect.ts'
import type { BaseReading } from '../signature-base.ts'
import { explainClientBase } from './explain-client-signature-base.ts'
import { findUnregisteredKey, type SignedRequest } from './find-unregistered-key.ts'
import {
  type CandidateKey,
  createRootDrafts,
  findSigningKey,
  type SearchBudget,
  type SearchDepth,
  type SearchHit,
  searchSignedBase,
  selectNamedKeys,
} from './search-signed-base.ts'
import { serializeBase } from './signature-base-draft.ts'
import type { SignatureBaseInputs } from './signature-base-inputs.ts'
import { type DetectedCause, detectedCause } from './signature-error-causes.ts'

/**
 * Result of the signature lab's search for a signer: the signed bytes and the signing key, as far as found, with the
 * causes that explain them.
 */
export type SignerOutcome = {
  findings: readonly DetectedCause[]
  alternatives: readonly DetectedCause[]
  notes: readonly DetectedCause[]
  signed?: { text: string; source: 'given' | 'found' }
  key?: CandidateKey
  isUnregistered?: true
  reading?: BaseReading
  verifications: number
  isExhausted: boolean
}

type SignerSearchInput = {
  facts: SignatureBaseInputs
  signature: Buffer
  keys: readonly CandidateKey[]
  dialect: AcceptedDialect
  budget: SearchBudget
  /** Other requests that may be signed with the same key. */
  companions: readonly SignedRequest[]
  /** Builds the correct base in a reading. */
  expected: (reading: BaseReading | undefined) => string
  /** The signature base that the client reports. */
  given: Buffer | undefined
}

/** Finds the signed bytes and the signing key: by the reported base, a search, or key recovery from two requests. */
export const findSigner = async (parts: SignerSearchInput): Promise<SignerOutcome> => {
  const shown = parts.given && (await verifyReportedBase(parts, parts.given))
  if (shown) return shown
  let spent = { verifications: 0, isExhausted: true }
  for (const depth of ['one', 'two'] as const) {
    const budget = { ...parts.budget, verifications: parts.budget.verifications - spent.verifications }
    const { found, verifications, isExhausted } = await searchSignedBase({ ...parts, budget }, depth)
    spent = { verifications: spent.verifications + verifications, isExhausted }
    if (found) return { ...explained(found, parts), ...spent }
    const recovered = await recover(parts, depth)
    if (recovered) return { ...recovered, ...spent }
  }
  return { ...unexplained(parts), ...spent }
}

/** Returns the outcome of a search without a hit: the reported base, if any, is compared with the expected one. */
const unexplained = ({ given, expected, facts }: SignerSearchInput) => {
  const plain = { alternatives: [], notes: [] }
  if (given === undefined) return { ...plain, findings: [detectedCause('not-found')] }
  const text = given.toString('utf8')
  const findings = [...explainClientBase(text, expected(undefined), facts), detectedCause('base-not-signed')]
  return { ...plain, findings, signed: { text, source: 'given' as const } }
}

/** Returns the outcome where the signature verifies over the reported base; else undefined. */
const verifyReportedBase = async (parts: SignerSearchInput, given: Buffer): Promise<SignerOutcome | undefined> => {
  const { facts, signature, keys } = parts
  const signer = await findSigningKey(given, signature, keys)
  if (!signer) return undefined
  const text = given.toString('utf8')
  const root = createRootDrafts(facts).find(([, draft]) => serializeBase(draft) === text)
  return {
    findings: [
      ...(root ? readingCauses(root[0], parts) : explainClientBase(text, parts.expected(undefined), facts)),
      ...keyCauses({ ...signer, isNamed: selectNamedKeys(keys, facts.input.keyId).includes(signer.key) }),
    ],
    alternatives: [],
    notes: [],
    signed: { text, source: 'given' },
    key: signer.key,
    ...(root ? { reading: root[0] } : {}),
    verifications: keys.length,
    isExhausted: true,
  }
}

const explained = (found: SearchHit, parts: SignerSearchInput) => {
  const text = serializeBase(found.draft)
  // If the correct base was signed, only a header is wrong, and the step of that header reports it.
  const isRight = text === parts.expected(found.reading)
  const deviations = found.deviations.filter(({ aspect }) => !(isRight && parts.facts.components.includes(aspect)))
  const isShown = parts.given === undefined || parts.given.toString('utf8') === text
  return {
    findings: [
      ...deviations.map(({ cause, values }) => detectedCause(cause, values)),
      ...(deviations.some(({ aspect }) => aspect === 'last') ? [] : readingCauses(found.reading, parts)),
      ...keyCauses(found),
    ],
    alternatives: (deviations.length === 0 ? [] : found.alternatives).flatMap(ways =>
      ways.map(({ cause, values }) => detectedCause(cause, values)),
    ),
    notes: isShown ? [] : [detectedCause('base-not-signed')],
    signed: { text, source: 'found' as const },
    key: found.key,
    reading: found.reading,
  }
}

/** Returns the cause of using a reading of the last line that this deployment does not accept (C7). */
const readingCauses = (reading: BaseReading, { dialect, expected }: SignerSearchInput): DetectedCause[] => {
  if (dialect.readings.includes(reading)) return []
  const values = { expected: expected(undefined).split('\n').at(-1) ?? '' }
  return [detectedCause(reading === 'literal' ? 'label-in-last' : 'label-not-in-last', values)]
}

const keyCauses = ({ key, form, isNamed }: Pick<SearchHit, 'key' | 'form' | 'isNamed'>): DetectedCause[] => [
  ...(form.cause ? [detectedCause(form.cause, { expected: String(key.algorithm.coordinateBytes) })] : []),
  ...(isNamed
    ? []
    : [
        key.use === 'certificate'
          ? detectedCause('key-certificate')
          : detectedCause('key-other', { name: key.name ?? '' }),
      ]),
]

const recover = async ({ facts, signature, companions, budget }: SignerSearchInput, depth: SearchDepth) => {
  for (const companion of companions) {
    const recovered = await findUnregisteredKey({ facts, signature }, companion, depth, budget)
    if (!recovered) continue
    return {
      findings: [
        detectedCause('key-unregistered'),
        ...recovered.deviations.map(({ cause, values }) => detectedCause(cause, values)),
      ],
      alternatives: [],
      notes: [],
      signed: { text: serializeBase(recovered.draft), source: 'found' as const },
      key: recovered.key,
      isUnregistered: true as const,
      reading: recovered.reading,
    }
  }
}
