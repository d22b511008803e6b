import { choiceOf } from '../dialect/decision-choices.ts'
import { hasCapability } from '../harness/profile/capabilities-that-checks-need.ts'
import type { Profile } from '../harness/profile/profile.ts'
import type { Rules } from '../model/decided-rules-of-deployment.ts'
import { CAPABILITIES, type Capability } from '../protocol/providers-and-capabilities.ts'
import { shownWithinSeconds } from '../suites/given/read-until.ts'

/** Capabilities that a profile denies by another name. */
const DENIED_BY = {
  laterCapture: 'manualCapture',
  recurring: 'recurring',
  tokenOnly: 'recurring',
} as const satisfies Partial<Record<Capability, string>>

/** Capabilities of which a profile denies several at once: a deployment may have one of them. */
const DENIED_TOGETHER = {
  partialCapture: 'partialCaptures',
  multiplePartialCaptures: 'partialCaptures',
  partialRefund: 'partialRefunds',
  multiplePartialRefunds: 'partialRefunds',
} as const satisfies Partial<Record<Capability, string>>

/** Capabilities that the document itself gives a method (1, 3). */
const STATED: readonly string[] = [
  'BLIK refund',
  'IRIS refund',
  'BLIK laterCapture',
  'BLIK recurring',
  'BLIK tokenOnly',
]

/** Derives the rules of the model from a profile: decisions, capabilities and limits that the document leaves open. */
export const rulesOfProfile = (profile: Profile): Rules => {
  const { confirmed = [], decisions = {}, settlement, limits } = profile
  const isConfirmed = (number: string): boolean =>
    number in decisions || confirmed === 'all' || confirmed.includes(number)
  const { holdSeconds, consentSeconds } = limits ?? {}
  const late = profile.control ? 0 : shownWithinSeconds(profile)
  return {
    isConfirmed,
    choice: number => (isConfirmed(number) ? choiceOf(profile, number) : undefined),
    supports: (capability, method) => {
      const denial = DENIED_BY[capability as keyof typeof DENIED_BY]
      if (denial !== undefined && !hasCapability(profile, denial)) return false
      const shared = DENIED_TOGETHER[capability as keyof typeof DENIED_TOGETHER]
      if (shared !== undefined && !hasCapability(profile, shared)) return undefined
      if (isConfirmed('D-37')) return CAPABILITIES[capability][method]
      return STATED.includes(`${method} ${capability}`) ? true : undefined
    },
    settledWithin: settlement?.withinSeconds === undefined ? undefined : (settlement.withinSeconds + late) * 1000,
    holdFor: holdSeconds === undefined ? undefined : holdSeconds * 1000,
    consentFor: consentSeconds === 0 ? Number.POSITIVE_INFINITY : consentSeconds && consentSeconds * 1000,
    shoppersAct: profile.control === undefined,
  }
}
