import { ENDPOINTS, type EndpointName } from '../client/endpoints.ts'
import { canonicalJson } from '../protocol/canonical-json.ts'
import { UNTRUSTED } from '../protocol/untrusted.ts'

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
  /** The key that signed, where it had been a good one and had ended. */
  endedKey?: string
  status: number
  reasonCode?: string
  /** Which guard refused it: `signature`, `token` …, `operation` where all of them had let it pass. */
  refusedBy?: string
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
  clientTransactionId?: string
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
  /** When the shopper pressed last, in real time. */
  pressedAt?: number
}

/** A signing key of the merchant; when it was registered is told by another clock than when calls were made. */
export type ClientKey = { keyId: string; registeredAt: number }

/** Everything that a service saw of one merchant, oldest first: what conduct is judged by. */
export type Traffic = {
  calls: readonly ClientCall[]
  deliveries: readonly ClientDelivery[]
  payments: readonly ClientPayment[]
  keys: readonly ClientKey[]
  /** Until when it was watched, in real time: what was not done by then may still come. */
  until: number
}

/** How long a merchant may take for what is to be done next, in real milliseconds: backoff, a queue, a slow page. */
export const MAY_TAKE = 10_000

/** Whether nothing has come of something for so long that nothing will. */
export const isOverdue = ({ until }: Traffic, since: number): boolean => until - since >= MAY_TAKE

const ADDRESSES = Object.entries(ENDPOINTS).map(([name, { method, path }]) => ({
  name,
  line: new RegExp(`^${method} [^?]*${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/?]+')}(?:\\?|$)`),
}))

/** What a call asked for, also where it was refused before anybody looked. */
export const operationAt = (method: string, target: string): string | undefined =>
  ADDRESSES.find(({ line }) => line.test(`${method} ${target}`))?.name

/** Calls that change something carry a key (I1). */
export const isMutating = ({ operation = '' }: ClientCall): boolean =>
  operation in ENDPOINTS && ENDPOINTS[operation as EndpointName].keyed

/** Calls that tell how a payment stands. */
const READS: readonly string[] = ['status', 'events', 'search']
export const isRead = ({ operation }: ClientCall): boolean => READS.includes(operation ?? '')

/** What a mutating call is about: a new payment goes by its reference, all else by the payment. */
const subjectOf = ({ operation = '', transactionId, clientTransactionId }: ClientCall): string =>
  `${operation} ${['initiate', 'charge'].includes(operation) ? clientTransactionId : transactionId}`

export const isSameSubject = (one: ClientCall, other: ClientCall): boolean => subjectOf(one) === subjectOf(other)

/** The same JSON, in whatever order its members came; what is nested too deep to be walked through is like nothing. */
export const isSameRequest = (one: ClientCall, other: ClientCall): boolean => {
  if (!isSameSubject(one, other)) return false
  try {
    return canonicalJson(one.body) === canonicalJson(other.body)
  } catch {
    return false
  }
}

/** Whether a read or a webhook is about the payment of a call: by its id, or by the merchant's own reference. */
export const concernsSame = (
  { payments }: Traffic,
  news: Pick<ClientCall, 'transactionId' | 'clientTransactionId'>,
  call: ClientCall,
): boolean => {
  const isOne = (a: string | undefined, b: string | undefined) => a !== undefined && a === b
  const known = payments.find(({ transactionId }) => transactionId === news.transactionId)
  const reference = news.clientTransactionId ?? known?.clientTransactionId
  return isOne(news.transactionId, call.transactionId) || isOne(reference, call.clientTransactionId)
}

/** The calls that began after this one had ended. */
export const callsAfter = ({ calls }: Traffic, { endedAt, callId }: ClientCall): readonly ClientCall[] => {
  const at = calls.findIndex(call => call.callId === callId)
  return calls.slice(at + 1).filter(({ startedAt }) => startedAt >= endedAt)
}

/** Faults after which the merchant holds no answer, or none that it may use. */
const LOST: readonly string[] = ['reset', 'truncated']
export const gotNoAnswer = ({ spoiled }: ClientCall): boolean => [...LOST, ...UNTRUSTED].includes(spoiled ?? '')

/** Whether nobody on the merchant's side can know what was done (7.4). */
export const isAmbiguous = (call: ClientCall): boolean =>
  isMutating(call) && (LOST.includes(call.spoiled ?? '') || [500, 502, 504].includes(call.status))
