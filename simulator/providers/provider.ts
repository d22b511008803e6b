import { DECLINES, type DeclineName } from '../../contracts/protocol/declines.ts'
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
  /** The phone that shows it; absent where nobody holds one. */
  phoneId?: string
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

/** What becomes of a payment that waits for its shopper: a yes, a no, or nothing until the time is up. */
export const SHOPPER_ACTIONS = ['approve', 'decline', 'lapse'] as const
export type ShopperAction = (typeof SHOPPER_ACTIONS)[number]

/** What a bank can have against a payment beside the codes of 7.5 (D-104). */
export const CAUSES = Object.keys(DECLINES) as readonly DeclineName[]

export type ShopperDecision = {
  action: ShopperAction
  /** Why the bank declines, where it is not the shopper who does (D-104). */
  cause?: DeclineName | undefined
  /** Whether the shopper also consents to be kept for later payments, where the shop asks for that; absent means yes. */
  keep?: boolean | undefined
  /** How many milliseconds the bank is at work before a yes counts; absent means none. */
  after?: number | undefined
}

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
  shopper: Readonly<Record<Exclude<ShopperAction, 'lapse'>, ProviderAnswer>>
  lapse: ProviderAnswer
}
