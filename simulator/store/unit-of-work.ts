import type { ProviderOperation } from '../../contracts/operations.ts'
import type { ProviderId } from '../../contracts/protocol/provider-codes.ts'
import type { Mandate } from '../payments/mandate.ts'
import type { Deadline, Payment, PaymentChange, PaymentEvent, StoredLedgerEntry } from '../payments/payment.ts'
import type { Fault } from '../providers/fault-kinds.ts'
import type { BlikCode } from '../providers/issued-blik-code.ts'
import type { Mock } from '../providers/provider-mock.ts'
import type { ClockSetting } from '../support/clock.ts'
import type { Activity } from './shopper-click-and-clock-move-store.ts'
import type { Delivery, DeliveryPlan, Endpoint, Message } from './webhook-store.ts'

/** An HTTP response as it was sent: status and body, kept byte for byte so that a replay equals the original (I3). */
export type Reply = {
  http: number
  body: string
  /** What `body` was written from, as it is wanted again in another dialect; absent once the body is another one. */
  document?: object | undefined
  /** JSON where absent. */
  contentType?: string | undefined
  /** Name under which a file is saved. */
  fileName?: string | undefined
}

/**
 * What is saved under an idempotency key: the fingerprint of its request, and the response that it replays (I3). Without
 * a response the same request is carried out anew, and any other one is still a conflict (I4).
 */
export type IdempotentReply = { fingerprint: string; reply: Reply | undefined }

/**
 * Read set of a unit of work: ids, search criteria and flags of the records to load before it decides; all within its
 * organization.
 */
export type ReadSet = {
  transactionId?: string | undefined
  blikCode?: string | undefined
  key?: string | undefined
  events?: boolean
  mandate?: MandateQuery | undefined
  payments?: PaymentQuery | undefined
  ledgerEntries?: LedgerQuery | undefined
  /** Provider call for which faults may be armed, and which a late call under this key or on this payment locks out. */
  providerCall?: string | undefined
  /** Payer and reference by which mocks may match the call, beside the payment's own (2.7). */
  mockKeys?: { payerId?: string | undefined; clientTransactionId?: string | undefined } | undefined
  /** Whether the unit changes nothing: it then needs no locks. */
  isReadOnly?: boolean
  /** The due job that the unit finishes: if it is gone by then, nothing is saved. */
  jobId?: number | undefined
  /** Whether to load the endpoints and delivery plans that apply to notifications of a change. */
  subscriptions?: boolean
  /** Whether to load the organization's clock, which another replica may have set back with the state. */
  clock?: boolean
}

/** Criteria of a payment search, all of which must match; bounds are inclusive, times in epoch milliseconds. */
export type PaymentQuery = {
  accountId?: string | undefined
  clientTransactionId?: string | undefined
  payerId?: string | undefined
  providerId?: string | undefined
  status?: string | undefined
  /** State of the lifecycle; a status has several. */
  state?: string | undefined
  amountFrom?: number | undefined
  amountTo?: number | undefined
  createdFrom?: number | undefined
  createdTo?: number | undefined
  limit: number
  /** Whether the oldest payments come first; the newest do otherwise. */
  oldestFirst?: boolean
  /** The transactionId at which the previous page ended. */
  after?: string | undefined
}

/** Maximum number of payments that a page of a search scans for criteria that no index serves, to bound its time. */
export const SEARCH_SCAN_LIMIT = 5_000

/** Maximum number of mocks loaded although they cannot match a call, so that the journal can say why they did not. */
export const UNMATCHED_MOCK_LIMIT = 10

/** A page of payments in the order of its query; if `next` is set there may be more, even after a page that is not full. */
export type PaymentPage = { payments: readonly Payment[]; next: string | undefined }

/**
 * Criteria of a query for the ledger entries of accounts booked between two instants, `from` included, `to` excluded.
 */
export type LedgerQuery = { accountIds: readonly string[]; from: number; to: number }

