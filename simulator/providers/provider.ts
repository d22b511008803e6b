import type { ProviderCode, ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { Later, Payment, StatusInfo } from '../payments/payment.ts'
import type { MockOverrides } from './mock.ts'

/** A one-time code of the fake bank app (R6), on the organization's clock. */
export type BlikCode = {
  codeId: string
  code: string
  expiresAt: number
  transactionId?: string
  /** Whether its bank keeps shops for later payments (7.5 code 3004); absent means yes. */
  recurring?: boolean
}

/** What a scripted answer says beside its outcome: words of its own, other details of the provider (2.7). */
type Words = { statusInfo?: StatusInfo; details?: MockOverrides }

/** A no always comes with the provider's code for it, or with words of its own. */
export type ProviderAnswer = Words &
  (
    | { outcome: 'pending' | 'approved'; code?: undefined }
    | { outcome: 'accepted'; code?: undefined; later?: Later }
    | { outcome: 'declined' | 'lapsed'; code: ProviderCode }
    | { outcome: 'declined' | 'lapsed'; code?: undefined; statusInfo: StatusInfo }
  )

export type TransactionType = Payment['transactionType']

export type ShopperAction = 'approve' | 'decline'

/** The other side of a payment: everything it can answer, in one vocabulary. */
export type Provider = {
  id: ProviderId
  /** Where it is at home, and in which money (1, 2.2). */
  country: string
  currency: string
  /** How long the shopper may take, in milliseconds (R6, R7). */
  windowMilliseconds(rules: { irisValidity: number }): number
  /** Whether the shopper is sent to a page of the provider (IRIS) or acts on a phone (BLIK). */
  redirects: boolean
  initiate(question: {
    code: BlikCode | undefined
    transactionType: TransactionType
    now: number
    windowMilliseconds: number
  }): ProviderAnswer
  /** A payment without its shopper, under a valid mandate (3 sequence 2). */
  charge: ProviderAnswer
  shopper: Readonly<Record<ShopperAction, ProviderAnswer>>
  lapse: ProviderAnswer
}
