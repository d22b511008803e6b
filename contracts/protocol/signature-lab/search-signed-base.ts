import { type KeyObject, verify as verifyWithCallback } from 'node:crypto'
import { promisify } from 'node:util'
import type { AcceptedDialect } from '../match-signature-dialect.ts'
import type { Algorithm } from '../signature-algorithms.ts'
import { BASE_READINGS, type BaseReading } from '../signature-base.ts'
import { SIGNATURE_LABEL } from '../signature-input.ts'
import type { Deviation } from './base-deviation-type.ts'
import { valueDeviations } from './component-value-deviations.ts'
import { listSignatureForms, type SignatureForm } from './interpret-signature-bytes.ts'
import { baseDeviations, hashDeviations } from './signature-base-deviations.ts'
import { type BaseDraft, createBaseDraft, signedBytes } from './signature-base-draft.ts'
import type { SignatureBaseInputs } from './signature-base-inputs.ts'

const verifyAsync = promisify(verifyWithCallback)

/** A public key that may have made a signature; a key without a name matches any keyid. */
export type CandidateKey = {
  name?: string
  use: 'signing' | 'certificate'
  algorithm: Algorithm
  publicKey: KeyObject
  state?: 'deregistered' | 'expired'
}

/** The limits of a search for a signed base: a number of verifications, and a function that ends it. */
export type SearchBudget = { verifications: number; isOver: () => boolean }

/** A combination of base, hash, key and encoding that verifies: its deviations, and others that give the same bytes. */
export type SearchHit = {
  draft: BaseDraft
  reading: BaseReading
  key: CandidateKey
  form: SignatureForm
  deviations: readonly Deviation[]
  alternatives: readonly (readonly Deviation[])[]
  isNamed: boolean
}

type SearchResult = { found: SearchHit | undefined; verifications: number; isExhausted: boolean }

type SearchInput = {
  facts: SignatureBaseInputs
  signature: Buffer
  keys: readonly CandidateKey[]
  dialect: AcceptedDialect
  budget: SearchBudget
}

type Combination = {
  draft: BaseDraft
  bytes: Buffer
  hash: string
  reading: BaseReading
  key: CandidateKey
  form: SignatureForm
  deviations: readonly Deviation[]
}

/** Creates the undeviated signature base drafts of a request, one for each reading of the last line. */
export const createRootDrafts = ({
  components,
  componentOf,
  input,
}: SignatureBaseInputs): readonly (readonly [BaseReading, BaseDraft])[] => {
  const lines = components.map(name => ({ name, value: componentOf(name) }))
  const label = input.label === '' ? SIGNATURE_LABEL : input.label
  return BASE_READINGS.map(reading => [
    reading,
    createBaseDraft(lines, reading === 'literal' ? `${label}=${input.parameters}` : input.parameters),
  ])
}

/** Lists all known single deviations of the signature base, most common first. */
export const listDeviations = (facts: SignatureBaseInputs): readonly Deviation[] =>
  [...valueDeviations(facts), ...baseDeviations(facts)].toSorted((a, b) => a.weight - b.weight)

/** Selects the signing keys that keyid names; all signing keys where it names none. */
export const selectNamedKeys = (keys: readonly CandidateKey[], keyId: string | undefined): readonly CandidateKey[] => {
  const named = keys.filter(({ name, use }) => use === 'signing' && (name === keyId || name === undefined))
  return named.length > 0 ? named : keys.filter(({ use }) => use === 'signing')
}

/**
 * Searches for the signed base: without deviations or with one (of base, hash, key or encoding), or with two, by depth.
 * Verifications run on the thread pool in batches.
 */
export const searchSignedBase = async (parts: SearchInput, depth: SearchDepth): Promise<SearchResult> => {
  let verifications = 0
  for (const stage of searchPhases(parts, depth)) {
    const tried = new Set<string>()
    for (const batch of batches(stage, tried)) {
      if (verifications >= parts.budget.verifications || parts.budget.isOver())
        return { found: undefined, verifications, isExhausted: false }
      verifications += batch.length
      const verified = await Promise.all(batch.map(verifies))
      const hit = batch[verified.indexOf(true)]
      if (hit) return { found: toSearchHit(hit, parts), verifications, isExhausted: true }
    }
  }
  return { found: undefined, verifications, isExhausted: true }
}

/** Finds the key with which a signature verifies over these exact bytes; undefined where none does. */
export const findSigningKey = async (
  bytes: Buffer,
  signature: Buffer,
  keys: readonly CandidateKey[],
): Promise<{ key: CandidateKey; form: SignatureForm } | undefined> => {
  for (const key of keys)
    for (const form of listSignatureForms(signature, key.algorithm))
      if (await verifies({ bytes, hash: key.algorithm.hash, key, form })) return { key, form }
}

const verifies = async ({ bytes, hash, key, form }: Pick<Combination, 'bytes' | 'hash' | 'key' | 'form'>) => {
  try {
    return await verifyAsync(hash, bytes, key.publicKey, form.der)
  } catch {
    return false
  }
}

const AT_ONCE = 16

