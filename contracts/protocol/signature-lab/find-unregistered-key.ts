import { setImmediate } from 'node:timers/promises'
import type { Algorithm } from '../signature-algorithms.ts'
import type { BaseReading } from '../signature-base.ts'
import type { Deviation } from './base-deviation-type.ts'
import { listSignatureForms, possibleAlgorithms } from './interpret-signature-bytes.ts'
import { createPublicKeyRecovery, type RecoverPublicKeys, toPublicKey } from './recover-public-keys.ts'
import {
  type CandidateKey,
  createRootDrafts,
  listDeviations,
  type SearchBudget,
  type SearchDepth,
} from './search-signed-base.ts'
import { type BaseDraft, hashBytes, signedBytes } from './signature-base-draft.ts'
import type { SignatureBaseInputs } from './signature-base-inputs.ts'

/** Parsed request with the bytes of its signature, which no known key made. */
export type SignedRequest = { facts: SignatureBaseInputs; signature: Buffer }

type RecoveredKey = {
  key: CandidateKey
  draft: BaseDraft
  reading: BaseReading
  deviations: readonly Deviation[]
}

type BaseVariant = { draft: BaseDraft; reading: BaseReading; deviations: readonly Deviation[] }

/**
 * Finds the unregistered key that signed two requests, and the deviations of its base: each ECDSA signature leaves two
 * candidate keys, and the signer is the candidate common to both.
 */
export const findUnregisteredKey = async (
  first: SignedRequest,
  second: SignedRequest,
  depth: SearchDepth,
  budget: SearchBudget,
): Promise<RecoveredKey | undefined> => {
  const [algorithm] = possibleAlgorithms(first.signature)
  if (!algorithm || possibleAlgorithms(second.signature)[0] !== algorithm) return undefined
  if (first.signature.equals(second.signature)) return undefined
  const recovers = [first, second].map(({ signature }) => createRecovery(signature, algorithm))
  const [recoverOurs, recoverTheirs] = recovers
  if (!recoverOurs || !recoverTheirs) return undefined
  const seen = new Map<string, BaseVariant>()
  const others = new Set<string>()
  const [ours, theirs] = [listBaseVariants(first.facts, depth), listBaseVariants(second.facts, depth)]
  for (let step = 0; step < Math.max(ours.length, theirs.length); step += 1) {
    if (budget.isOver()) return undefined
    const [way, other] = [ours[step], theirs[step]]
    if (way) for (const point of pointsOf(way, recoverOurs, algorithm)) seen.set(point, seen.get(point) ?? way)
    if (other) for (const point of pointsOf(other, recoverTheirs, algorithm)) others.add(point)
    const common = [...others].find(point => seen.has(point))
    const found = common === undefined ? undefined : seen.get(common)
    if (common && found)
      return { key: { use: 'signing', algorithm, publicKey: toPublicKey(common, algorithm) }, ...found }
    await setImmediate()
  }
}

/** Lists the bases to try: undeviated, then with one common deviation; each costs as much as ten verifications. */
const listBaseVariants = (facts: SignatureBaseInputs, depth: SearchDepth): readonly BaseVariant[] => {
  const deviations = depth === 'one' ? [] : listDeviations(facts).filter(({ weight }) => weight < 3)
  const ways = [[], ...deviations.map(one => [one])].flatMap(combination =>
    createRootDrafts(facts).map(([reading, root]) => {
      const draft = combination.reduce((changed, { edit }) => edit(changed), root)
      return { draft, reading, deviations: combination }
    }),
  )
  const distinct = new Map<string, BaseVariant>()
  for (const way of ways) {
    const bytes = signedBytes(way.draft, 'sha256').toString('latin1')
    if (!distinct.has(bytes)) distinct.set(bytes, way)
  }
  return [...distinct.values()]
}

const createRecovery = (signature: Buffer, algorithm: Algorithm): RecoverPublicKeys | undefined => {
  const form = listSignatureForms(signature, algorithm).find(({ cause }) => cause === undefined)
  return form && createPublicKeyRecovery(form.der, algorithm)
}

const pointsOf = ({ draft }: BaseVariant, recover: RecoverPublicKeys, algorithm: Algorithm): readonly string[] => {
  const hash = draft.hash ?? algorithm.hash
  return recover(hashBytes(signedBytes(draft, hash), hash))
}
