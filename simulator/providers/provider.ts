import { DECLINES, type DeclineName } from '../../contracts/protocol/decline-reasons.ts'
import type { ProviderCode, ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { TransactionType } from '../../contracts/protocol/providers.ts'
import type { AcceptedRefundOutcome, StatusInfo } from '../payments/payment.ts'
import type { MockOverrides } from './provider-mock.ts'

/** A one-time BLIK code of the simulated bank app (R6); `expiresAt` on the organization's clock. */
export type BlikCode = {
  codeId: string
  code: string
  expiresAt: number
  transactionId?: string
  /** Whether its bank supports mandates (7.5 code 3004); absent means yes. */
  recurring?: boolean
  /** The simulated phone that shows it; absent for a code created through control. */
  phoneId?: string
}

/** Parts of a scripted response beside its outcome: own statusInfo, replaced provider details (2.7). */
type ScriptedParts = { statusInfo?: StatusInfo; details?: MockOverrides }

/** Response of a simulated provider; a decline always has the provider's code or its own statusInfo. */
export type ProviderResponse = ScriptedParts &
  (
    | { outcome: 'pending' | 'approved'; code?: undefined }
    | { outcome: 'accepted'; code?: undefined; later?: AcceptedRefundOutcome }
    | { outcome: 'declined' | 'lapsed'; code: ProviderCode }
    | { outcome: 'declined' | 'lapsed'; code?: undefined; statusInfo: StatusInfo }
  )

/** Actions of a shopper on a payment that awaits the decision; `lapse` lets the window expire. */
export const SHOPPER_ACTIONS = ['approve', 'decline', 'lapse'] as const
export type ShopperAction = (typeof SHOPPER_ACTIONS)[number]

/** Names of a bank's decline reasons that have no code in 7.5 (D-104). */
export const BANK_DECLINE_REASONS = Object.keys(DECLINES) as readonly DeclineName[]

export type ShopperDecision = {
  action: ShopperAction
  /** Why the bank declines, where it is not the shopper who does (D-104). */
  cause?: DeclineName | undefined
  /** Whether the shopper also consents to a mandate, if the shop asks for one; absent means yes. */
  keep?: boolean | undefined
  /** Milliseconds that the bank takes before a consent takes effect; absent means none. */
  after?: number | undefined
}

/** A simulated payment provider (scheme): its responses, and how it reaches the shopper. */
export type Provider = {
  id: ProviderId
  /** How long the shopper may take, in milliseconds (R6, R7). */
  windowMilliseconds(rules: { irisValidity: number }): number
  /** Path of its hosted page, to which the shopper is sent; undefined for a shopper who acts on a phone. */
  redirectPath: string | undefined
  initiate(question: {
    code: BlikCode | undefined
    transactionType: TransactionType
    now: number
    windowMilliseconds: number
  }): ProviderResponse
  /** Response to a payment without the shopper, under a valid mandate (3 sequence 2). */
  charge: ProviderResponse
  shopper: Readonly<Record<Exclude<ShopperAction, 'lapse'>, ProviderResponse>>
  lapse: ProviderResponse
}
