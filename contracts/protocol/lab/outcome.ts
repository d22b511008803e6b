import type { Reading } from '../signature-base.ts'
import type { Dialect } from '../verify.ts'
import { type Finding, finding } from './causes.ts'
import { baseText } from './draft.ts'
import type { Facts } from './facts.ts'
import { givenFindings } from './given-base.ts'
import { type Budget, type Candidate, type Depth, type Found, namedKeys, rootsOf, search, signerOf } from './search.ts'
import { findUnregisteredKey, type Unexplained } from './unregistered-key.ts'

/** What came of the question who signed what. */
export type Outcome = {
  findings: readonly Finding[]
  alternatives: readonly Finding[]
  notes: readonly Finding[]
  signed?: { text: string; source: 'given' | 'found' }
  key?: Candidate
  isUnregistered?: true
  reading?: Reading
  verifications: number
  isExhausted: boolean
}

export type OutcomeParts = {
  facts: Facts
  signature: Buffer
  keys: readonly Candidate[]
  dialect: Dialect
  budget: Budget
  /** Other requests that may bear a signature by the same key. */
  companions: readonly Unexplained[]
  /** The base as it should be, in a reading. */
  expected: (reading: Reading | undefined) => string
  /** The base that the client says it built. */
  given: Buffer | undefined
}

/** Who signed what: as the client shows it, as a search finds it, or by a key that two requests have in common. */
export const outcomeOf = async (parts: OutcomeParts): Promise<Outcome> => {
  const shown = parts.given && (await asShown(parts, parts.given))
  if (shown) return shown
  let spent = { verifications: 0, isExhausted: true }
  for (const depth of ['one', 'two'] as const) {
    const budget = { ...parts.budget, verifications: parts.budget.verifications - spent.verifications }
    const { found, verifications, isExhausted } = await search({ ...parts, budget }, depth)
    spent = { verifications: spent.verifications + verifications, isExhausted }
    if (found) return { ...explained(found, parts), ...spent }
    const recovered = await recover(parts, depth)
    if (recovered) return { ...recovered, ...spent }
  }
  return { ...unexplained(parts), ...spent }
}

/** Nothing was found: where the client shows its base, that is all there is to compare. */
const unexplained = ({ given, expected, facts }: OutcomeParts) => {
  const plain = { alternatives: [], notes: [] }
  if (given === undefined) return { ...plain, findings: [finding('not-found')] }
  const text = given.toString('utf8')
  const findings = [...givenFindings(text, expected(undefined), facts), finding('base-not-signed')]
  return { ...plain, findings, signed: { text, source: 'given' as const } }
}

/** The base that the client shows, where the signature is really over it. */
const asShown = async (parts: OutcomeParts, given: Buffer): Promise<Outcome | undefined> => {
  const { facts, signature, keys } = parts
  const signer = await signerOf(given, signature, keys)
  if (!signer) return undefined
  const text = given.toString('utf8')
  const root = rootsOf(facts).find(([, draft]) => baseText(draft) === text)
  return {
    findings: [
      ...(root ? readingFindings(root[0], parts) : givenFindings(text, parts.expected(undefined), facts)),
      ...madeBy({ ...signer, isNamed: namedKeys(keys, facts.input.keyId).includes(signer.key) }),
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

const explained = (found: Found, parts: OutcomeParts) => {
  const text = baseText(found.draft)
  // What is signed as it should be is at fault in its header only, and the step of that header says so.
  const isRight = text === parts.expected(found.reading)
  const deviations = found.deviations.filter(({ aspect }) => !(isRight && parts.facts.components.includes(aspect)))
  const isShown = parts.given === undefined || parts.given.toString('utf8') === text
  return {
    findings: [
      ...deviations.map(({ cause, values }) => finding(cause, values)),
      ...(deviations.some(({ aspect }) => aspect === 'last') ? [] : readingFindings(found.reading, parts)),
      ...madeBy(found),
    ],
    alternatives: (deviations.length === 0 ? [] : found.alternatives).flatMap(ways =>
      ways.map(({ cause, values }) => finding(cause, values)),
    ),
    notes: isShown ? [] : [finding('base-not-signed')],
    signed: { text, source: 'found' as const },
    key: found.key,
    reading: found.reading,
  }
}

/** Where only one reading of the last line is accepted, the other is a fault (C7). */
const readingFindings = (reading: Reading, { dialect, expected }: OutcomeParts): Finding[] => {
  if (dialect.readings.includes(reading)) return []
  const values = { expected: expected(undefined).split('\n').at(-1) ?? '' }
  return [finding(reading === 'literal' ? 'label-in-last' : 'label-not-in-last', values)]
}

const madeBy = ({ key, form, isNamed }: Pick<Found, 'key' | 'form' | 'isNamed'>): Finding[] => [
  ...(form.cause ? [finding(form.cause, { expected: String(key.algorithm.coordinateBytes) })] : []),
  ...(isNamed
    ? []
    : [key.use === 'certificate' ? finding('key-certificate') : finding('key-other', { name: key.name ?? '' })]),
]

const recover = async ({ facts, signature, companions, budget }: OutcomeParts, depth: Depth) => {
  for (const companion of companions) {
    const recovered = await findUnregisteredKey({ facts, signature }, companion, depth, budget)
    if (!recovered) continue
    return {
      findings: [
        finding('key-unregistered'),
        ...recovered.deviations.map(({ cause, values }) => finding(cause, values)),
      ],
      alternatives: [],
      notes: [],
      signed: { text: baseText(recovered.draft), source: 'found' as const },
      key: recovered.key,
      isUnregistered: true as const,
      reading: recovered.reading,
    }
  }
}
