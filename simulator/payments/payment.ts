import type { components } from '../../contracts/openapi.gen.ts'
import type { ProviderCode, ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { DeadlineName } from './deadlines.ts'
import type { State } from './lifecycle.ts'

type Schemas = components['schemas']
export type InitiateRequest = Schemas['InitiateRequest']
export type StatusInfo = { reasonCode: string; message: string }

/** One capture or refund; amounts in minor units, times in epoch milliseconds on the organization's clock. */
export type Movement = {
  transactionId: string
  clientTransactionId: string
  amount: number
  at: number
  description?: string
  settled?: boolean
}

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
  expiresAt: number
  /** The secret part of the redirect URL; the address in front of it follows the caller. */
  redirectId?: string
  code?: ProviderCode
}

/** What happened, in the order in which it happened (clause 6). */
export type PaymentEvent = { type: string; at: number; state: State; statusInfo: StatusInfo; amount?: number }

/** Something the clock will do to a payment. */
export type Deadline = { name: DeadlineName; dueAt: number; movementId?: string }

/** A changed payment with what the change brought about: what the write path saves in one piece. */
export type Change = { payment: Payment; events: readonly PaymentEvent[]; deadlines: readonly Deadline[] }