/**
 * Criteria of a query for a mandate of an account and provider: by token, or else the payer's newest that is valid now
 * (D-63).
 */
export type MandateQuery = {
  processingAccountId: string
  providerId: ProviderId | undefined
  payerId: string | undefined
  paymentToken: string | undefined
}

/** Records that the store has loaded for a unit of work, as its read set asks. */
export type Loaded = {
  payment: Payment | undefined
  /** Whether the time of a job of the payment has come and the job has not run. */
  isJobDue: boolean
  /** Empty unless requested. */
  events: readonly PaymentEvent[]
  blikCode: BlikCode | undefined
  idempotentReply: IdempotentReply | undefined
  mandate: Mandate | undefined
  /** Undefined unless requested, and if `after` names no payment of the organization. */
  paymentPage: PaymentPage | undefined
  /** Account by account, each in order of time; empty unless requested. */
  ledgerEntries: readonly StoredLedgerEntry[]
  /** Faults armed for the provider call, oldest first; empty unless requested. */
  faults: readonly Fault[]
  /** How many calls under this key have triggered the fault of their mock step. */
  faultTriggerCount: number
  /** Mocks that may match the call, and a few of the others, newest first; empty unless requested. */
  mocks: readonly Mock[]
  /** Call that the provider has yet to carry out, under this key or on this payment. */
  lateCall: LateCall | undefined
  /** Undefined unless requested. */
  subscriptions: Subscriptions | undefined
  /** Undefined unless requested, and where no other replica shares the store. */
  clock?: ClockSetting | undefined
}

/** A late provider call: the provider will carry it out at `dueAt`; its response is then stored under the key (7.4). */
export type LateCall = {
  key: string
  fingerprint: string
  transactionId: string | undefined
  dueAt: number
  /** The call as JSON; its shape is that of operations/late-provider-call. */
  call: string
}

/** Write set of a unit of work: what it writes, atomically. */
export type WriteSet = {
  change?: PaymentChange | undefined
  usedCodeId?: string | undefined
  mandate?: Mandate | undefined
  /** `replaces` is true where the key has a request without a response already. */
  idempotentReply?: (IdempotentReply & { key: string; expiresAt: number; replaces?: boolean }) | undefined
  finishedJobId?: number | undefined
  /** The fault that the call triggered: its remaining count goes down by one. */
  spentFaultId?: number | undefined
  lateCall?: LateCall | undefined
  /** Replaces a mock for the same account and key. */
  mock?: Mock | undefined
  /** The step for which a oneTime mock is now used (2.7). */
  usedMock?: { mockId: number; step: ProviderOperation } | undefined
  /** How many times the fault of a mock step has been triggered under this key, this call included. */
  faultTrigger?: { key: string; count: number; expiresAt: number } | undefined
  /** Messages and deliveries that notify the merchant of the change. */
  outbox?: OutboxEntries | undefined
  /** The shopper's click that caused the change. */
  activity?: Activity | undefined
}

/** Unit of work on an organization: one atomic step that reads, decides and writes. */
export type UnitOfWork<Result> = {
  organizationId: string
  now: number
  needs: ReadSet
  /** Synchronous and free of I/O: it may run inside a database transaction. */
  decide(loaded: Loaded): { result: Result; save?: WriteSet }
}

/** Subscribed webhook endpoints and delivery plans of an organization. */
export type Subscriptions = { endpoints: readonly Endpoint[]; plans: readonly DeliveryPlan[] }

/** Outbox entries of a unit of work: messages, their deliveries, and the delivery plans used. */
export type OutboxEntries = {
  messages: readonly Message[]
  deliveries: readonly Delivery[]
  spentPlans: readonly { planId: string; times: number }[]
}

/** A job that is due on the organization's clock: a deadline of a payment, or a late provider call. */
export type Job = { jobId: number } & (
  | (Deadline & { transactionId: string })
  | { name: 'late-answer'; dueAt: number; lateCall: LateCall }
)
