import type { ProviderCode, ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { PlanRule } from '../payments/delivery-plan.ts'
import type { StatusInfo } from '../payments/payment.ts'
import type { ProviderCall } from '../providers/faults.ts'
import type { MockOverrides, StepFault } from '../providers/mock.ts'

/** A provider's code; by provider where a scenario serves both and they word it differently (7.5). */
export type CodeByProvider = ProviderCode | Partial<Record<ProviderId, ProviderCode>>

/** What the provider answers to one call. */
export type ScenarioStep = {
  outcome?: 'accepted' | 'pending' | 'approved' | 'declined'
  code?: CodeByProvider
  statusInfo?: StatusInfo
  providerDetails?: MockOverrides
  fault?: StepFault
  /** Of a refund that is only accepted: what becomes of it, milliseconds later. */
  later?: { outcome: 'approved' | 'declined'; after: number; statusInfo?: StatusInfo }
}

/**
 * What becomes of the shopper's consent: under PASSTHROUGH when the shopper consents, under MOCK by itself, `after`
 * milliseconds from initiate. `lapsed` means that no decision ever arrives (7.5: 2000).
 */
export type ShopperStep = {
  outcome: 'approved' | 'declined' | 'lapsed'
  after?: number
  code?: CodeByProvider
  statusInfo?: StatusInfo
}

export { PLAN_DEEDS, type PlanDeed, type PlanRule } from '../payments/delivery-plan.ts'

/** A named outcome of a payment, from first call to last: data of a file in `scenarios/` (2.7). Times are milliseconds. */
export type Scenario = {
  name: string
  title: string
  clauses: readonly string[]
  providers: readonly ProviderId[]
  /** Four digits: the BLIK code 99nnnn and the amount 999nnnn in minor units ask for this scenario. */
  magic?: string
  steps: Partial<Record<ProviderCall, ScenarioStep>>
  shopper?: ShopperStep
  /** From a capture to its settlement, in place of the configured time (R4). */
  settlement?: { after: number }
  /** A dispute that the payer opens after the settlement, and how it ends. */
  dispute?: { after: number; outcome?: 'won' | 'lost'; decidedAfter?: number }
  /** The payer takes the consent back in the bank app, so long after it was given. */
  mandate?: { revokedAfter: number }
  webhooks?: readonly PlanRule[]
}
