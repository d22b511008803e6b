import { ENDPOINTS, type EndpointName } from '../client/endpoints.ts'

/** A call of a merchant with its answer, as the service saw both. Instants are epoch milliseconds of real time. */
export type ClientCall = {
  callId: string
  startedAt: number
  endedAt: number
  /** `initiate`, `status`, `token` …; undefined for an address that nobody knows. */
  operation?: string
  /** The JSON that was sent; undefined where there was none, or it could not be read. */
  body?: Readonly<Record<string, unknown>>
  transactionId?: string
  clientTransactionId?: string
  idempotencyKey?: string
  /** The key that signed, where the signature verified. */
  keyId?: string
  status: number
  reasonCode?: string
  /** Seconds that the answer asked to wait. */
  retryAfter?: number
  /** The fault that spoiled the answer on its way: the merchant did not get what was sent. */
  spoiled?: string
}

/** What a webhook was made to look like on purpose. */
export type Flaw = 'wrong-key' | 'stale-timestamp' | 'unknown-type' | 'extra-field'
/** When a webhook came on purpose. */
export type Timing = 'duplicate' | 'reorder' | 'before-answer' | 'before-return'

/** A notification on its way to the merchant's server, with every try. */
export type ClientDelivery = {
  deliveryId: string
  notificationId: string
  transactionId: string
  deeds: readonly (Flaw | Timing)[]
  attempts: readonly { startedAt: number; endedAt: number; status?: number; error?: string }[]
}

/** What became of a payment, and what its shopper did. */
export type ClientPayment = {
  transactionId: string
  clientTransactionId: string
  /** Every state it has been in, in order. */
  states: readonly string[]
  /** The shopper confirmed at the bank and never came back to the shop. */
  neverReturned: boolean
}

/** A signing key of the merchant. */
export type ClientKey = { keyId: string; registeredAt: number }

/** Everything that a service saw of one merchant, oldest first: what conduct is judged by. */
export type Traffic = {
  calls: readonly ClientCall[]
  deliveries: readonly ClientDelivery[]
  payments: readonly ClientPayment[]
  keys: readonly ClientKey[]
}

/** Calls that change something carry a key (I1). */
export const isMutating = ({ operation = '' }: ClientCall): boolean =>
  operation in ENDPOINTS && ENDPOINTS[operation as EndpointName].keyed

/** Calls that tell how a payment stands. */
const READS: readonly string[] = ['status', 'events', 'search']
export const isRead = ({ operation }: ClientCall): boolean => READS.includes(operation ?? '')

/** What a mutating call is about: a new payment goes by its reference, all else by the payment. */
const subjectOf = ({ operation, transactionId, clientTransactionId }: ClientCall): string =>
  `${operation} ${operation === 'initiate' ? clientTransactionId : transactionId}`

export const isSameSubject = (one: ClientCall, other: ClientCall): boolean => subjectOf(one) === subjectOf(other)

export const isSameRequest = (one: ClientCall, other: ClientCall): boolean =>
  isSameSubject(one, other) && JSON.stringify(one.body) === JSON.stringify(other.body)

export const concernsSame = (one: ClientCall, other: ClientCall): boolean =>
  (one.transactionId !== undefined && one.transactionId === other.transactionId) ||
  (one.clientTransactionId !== undefined && one.clientTransactionId === other.clientTransactionId)

/** The calls that began after this one had ended. */
export const callsAfter = ({ calls }: Traffic, { endedAt, callId }: ClientCall): readonly ClientCall[] => {
  const at = calls.findIndex(call => call.callId === callId)
  return calls.slice(at + 1).filter(({ startedAt }) => startedAt >= endedAt)
}

/** Faults after which the merchant holds no answer, or none that it may use. */
const LOST: readonly string[] = ['reset', 'truncated']
const UNTRUSTED: readonly string[] = ['missigned', 'tampered']
export const gotNoAnswer = ({ spoiled }: ClientCall): boolean => [...LOST, ...UNTRUSTED].includes(spoiled ?? '')

/** Whether nobody on the merchant's side can know what was done (7.4). */
export const isAmbiguous = (call: ClientCall): boolean =>
  isMutating(call) && (LOST.includes(call.spoiled ?? '') || [500, 502, 504].includes(call.status))
