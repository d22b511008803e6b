import type { components } from '../../contracts/openapi.gen.ts'
import type { ProviderCode, ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { TransactionType } from '../../contracts/protocol/providers-and-capabilities.ts'
import type { DeadlineName } from './deadline-kinds.ts'
import type { DeliveryRule } from './delivery-plan-rule.ts'
import type { Cause, State } from './lifecycle.ts'

type Schemas = components['schemas']
export type InitiateRequest = Schemas['InitiateRequest']
export type ChargeRequest = Schemas['ChargeRequest']
export type StatusInfo = { reasonCode: string; message: string }

/** One capture or refund; amounts in minor units, times in epoch milliseconds on the organization's clock. */
export type CaptureOrRefund = {
  transactionId: string
  clientTransactionId: string
  amount: number
  at: number
  description?: string
  settled?: boolean
  /** Set if the provider declined: its code, or true without one. The entry stays listed, and no money moved (7.5). */
  declined?: ProviderCode | true
  /** The provider's own statusInfo, if it differs from that of its code or from a plain success. */
  statusInfo?: StatusInfo
  /** The provider's own record of it; records of earlier builds lack it, and show the payment's id. */
  provider?: Pick<ProviderRecord, 'providerTransactionId' | 'registeredAt'>
  /** Set on a refund that the provider accepted but has not made: its scripted outcome, or true if it has none. */
  accepted?: AcceptedRefundOutcome | true
}

/** Scripted final outcome of an accepted refund, `after` milliseconds from its acceptance. */
export type AcceptedRefundOutcome = { outcome: 'approved' | 'declined'; after: number; statusInfo?: StatusInfo }

/** Returns the captures or refunds that the provider did not decline. */
export const excludeDeclined = (movements: readonly CaptureOrRefund[]): readonly CaptureOrRefund[] =>
  movements.filter(({ declined }) => declined === undefined)

/** Sums the accepted refunds whose outcome is open, in minor units. */
export const sumAcceptedRefunds = (movements: readonly CaptureOrRefund[]): number =>
  movements.reduce((sum, { accepted, amount }) => sum + (accepted ? amount : 0), 0)

/** A phone number of the payer of a payment, its country code with a plus sign. */
export type Phone = Schemas['Phone']

/** A payment as stored; amounts in minor units, times in epoch milliseconds on the organization's clock. */
export type Payment = {
  transactionId: string
  organizationId: string
  processingAccountId: string
  clientTransactionId: string
  transactionType: TransactionType
  providerId: ProviderId
  provider: ProviderRecord
  amount: number
  currency: string
  country: string
  description: string
  autoCapture: boolean
  payerId?: string
  phone?: Phone
  /** Token of the mandate that this payment created. */
  paymentToken?: string
  /** Set if the shopper pays but does not consent to the mandate (D-106). */
  refusesKeeping?: true
  /** Set if the merchant canceled it before the shopper had decided (D-39). */
  calledOff?: true
  returnUrl?: string
  locale?: string
  metadata?: Record<string, string>
  state: State
  statusInfo: StatusInfo
  captured: number
  settled: number
  refunded: number
  captures: readonly CaptureOrRefund[]
  refunds: readonly CaptureOrRefund[]
  createdAt: number
  /** When the shopper consented, if the bank then takes time to process it. */
  confirmedAt?: number
  /** Scripted outcome that was selected when the payment began (2.7, E3). */
  arranged?: ScriptedOutcome
  /** Rules for the delivery of its notifications, from its scenario. */
  plan?: readonly DeliveryRule[]
  /** Trace of the call that made it, which its webhooks carry on (W3C Trace Context). */
  traceparent?: string
}

/** A payment before its first transition, which gives it a state. */
export type NewPayment = Omit<Payment, 'state' | 'statusInfo' | 'createdAt'>

/** The scripted outcome of a payment: scenario, what selected it, and the scripted events; times in milliseconds. */
export type ScriptedOutcome = {
  scenario?: string
  by: 'mock' | 'code' | 'amount' | 'mandate'
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

/** The provider's data of a payment, such as its id there and the end of the shopper's window. */
export type ProviderRecord = {
  providerTransactionId: string
  registeredAt: number
  /** End of the shopper's window; absent if no shopper is awaited. */
  expiresAt?: number
  /** Secret last segment of the redirect URL, whose base is the caller's pages URL. */
  redirectId?: string
  /** Redirect URL set by a mock, which replaces the one built from redirectId (2.7). */
  redirectUrl?: string
  qrCode?: string
  /** The simulated phone to which the payment was pushed. */
  phoneId?: string
  code?: ProviderCode
}

/** An event in the history of a payment, as stored (6). */
export type PaymentEvent = {
  type: string
  cause: Cause
  at: number
  state: State
  statusInfo: StatusInfo
  amount?: number
  /** The capture or refund that it is about. */
  captureOrRefund?: Pick<CaptureOrRefund, 'transactionId' | 'clientTransactionId'>
  /** Real time of saving, for the order of events while the organization's clock is frozen. */
  real?: number
}

/** Ledger (accounting) entry of a capture, settlement or refund, whose id is `captureOrRefundId` (R1, R4). */
export type LedgerEntry = {
  kind: 'capture' | 'settlement' | 'refund'
  captureOrRefundId: string
  clientTransactionId: string
  amount: number
  at: number
}

/** A stored ledger entry with its account and payment; `reference` is the payment's clientTransactionId. */
export type StoredLedgerEntry = LedgerEntry & {
  accountId: string
  transactionId: string
  reference: string
  providerId: ProviderId
  currency: string
}

/** A deadline of a payment; `dueAt` in epoch milliseconds on the organization's clock. */
export type Deadline = { name: DeadlineName; dueAt: number; captureOrRefundId?: string }

/** A change of a payment with its new events, deadlines and ledger entries, saved in one unit of work. */
export type PaymentChange = {
  payment: Payment
  /** Set if the payment is new. */
  isNew?: boolean
  events: readonly PaymentEvent[]
  deadlines: readonly Deadline[]
  ledgerEntries: readonly LedgerEntry[]
}
