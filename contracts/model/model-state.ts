import type { ProviderOperation } from '../operations.ts'
import type { ProviderId } from '../protocol/provider-codes.ts'
import type { TransactionType } from '../protocol/providers-and-capabilities.ts'
import type { Expectation } from './expectation.ts'
import type { Call, MockRequest, Party, ProviderFault } from './model-call-and-judged-response.ts'

/** A time limit: what it ends may end from one instant on, and has ended at the other. */
export type Limit = { from: number; to: number }

/** Phase of a payment in the model, up to and beyond its authorization; `held` once it is authorized. */
export type Phase = 'waiting' | 'authenticated' | 'held' | 'tokenized' | 'declined' | 'canceled' | 'expired'

export type Payment = {
  owner: Party
  account: string
  reference: string
  /** The transactionId; undefined where the response that names it was lost. */
  id?: string
  beganBy: 'initiate' | 'charge'
  method: ProviderId
  type: TransactionType
  amount: number
  autoCapture: boolean
  payer?: string
  phase: Phase
  /** The reasonCode with which it ended, where 7.5 states it. */
  reason?: '2000' | '2001' | '4000'
  captures: readonly { amount: number; settled: boolean; settles: Limit }[]
  refunds: readonly { amount: number; done: boolean }[]
  /** Whether what is not captured has been released (R3). */
  released: boolean
  /** When the shopper's time, the consent or the hold ends, whichever the phase has (R3, R6, R7). */
  ends?: Limit
  /** Whether the shopper acts without being told, as one that a mock or a test code stands for. */
  shopperActs?: boolean
  /** Faults that wait for calls of each operation, the next one first. */
  faults: Readonly<Partial<Record<ProviderOperation, readonly ProviderFault[]>>>
  /** The events that were last read, and whether the payment has changed since (6). */
  history?: readonly string[]
  changed: boolean
}

/**
 * Record of the model under an idempotency key: the payload, how long it is kept, what the same call must get (I3),
 * undefined where it is carried out anew, and the payment that it is about.
 */
export type StoredReply = { payload: string; until: Limit; again: Expectation | undefined; payment?: string }

/** One state in which the service may be, as far as one sequence of calls can know it. */
export type ModelState = {
  payments: Readonly<Record<string, Payment>>
  /** By organization, key and operation. */
  keys: Readonly<Record<string, StoredReply>>
  /** Payments whose finalize made a mandate (1, D-62). */
  mandates: readonly string[]
  /** Newest first. */
  mocks: readonly (MockRequest & { by: Party; until: Limit; used: readonly string[] })[]
  codes: Readonly<Record<string, { until: Limit; used: boolean }>>
  /** Calls without a clear response that may yet take effect (7.4). */
  pending: readonly Call[]
  /** Calls that began no payment, and whose fault may still wait for the next one with the same reference. */
  unmet: readonly Call[]
}

export const EMPTY_MODEL_STATE: ModelState = {
  payments: {},
  keys: {},
  mandates: [],
  mocks: [],
  codes: {},
  pending: [],
  unmet: [],
}

/** Copies a state with one of its payments replaced. */
export const withPayment = (state: ModelState, name: string, payment: Payment): ModelState => ({
  ...state,
  payments: { ...state.payments, [name]: payment },
})

/**
 * Creates the time limit of something in the model that begins in the interval of a call and lasts this long, in
 * milliseconds.
 */
export const lasting = (
  { sentAt, receivedAt }: Pick<Call, 'sentAt' | 'receivedAt'>,
  least: number,
  most = least,
): Limit => ({
  from: sentAt + least,
  to: receivedAt + most,
})

export const mayBeOver = ({ from }: Limit, { receivedAt }: Pick<Call, 'receivedAt'>): boolean => from <= receivedAt
export const isOver = ({ to }: Limit, { sentAt }: Pick<Call, 'sentAt'>): boolean => to <= sentAt

const total = (parts: readonly { amount: number }[]): number => parts.reduce((sum, { amount }) => sum + amount, 0)

export const capturedOf = ({ captures }: Payment): number => total(captures)
export const settledOf = ({ captures }: Payment): number => total(captures.filter(({ settled }) => settled))
export const refundedOf = ({ refunds }: Payment): number => total(refunds.filter(({ done }) => done))
/** Returns the amount of a payment that can still be captured, in the model. */
export const openToCapture = (payment: Payment): number => (payment.released ? 0 : payment.amount - capturedOf(payment))
/** Returns the amount of a payment that is refunded or about to be, in the model (D-41). */
export const claimedOf = ({ refunds }: Payment): number => total(refunds)
/** Returns the amount of a payment that has settled and is neither refunded nor about to be, in the model (R1). */
export const openToRefund = (payment: Payment): number => settledOf(payment) - claimedOf(payment)

const CODE_LIFETIME = 120_000
/** Returns a model state with a new one-time code, made between two instants, which lives for 120 seconds (R6). */
export const codeMade = (state: ModelState, code: string, at: Pick<Call, 'sentAt' | 'receivedAt'>): ModelState =>
  state.codes[code]
    ? state
    : { ...state, codes: { ...state.codes, [code]: { until: lasting(at, CODE_LIFETIME), used: false } } }
