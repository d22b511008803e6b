import { type ProviderCode, type ProviderId, providerCode } from '../../contracts/protocol/provider-codes.ts'
import type { StatusInfo } from '../payments/payment.ts'
import { noProblem } from '../payments/record.ts'
import { blik } from './blik.ts'
import { iris } from './iris.ts'

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

const PROVIDERS: Readonly<Record<ProviderId, Provider>> = { BLIK: blik, IRIS: iris }

export const providerOf = (providerId: ProviderId): Provider => PROVIDERS[providerId]

/** statusInfo that a provider's answer becomes (7.5). */
export const statusInfoOf = (providerId: ProviderId, answer: ProviderAnswer, otherwise: string): StatusInfo => {
  if (!answer.code) return noProblem(otherwise)
  const { reasonCode, meaning } = providerCode(providerId, answer.code)
  return { reasonCode, message: meaning }
}
