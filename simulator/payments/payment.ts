import type { components } from '../../contracts/openapi.gen.ts'
import type { ProviderCode, ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { DeadlineName } from './deadlines.ts'
import type { PlanRule } from './delivery-plan.ts'
import type { Cause, State } from './lifecycle.ts'

type Schemas = components['schemas']
export type InitiateRequest = Schemas['InitiateRequest']
export type ChargeRequest = Schemas['ChargeRequest']
export type StatusInfo = { reasonCode: string; message: string }

/** One capture or refund; amounts in minor units, times in epoch milliseconds on the organization's clock. */
export type Movement = {
  transactionId: string
  clientTransactionId: string
  amount: number
  at: number
  description?: string
  settled?: boolean
  /** The provider's code, or just that it said no: the movement is listed, and no money moved (7.5). */
  declined?: ProviderCode | true
  /** The provider's own words, where it has other ones than its code has. */
  statusInfo?: StatusInfo
  /** Of a refund that the provider has taken on and not carried out: what becomes of it, if that is known. */
  accepted?: Later | true
}

/** What becomes of an accepted refund, so many milliseconds later. */
export type Later = { outcome: 'approved' | 'declined'; after: number; statusInfo?: StatusInfo }

/** The captures or refunds by which money moved. */
export const moved = (movements: readonly Movement[]): readonly Movement[] =>
  movements.filter(({ declined }) => declined === undefined)

/** Minor units of accepted refunds whose end is still open. */
export const underWay = (movements: readonly Movement[]): number =>
  movements.reduce((sum, { accepted, amount }) => sum + (accepted ? amount : 0), 0)

/** A payment as the store keeps it; sums are in minor units. */
export type Payment = {
  transactionId: string
  organizationId: string
  processingAccountId: string
  clientTransactionId: string
  transactionType: InitiateRequest['transactionType']
  providerId: ProviderId
  provider: ProviderRecord
  amount: number
  currency: string
  country: string
  description: string
  autoCapture: boolean
  payerId?: string
  /** Names the mandate that this payment made. */
  paymentToken?: string
  /** The shopper pays, and does not consent to be kept (D-106). */
  refusesKeeping?: true
  returnUrl?: string
  locale?: string
  metadata?: Record<string, string>
  state: State
  statusInfo: StatusInfo
  captured: number
  settled: number
  refunded: number
  captures: readonly Movement[]
  refunds: readonly Movement[]
  createdAt: number
  /** When the shopper said yes, where the bank then takes its time. */
  confirmedAt?: number
  /** What was arranged for this payment when it began (2.7, E3). */
  arranged?: Arranged
  /** How its notifications are to be delivered, where not as usual. */
  plan?: readonly PlanRule[]
}

/** The named outcome that a payment is heading for, and by what it was chosen; times in milliseconds. */
export type Arranged = {
  scenario?: string
  by: 'mock' | 'code' | 'amount'
  type: 'MOCK' | 'PASSTHROUGH'
  shopper?: {
    outcome: 'approved' | 'declined' | 'lapsed'
    after?: number
    code?: ProviderCode
    statusInfo?: StatusInfo
  }
  settlement?: { after: number }
  dispute?: { after: number; outcome?: 'won' | 'lost'; decidedAfter?: number }
  mandate?: { revokedAfter: number }
}

/** What the provider told about its side of the payment. */
export type ProviderRecord = {
  providerTransactionId: string
  registeredAt: number
  /** When the shopper's time ends; absent where nobody is awaited. */
  expiresAt?: number
  /** The secret part of the redirect URL; the address in front of it follows the caller. */
  redirectId?: string
  /** Set by a mock, in place of the one that redirectId makes (2.7). */
  redirectUrl?: string
  qrCode?: string
  /** The phone to which the payment was pushed. */
  phoneId?: string
  code?: ProviderCode
}

/** What happened, in the order in which it happened (clause 6). */
export type PaymentEvent = {
  type: string
  cause: Cause
  at: number
  state: State
  statusInfo: StatusInfo
  amount?: number
  /** Real time of its saving: tells the order where the organization's clock stands still. */
  real?: number
}

/** Money that moved, for the books: `movementId` is the capture's or refund's own id (R1, R4). */
export type Posting = {
  kind: 'capture' | 'settlement' | 'refund'
  movementId: string
  clientTransactionId: string
  amount: number
  at: number
}

/** A posting as the books keep it: which payment it belongs to, and what the merchant calls that (`reference`). */
export type BookedPosting = Posting & {
  accountId: string
  transactionId: string
  reference: string
  providerId: ProviderId
  currency: string
}

/** Something the clock will do to a payment. */
export type Deadline = { name: DeadlineName; dueAt: number; movementId?: string }

/** A changed payment with what the change brought about: what the write path saves in one piece. */
export type Change = {
  payment: Payment
  /** Where nothing can be saved of the payment yet. */
  begins?: boolean
  events: readonly PaymentEvent[]
  deadlines: readonly Deadline[]
  postings: readonly Posting[]
}