function* batches(stage: Iterable<Combination>, tried: Set<string>): Generator<Combination[]> {
  let batch: Combination[] = []
  for (const attempt of stage) {
    const mark = fingerprintOf(attempt)
    if (tried.has(mark)) continue
    tried.add(mark)
    batch.push(attempt)
    if (batch.length < AT_ONCE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

const fingerprintOf = ({ bytes, hash, key, form }: Combination): string =>
  `${hash} ${key.name} ${key.use} ${form.der.toString('latin1', 0, 12)} ${bytes.toString('latin1')}`

/** Depth of a search for a signed base: up to one deviation, or up to two deviations combined. */
export type SearchDepth = 'one' | 'two'

type SearchPhase = {
  depth: SearchDepth
  combinations: () => Iterable<readonly Deviation[]>
  keys: readonly CandidateKey[]
  forms: 'proper' | 'odd'
}

/** Generates the phases of a search, most likely first, each only when the one before is exhausted. */
function* searchPhases(
  { facts, signature, keys, dialect }: SearchInput,
  depth: SearchDepth,
): Generator<Iterable<Combination>> {
  const named = selectNamedKeys(keys, facts.input.keyId)
  const others = keys.filter(key => !named.includes(key))
  const singles = listDeviations(facts)
  const none = () => [[]]
  const one = () => singles.map(single => [single])
  const roots = createRootDrafts(facts).toSorted(
    ([a], [b]) => Number(dialect.readings.includes(b)) - Number(dialect.readings.includes(a)),
  )
  const stages: SearchPhase[] = [
    { depth: 'one', combinations: none, keys: named, forms: 'proper' },
    { depth: 'one', combinations: none, keys: named, forms: 'odd' },
    { depth: 'one', combinations: none, keys: others, forms: 'proper' },
    { depth: 'one', combinations: one, keys: named, forms: 'proper' },
    { depth: 'two', combinations: one, keys: others, forms: 'proper' },
    { depth: 'two', combinations: none, keys: others, forms: 'odd' },
    { depth: 'two', combinations: one, keys: named, forms: 'odd' },
    { depth: 'two', combinations: () => pairsOf(singles), keys: named, forms: 'proper' },
  ]
  for (const stage of stages) if (stage.depth === depth) yield combinationsOf(stage, roots, signature)
}

function* combinationsOf(
  { combinations, keys, forms }: SearchPhase,
  roots: readonly (readonly [BaseReading, BaseDraft])[],
  signature: Buffer,
): Generator<Combination> {
  const pairs = keys.flatMap(key =>
    listSignatureForms(signature, key.algorithm)
      .filter(({ cause }) => (cause === undefined) === (forms === 'proper'))
      .map(form => ({ key, form })),
  )
  if (pairs.length === 0) return
  for (const deviations of combinations())
    for (const [reading, root] of roots)
      for (const { key, form } of pairs)
        for (const hashed of deviations.length === 0 ? [[], ...hashDeviations(key.algorithm).map(row => [row])] : [[]])
          yield toCombination(root, reading, [...deviations, ...hashed], key, form)
}

const toCombination = (
  root: BaseDraft,
  reading: BaseReading,
  deviations: readonly Deviation[],
  key: CandidateKey,
  form: SignatureForm,
): Combination => {
  const draft = deviations.reduce((changed, { edit }) => edit(changed), root)
  const hash = draft.hash ?? key.algorithm.hash
  return { draft, bytes: signedBytes(draft, hash), hash, reading, key, form, deviations }
}

/** Generates pairs of deviations of different aspects, most common first. */
export function* pairsOf(singles: readonly Deviation[]): Generator<readonly Deviation[]> {
  for (let weight = 2; weight <= 5; weight += 1)
    for (const [index, first] of singles.entries())
      for (let next = index + 1; next < singles.length; next += 1) {
        const second = singles[next]
        if (second && first.weight + second.weight === weight && first.aspect !== second.aspect) yield [first, second]
      }
}

/** Adds to a hit the other deviations that give the same bytes. */
const toSearchHit = (hit: Combination, { facts, keys }: SearchInput): SearchHit => {
  const { draft, reading, key, form, deviations } = hit
  const isNamed = selectNamedKeys(keys, facts.input.keyId).includes(key)
  return {
    draft,
    reading,
    key,
    form,
    deviations,
    alternatives: findEquivalentDeviations(hit.bytes, hit, facts),
    isNamed,
  }
}

/** Finds other single deviations that give the same bytes, one for each cause. */
const findEquivalentDeviations = (
  bytes: Buffer,
  { hash, deviations }: Pick<Combination, 'hash' | 'deviations'>,
  facts: SignatureBaseInputs,
): readonly (readonly Deviation[])[] => {
  if (deviations.length !== 1 || deviations[0]?.aspect === 'hash') return []
  const ways = new Map<string, readonly Deviation[]>()
  for (const single of listDeviations(facts))
    for (const [, root] of createRootDrafts(facts))
      if (
        single.cause !== deviations[0]?.cause &&
        !ways.has(single.cause) &&
        signedBytes(single.edit(root), hash).equals(bytes)
      )
        ways.set(single.cause, [single])
  return [...ways.values()]
}
