import { type KeyObject, verify as verifyWithCallback } from 'node:crypto'
import { promisify } from 'node:util'
import type { Algorithm } from '../algorithms.ts'
import { READINGS, type Reading } from '../signature-base.ts'
import { SIGNATURE_LABEL } from '../signature-input.ts'
import type { Dialect } from '../verify.ts'
import { baseDeviations, hashDeviations } from './base-deviations.ts'
import type { Deviation } from './deviation.ts'
import { type Draft, draftOf, signedBytes } from './draft.ts'
import type { Facts } from './facts.ts'
import { type SignatureForm, signatureForms } from './signature-forms.ts'
import { valueDeviations } from './value-deviations.ts'

const verifyAsync = promisify(verifyWithCallback)

/** A public key that may have signed; one without a name stands for whatever keyid says. */
export type Candidate = {
  name?: string
  use: 'signing' | 'certificate'
  algorithm: Algorithm
  publicKey: KeyObject
  state?: 'deregistered' | 'expired'
}

/** How far a search may go: so many verifications, and as long as this says no. */
export type Budget = { verifications: number; isOver: () => boolean }

/** A way of signing that verifies: what is unusual about it, and in which other ways the same bytes come about. */
export type Found = {
  draft: Draft
  reading: Reading
  key: Candidate
  form: SignatureForm
  deviations: readonly Deviation[]
  alternatives: readonly (readonly Deviation[])[]
  isNamed: boolean
}

export type Searched = { found: Found | undefined; verifications: number; isExhausted: boolean }

export type SearchParts = {
  facts: Facts
  signature: Buffer
  keys: readonly Candidate[]
  dialect: Dialect
  budget: Budget
}

type Attempt = {
  draft: Draft
  bytes: Buffer
  hash: string
  reading: Reading
  key: Candidate
  form: SignatureForm
  deviations: readonly Deviation[]
}

/** The bases from which a client starts: one for each reading of the last line. */
export const rootsOf = ({ components, componentOf, input }: Facts): readonly (readonly [Reading, Draft])[] => {
  const lines = components.map(name => ({ name, value: componentOf(name) }))
  const label = input.label === '' ? SIGNATURE_LABEL : input.label
  return READINGS.map(reading => [
    reading,
    draftOf(lines, reading === 'literal' ? `${label}=${input.parameters}` : input.parameters),
  ])
}

/** Everything single that a client may do otherwise with its base, the likeliest first. */
export const deviationsOf = (facts: Facts): readonly Deviation[] =>
  [...valueDeviations(facts), ...baseDeviations(facts)].toSorted((a, b) => a.weight - b.weight)

/** Keys that keyid names, where it names one; all signing keys where it does not. */
export const namedKeys = (keys: readonly Candidate[], keyId: string | undefined): readonly Candidate[] => {
  const named = keys.filter(({ name, use }) => use === 'signing' && (name === keyId || name === undefined))
  return named.length > 0 ? named : keys.filter(({ use }) => use === 'signing')
}

/**
 * Finds out what was signed: as it should be or with one thing otherwise, base, hash, key or encoding; then with two.
 * Verifications run on the thread pool, a handful at a time.
 */
export const search = async (parts: SearchParts, depth: Depth): Promise<Searched> => {
  let verifications = 0
  for (const stage of stagesOf(parts, depth)) {
    const tried = new Set<string>()
    for (const batch of batches(stage, tried)) {
      if (verifications >= parts.budget.verifications || parts.budget.isOver())
        return { found: undefined, verifications, isExhausted: false }
      verifications += batch.length
      const verified = await Promise.all(batch.map(verifies))
      const hit = batch[verified.indexOf(true)]
      if (hit) return { found: foundBy(hit, parts), verifications, isExhausted: true }
    }
  }
  return { found: undefined, verifications, isExhausted: true }
}

/** Whether these bytes were signed as they are, by one of the keys. */
export const signerOf = async (
  bytes: Buffer,
  signature: Buffer,
  keys: readonly Candidate[],
): Promise<{ key: Candidate; form: SignatureForm } | undefined> => {
  for (const key of keys)
    for (const form of signatureForms(signature, key.algorithm))
      if (await verifies({ bytes, hash: key.algorithm.hash, key, form })) return { key, form }
}

const verifies = async ({ bytes, hash, key, form }: Pick<Attempt, 'bytes' | 'hash' | 'key' | 'form'>) => {
  try {
    return await verifyAsync(hash, bytes, key.publicKey, form.der)
  } catch {
    return false
  }
}

const AT_ONCE = 16

