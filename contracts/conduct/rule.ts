import type { Traffic } from './traffic.ts'

/** Something that should not have been: a sentence, and the calls and deliveries that prove it. */
export type Breach = { said: string; evidence: readonly string[] }

/** How often there was an occasion, what went wrong on it, and what shows the first on which all went well. */
export type Finding = { occasions: number; breaches: readonly Breach[]; kept: readonly string[] }

/** One rule of conduct for a merchant's integration. */
export type ConductRule = {
  /** Stable, never reused. */
  id: string
  clause: string
  title: string
  /** What goes wrong for whoever does not keep it. */
  why: string
  judge(traffic: Traffic): Finding
}

export type ConductVerdict = 'pass' | 'fail' | 'not exercised'
export type Conduct = Omit<ConductRule, 'judge'> & Finding & { verdict: ConductVerdict }

/** What was seen on an occasion: with a sentence a breach, without one the rule was kept. */
export type Sight = { said?: string; evidence: readonly string[] }

/** What a rule may call an occasion: a call, a delivery, a payment, or several of one kind. */
type Occasion = { callId: string } | { deliveryId: string } | { transactionId: string } | readonly Occasion[]

/** The ids of what makes an occasion. */
export const idsOf = (occasion: Occasion): readonly string[] => {
  if (Array.isArray(occasion)) return occasion.flatMap(idsOf)
  const { callId, deliveryId, transactionId } = occasion as Partial<Record<string, string>>
  return [callId ?? deliveryId ?? transactionId ?? '']
}

export const NO_OCCASION: Finding = { occasions: 0, breaches: [], kept: [] }

/** A finding over a list of occasions; where nothing more is said of one, it was kept, and shows that by itself. */
export const overEach = <Each extends Occasion>(
  occasions: readonly Each[],
  look: (occasion: Each) => Sight | undefined,
): Finding => {
  const sights = occasions.map(occasion => look(occasion) ?? { evidence: idsOf(occasion) })
  return {
    occasions: occasions.length,
    breaches: sights.flatMap(({ said, evidence }) => (said === undefined ? [] : { said, evidence })),
    kept: sights.find(({ said }) => said === undefined)?.evidence ?? [],
  }
}
