import type { ProviderCode, ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { TransactionType } from '../../contracts/protocol/providers-and-capabilities.ts'
import type { AcceptedRefundOutcome, StatusInfo } from '../payments/payment.ts'
import type { BlikCode } from './issued-blik-code.ts'
import type { MockOverrides } from './provider-mock.ts'
import type { ShopperAction } from './shopper-decision.ts'

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
