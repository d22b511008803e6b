import type { MerchantTraffic } from './merchant-traffic.ts'

/** A breach of a conduct rule: a sentence, and the ids of the calls and deliveries that prove it. */
export type Breach = { said: string; evidence: readonly string[] }

/** The result of a conduct rule: the number of occasions, the breaches, and the evidence of the first occasion kept. */
export type ConductResult = { occasions: number; breaches: readonly Breach[]; kept: readonly string[] }

/** One conduct rule for a merchant's integration. */
export type ConductRule = {
  /** Stable, never reused. */
  id: string
  clause: string
  title: string
  /** The consequence of breaking the rule. */
  why: string
  judge(traffic: MerchantTraffic): ConductResult
}

export type ConductVerdict = 'pass' | 'fail' | 'not exercised'
/** A conduct rule with its result and verdict. */
export type JudgedConductRule = Omit<ConductRule, 'judge'> & ConductResult & { verdict: ConductVerdict }

/** The judgment of one occasion of a conduct rule: a breach where `said` is present, else the rule was kept. */
export type OccasionJudgment = { said?: string; evidence: readonly string[] }

/** An occasion on which a rule applies: a call, a delivery, a payment, or several of them. */
type Occasion = { callId: string } | { deliveryId: string } | { transactionId: string } | readonly Occasion[]

/** Returns the ids of the calls, deliveries and payments that an occasion of a conduct rule consists of. */
export const evidenceIds = (occasion: Occasion): readonly string[] => {
  if (Array.isArray(occasion)) return occasion.flatMap(evidenceIds)
  const { callId, deliveryId, transactionId } = occasion as Partial<Record<string, string>>
  return [callId ?? deliveryId ?? transactionId ?? '']
}

/**
 * Judges each occasion of a conduct rule by `look`; where that returns undefined the rule was kept, with the occasion
 * as evidence.
 */
export const judgeOccasions = <Each extends Occasion>(
  occasions: readonly Each[],
  look: (occasion: Each) => OccasionJudgment | undefined,
): ConductResult => {
  const sights = occasions.map(occasion => look(occasion) ?? { evidence: evidenceIds(occasion) })
  return {
    occasions: occasions.length,
    breaches: sights.flatMap(({ said, evidence }) => (said === undefined ? [] : { said, evidence })),
    kept: sights.find(({ said }) => said === undefined)?.evidence ?? [],
  }
}
