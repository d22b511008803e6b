import type { ProviderCode, ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { Payment } from '../payments/payment.ts'

/** A one-time code of the fake bank app (R6), on the organization's clock. */
export type BlikCode = {
  codeId: string
  code: string
  expiresAt: number
  transactionId?: string
  /** Whether its bank keeps shops for later payments (7.5 code 3004); absent means yes. */
  recurring?: boolean
}

/** A no always comes with the provider's code for it. */
export type ProviderAnswer =
  | { outcome: 'pending' | 'approved'; code?: undefined }
  | { outcome: 'declined' | 'lapsed'; code: ProviderCode }

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
