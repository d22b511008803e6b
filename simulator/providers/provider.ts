import type { ProviderCode, ProviderId } from '../../contracts/protocol/provider-codes.ts'

/** A one-time code of the fake bank app (R6), on the organization's clock. */
export type BlikCode = { codeId: string; code: string; expiresAt: number; transactionId?: string }

export type ProviderAnswer = { outcome: 'pending' | 'approved' | 'declined' | 'lapsed'; code?: ProviderCode }

export type ShopperAction = 'approve' | 'decline'

/** The other side of a payment: everything it can answer, in one vocabulary. */
export type Provider = {
  id: ProviderId
  /** How long the shopper may take, in milliseconds (R6, R7). */
  windowMilliseconds: number
  /** Whether the shopper is sent to a page of the provider (IRIS) or acts on a phone (BLIK). */
  redirects: boolean
  initiate(question: { code: BlikCode | undefined; now: number }): ProviderAnswer
  shopper: Readonly<Record<ShopperAction, ProviderAnswer>>
  lapse: ProviderAnswer
}
