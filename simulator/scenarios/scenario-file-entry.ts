import type { ProviderOperation } from '../../contracts/operations.ts'
import type { DeclineName } from '../../contracts/protocol/decline-reasons.ts'
import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { DeliveryDeviation } from '../payments/delivery-plan-rule.ts'
import type { StatusInfo } from '../payments/payment.ts'
import type { FaultInput } from '../providers/read-fault-input.ts'
import type { CodeByProvider, ScenarioStep, ShopperStep } from './scenario.ts'

/** Reason of a decline in a scenario file: a provider code (7.5), a named decline without a code, or a statusInfo. */
export type DeclineReason = { code?: CodeByProvider; decline?: DeclineName; statusInfo?: StatusInfo }

export type StepEntry = DeclineReason & {
  outcome?: NonNullable<ScenarioStep['outcome']>
  providerDetails?: {
    providerTransactionId?: string
    redirectUrl?: string
    registeredAt?: string
    expiresAt?: string
    qrCode?: string
  }
  fault?: FaultInput
  later?: { outcome?: 'approved' | 'declined'; after: string; decline?: DeclineName }
}

export type ShopperEntry = DeclineReason & { outcome?: ShopperStep['outcome']; after?: string }

/** A scenario as written in a file and valid by the schema: durations in ISO 8601, declines by name. */
export type ScenarioFileEntry = {
  name: string
  title: string
  clauses?: string[]
  providers?: readonly ProviderId[]
  magic?: string
  steps?: Partial<Record<ProviderOperation, StepEntry>>
  shopper?: ShopperEntry
  settlement?: { after: string }
  dispute?: { after: string; outcome?: 'won' | 'lost'; decidedAfter?: string }
  mandate?: { revokedAfter: string }
  webhooks?: { on?: string; do: DeliveryDeviation; after?: string }[]
}
