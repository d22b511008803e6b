import { setImmediate } from 'node:timers/promises'
import type { Algorithm } from '../algorithms.ts'
import type { Reading } from '../signature-base.ts'
import type { Deviation } from './deviation.ts'
import { type Draft, hashed, signedBytes } from './draft.ts'
import type { Facts } from './facts.ts'
import { keyOfPoint, type Recover, recoverOf } from './recover.ts'
import { type Budget, type Candidate, type Depth, deviationsOf, rootsOf } from './search.ts'
import { curvesOf, signatureForms } from './signature-forms.ts'

/** A request whose signature nobody known made. */
export type Unexplained = { facts: Facts; signature: Buffer }

export type Recovered = { key: Candidate; draft: Draft; reading: Reading; deviations: readonly Deviation[] }

type Way = { draft: Draft; reading: Reading; deviations: readonly Deviation[] }

/**
 * An ECDSA signature tells of each message two keys that may have made it. One key that two requests have in common
 * signed both: so a key that nobody registered is recognised, and what was unusual about its base as well.
 */
export const findUnregisteredKey = async (
  first: Unexplained,
  second: Unexplained,
  depth: Depth,
  budget: Budget,
): Promise<Recovered | undefined> => {
  const [algorithm] = curvesOf(first.signature)
  if (!algorithm || curvesOf(second.signature)[0] !== algorithm) return undefined
  if (first.signature.equals(second.signature)) return undefined
  const recovers = [first, second].map(({ signature }) => recoverFrom(signature, algorithm))
  const [recoverOurs, recoverTheirs] = recovers
  if (!recoverOurs || !recoverTheirs) return undefined
  const seen = new Map<string, Way>()
  const others = new Set<string>()
  const [ours, theirs] = [waysOf(first.facts, depth), waysOf(second.facts, depth)]
  for (let step = 0; step < Math.max(ours.length, theirs.length); step += 1) {
    if (budget.isOver()) return undefined
    const [way, other] = [ours[step], theirs[step]]
    if (way) for (const point of pointsOf(way, recoverOurs, algorithm)) seen.set(point, seen.get(point) ?? way)
    if (other) for (const point of pointsOf(other, recoverTheirs, algorithm)) others.add(point)
    const common = [...others].find(point => seen.has(point))
    const found = common === undefined ? undefined : seen.get(common)
    if (common && found)
      return { key: { use: 'signing', algorithm, publicKey: keyOfPoint(common, algorithm) }, ...found }
    await setImmediate()
  }
}

/** As it should be; then with one deviation, the likelier ones only: each costs as much as ten verifications. */
const waysOf = (facts: Facts, depth: Depth): readonly Way[] => {
  const deviations = depth === 'one' ? [] : deviationsOf(facts).filter(({ weight }) => weight < 3)
  const ways = [[], ...deviations.map(one => [one])].flatMap(combination =>
    rootsOf(facts).map(([reading, root]) => {
      const draft = combination.reduce((changed, { edit }) => edit(changed), root)
      return { draft, reading, deviations: combination }
    }),
  )
  const distinct = new Map<string, Way>()
  for (const way of ways) {
    const bytes = signedBytes(way.draft, 'sha256').toString('latin1')
    if (!distinct.has(bytes)) distinct.set(bytes, way)
  }
  return [...distinct.values()]
}

const recoverFrom = (signature: Buffer, algorithm: Algorithm): Recover | undefined => {
  const form = signatureForms(signature, algorithm).find(({ cause }) => cause === undefined)
  return form && recoverOf(form.der, algorithm)
}

const pointsOf = ({ draft }: Way, recover: Recover, algorithm: Algorithm): readonly string[] => {
  const hash = draft.hash ?? algorithm.hash
  return recover(hashed(signedBytes(draft, hash), hash))
}
