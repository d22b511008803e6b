import type { components } from '../../contracts/openapi.gen.ts'
import type { ProviderCode, ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { DeadlineName } from './deadlines.ts'
import type { State } from './lifecycle.ts'

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
  /** The provider's code, where it said no: the movement is listed, and no money moved (7.5). */
  declined?: ProviderCode
}

/** The captures or refunds by which money moved. */
export const moved = (movements: readonly Movement[]): readonly Movement[] =>
  movements.filter(({ declined }) => declined === undefined)

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
}

/** What the provider told about its side of the payment. */
export type ProviderRecord = {
  providerTransactionId: string
  registeredAt: number
  /** When the shopper's time ends; absent where nobody is awaited. */
  expiresAt?: number
  /** The secret part of the redirect URL; the address in front of it follows the caller. */
  redirectId?: string
  code?: ProviderCode
}

/** What happened, in the order in which it happened (clause 6). */
export type PaymentEvent = { type: string; at: number; state: State; statusInfo: StatusInfo; amount?: number }

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
  events: readonly PaymentEvent[]
  deadlines: readonly Deadline[]
  postings: readonly Posting[]
}