function* batches(stage: Iterable<Attempt>, tried: Set<string>): Generator<Attempt[]> {
  let batch: Attempt[] = []
  for (const attempt of stage) {
    const mark = markOf(attempt)
    if (tried.has(mark)) continue
    tried.add(mark)
    batch.push(attempt)
    if (batch.length < AT_ONCE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

const markOf = ({ bytes, hash, key, form }: Attempt): string =>
  `${hash} ${key.name} ${key.use} ${form.der.toString('latin1', 0, 12)} ${bytes.toString('latin1')}`

/** How many things are taken to be otherwise. */
export type Depth = 'one' | 'two'

type Stage = {
  depth: Depth
  combinations: () => Iterable<readonly Deviation[]>
  keys: readonly Candidate[]
  forms: 'proper' | 'odd'
}

/** From the likeliest to the far-fetched; a stage is begun only when the one before it is done. */
function* stagesOf({ facts, signature, keys, dialect }: SearchParts, depth: Depth): Generator<Iterable<Attempt>> {
  const named = namedKeys(keys, facts.input.keyId)
  const others = keys.filter(key => !named.includes(key))
  const singles = deviationsOf(facts)
  const none = () => [[]]
  const one = () => singles.map(single => [single])
  const roots = rootsOf(facts).toSorted(
    ([a], [b]) => Number(dialect.readings.includes(b)) - Number(dialect.readings.includes(a)),
  )
  const stages: Stage[] = [
    { depth: 'one', combinations: none, keys: named, forms: 'proper' },
    { depth: 'one', combinations: none, keys: named, forms: 'odd' },
    { depth: 'one', combinations: none, keys: others, forms: 'proper' },
    { depth: 'one', combinations: one, keys: named, forms: 'proper' },
    { depth: 'two', combinations: one, keys: others, forms: 'proper' },
    { depth: 'two', combinations: none, keys: others, forms: 'odd' },
    { depth: 'two', combinations: one, keys: named, forms: 'odd' },
    { depth: 'two', combinations: () => pairsOf(singles), keys: named, forms: 'proper' },
  ]
  for (const stage of stages) if (stage.depth === depth) yield attemptsOf(stage, roots, signature)
}

function* attemptsOf(
  { combinations, keys, forms }: Stage,
  roots: readonly (readonly [Reading, Draft])[],
  signature: Buffer,
): Generator<Attempt> {
  const pairs = keys.flatMap(key =>
    signatureForms(signature, key.algorithm)
      .filter(({ cause }) => (cause === undefined) === (forms === 'proper'))
      .map(form => ({ key, form })),
  )
  if (pairs.length === 0) return
  for (const deviations of combinations())
    for (const [reading, root] of roots)
      for (const { key, form } of pairs)
        for (const hashed of deviations.length === 0 ? [[], ...hashDeviations(key.algorithm).map(row => [row])] : [[]])
          yield attempt(root, reading, [...deviations, ...hashed], key, form)
}

const attempt = (
  root: Draft,
  reading: Reading,
  deviations: readonly Deviation[],
  key: Candidate,
  form: SignatureForm,
): Attempt => {
  const draft = deviations.reduce((changed, { edit }) => edit(changed), root)
  const hash = draft.hash ?? key.algorithm.hash
  return { draft, bytes: signedBytes(draft, hash), hash, reading, key, form, deviations }
}

/** Two deviations of different aspects, the likeliest pairs first. */
export function* pairsOf(singles: readonly Deviation[]): Generator<readonly Deviation[]> {
  for (let weight = 2; weight <= 5; weight += 1)
    for (const [index, first] of singles.entries())
      for (let next = index + 1; next < singles.length; next += 1) {
        const second = singles[next]
        if (second && first.weight + second.weight === weight && first.aspect !== second.aspect) yield [first, second]
      }
}

/** A hit with all the ways that lead to the same bytes. */
const foundBy = (hit: Attempt, { facts, keys }: SearchParts): Found => {
  const { draft, reading, key, form, deviations } = hit
  const isNamed = namedKeys(keys, facts.input.keyId).includes(key)
  return { draft, reading, key, form, deviations, alternatives: waysTo(hit.bytes, hit, facts), isNamed }
}

/** Other combinations of as many deviations that yield the same bytes, one for each cause. */
export const waysTo = (
  bytes: Buffer,
  { hash, deviations }: Pick<Attempt, 'hash' | 'deviations'>,
  facts: Facts,
): readonly (readonly Deviation[])[] => {
  if (deviations.length !== 1 || deviations[0]?.aspect === 'hash') return []
  const ways = new Map<string, readonly Deviation[]>()
  for (const single of deviationsOf(facts))
    for (const [, root] of rootsOf(facts))
      if (
        single.cause !== deviations[0]?.cause &&
        !ways.has(single.cause) &&
        signedBytes(single.edit(root), hash).equals(bytes)
      )
        ways.set(single.cause, [single])
  return [...ways.values()]
}
