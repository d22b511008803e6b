import type { ProviderOperation } from '../../contracts/operations.ts'
import type { ProviderCode, ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { DeliveryRule } from '../payments/delivery-plan-rule.ts'
import type { StatusInfo } from '../payments/payment.ts'
import type { MockOverrides, StepFault } from '../providers/provider-mock.ts'

/** A provider code (7.5), or a code for each provider if the scenario applies to several. */
export type CodeByProvider = ProviderCode | Partial<Record<ProviderId, ProviderCode>>

/** Scripted provider response to one operation, and a fault to inject. */
export type ScenarioStep = {
  outcome?: 'accepted' | 'pending' | 'approved' | 'declined'
  code?: CodeByProvider
  statusInfo?: StatusInfo
  providerDetails?: MockOverrides
  fault?: StepFault
  /** Outcome of a refund that is at first only accepted, `after` milliseconds. */
  later?: { outcome: 'approved' | 'declined'; after: number; statusInfo?: StatusInfo }
}

/**
 * Scripted outcome of the shopper's decision: applied on the shopper's consent (PASSTHROUGH), or by itself `after`
 * milliseconds from initiate (MOCK). `lapsed` means that no decision ever arrives (7.5: 2000).
 */
export type ShopperStep = {
  outcome: 'approved' | 'declined' | 'lapsed'
  after?: number
  code?: CodeByProvider
  statusInfo?: StatusInfo
}

export { DELIVERY_DEVIATIONS, type DeliveryDeviation, type DeliveryRule } from '../payments/delivery-plan-rule.ts'

/** A scenario: a named, scripted course of a payment, read from a file in `scenarios/` (2.7); times in milliseconds. */
export type Scenario = {
  name: string
  title: string
  clauses: readonly string[]
  providers: readonly ProviderId[]
  /** Four digits nnnn: the BLIK code 99nnnn and the amount 999nnnn in minor units select this scenario. */
  magic?: string
  steps: Partial<Record<ProviderOperation, ScenarioStep>>
  shopper?: ShopperStep
  /** Time from a capture to its settlement, in place of the configured one (R4). */
  settlement?: { after: number }
  /** A dispute that the payer opens after the settlement, and its outcome. */
  dispute?: { after: number; outcome?: 'won' | 'lost'; decidedAfter?: number }
  /** Revocation of the mandate by the payer, this long after the consent. */
  mandate?: { revokedAfter: number }
  webhooks?: readonly DeliveryRule[]
}
