import { isProviderOperation, OPERATION_NAMES, OPERATIONS, type OperationName } from '../operations.ts'
import { isTemporaryDecline } from '../protocol/reason-codes.ts'
import { UNTRUSTED_RESPONSE_FAULTS } from '../protocol/verify-response.ts'

/** A call of a merchant and its response, as the service saw them. Times are wall-clock epoch milliseconds. */
export type ClientCall = {
  callId: string
  startedAt: number
  endedAt: number
  /** When it arrived on the organization's clock, which a test may move; epoch milliseconds. */
  clock?: number
  /** `initiate`, `status`, `token` …; undefined for an unknown path. */
  operation?: OperationName
  /** The JSON body sent; undefined where there was none or it could not be parsed. */
  body?: Readonly<Record<string, unknown>>
  transactionId?: string
  clientTransactionId?: string
  idempotencyKey?: string
  /** The key that signed, where the signature verified. */
  keyId?: string
  /** The key that signed, where it had expired or been deregistered. */
  endedKey?: string
  status: number
  reasonCode?: string
  /** The layer that refused it: `signature`, `token` …, or `operation` where all layers had passed. */
  refusedBy?: string
  /** What was wrong, as the refusal says. */
  refusal?: string
  /** The Retry-After of the response, in seconds. */
  retryAfter?: number
  /** The injected response fault: the merchant did not receive what was sent. */
  injectedFault?: string
}

/** Injected defects in the content or signature of a webhook. */
export type WebhookDefect = 'wrong-key' | 'stale-timestamp' | 'unknown-type' | 'extra-field'
/** Injected deviations in the timing of a webhook. */
export type WebhookTiming = 'duplicate' | 'reorder' | 'before-response' | 'before-return'

/** A webhook delivery to the merchant's server, with every attempt. */
export type ClientDelivery = {
  deliveryId: string
  /** Its endpoint; each endpoint of a merchant gets every notification once. */
  endpointId: string
  notificationId: string
  transactionId: string
  clientTransactionId?: string
  injected: readonly (WebhookDefect | WebhookTiming)[]
  attempts: readonly { startedAt: number; endedAt: number; status?: number; error?: string }[]
}

/** A payment in a merchant's traffic, by which conduct is judged: its states, and what its shopper did. */
export type ClientPayment = {
  transactionId: string
  clientTransactionId: string
  /** Every state it has been in, in order. */
  states: readonly string[]
  /** The shopper confirmed at the bank and never came back to the shop. */
  neverReturned: boolean
  /** The time of the last shopper action, wall clock. */
  lastShopperActionAt?: number
}

/** A signing key of the merchant; `registeredAt` is by another clock than the times of calls. */
export type ClientKey = { keyId: string; registeredAt: number }

/** The traffic of one merchant as the service saw it, oldest first; conduct is judged by it. */
export type MerchantTraffic = {
  calls: readonly ClientCall[]
  deliveries: readonly ClientDelivery[]
  payments: readonly ClientPayment[]
  keys: readonly ClientKey[]
  /** Whether the service replays every decline under its key, so that a repetition needs a new one. */
  replaysDeclines?: boolean
  /** The end of the observation, wall clock. */
  until: number
}

/**
 * Time that a merchant has to act before its conduct is judged as late, in wall-clock milliseconds: it allows for
 * backoff, a queue, a slow page.
 */
export const REACTION_TIME_MS = 10_000

/**
 * Whether the observed traffic goes on long enough after an event for the merchant to have reacted, so that its
 * conduct can be judged.
 */
export const isOverdue = ({ until }: MerchantTraffic, since: number): boolean => until - since >= REACTION_TIME_MS

const ADDRESSES = OPERATION_NAMES.map(name => {
  const { method, path } = OPERATIONS[name]
  const pattern = path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/?]+')
  return { name, line: new RegExp(`^${method} [^?]*${pattern}(?:\\?|$)`) }
})

/** Returns the operation of a method and request target; undefined for an unknown path. */
export const operationAt = (method: string, target: string): OperationName | undefined =>
  ADDRESSES.find(({ line }) => line.test(`${method} ${target}`))?.name

/** Whether a call is to an operation that takes an Idempotency-Key (I1). */
export const isMutating = ({ operation }: ClientCall): boolean => isProviderOperation(operation)

/** Operations that report the state of a payment. */
const READ_OPERATIONS: readonly (OperationName | undefined)[] = ['status', 'events', 'search']
/** Whether a merchant's call reports the state of a payment: status, events or search. */
export const isRead = ({ operation }: ClientCall): boolean => READ_OPERATIONS.includes(operation)

/** Response faults after which the merchant has no complete response. */
const INCOMPLETE_RESPONSE_FAULTS: readonly string[] = ['reset', 'truncated']
/** Whether an injected fault left the merchant without a complete and trustworthy response to a call. */
export const gotNoUsableResponse = ({ injectedFault }: ClientCall): boolean =>
  [...INCOMPLETE_RESPONSE_FAULTS, ...UNTRUSTED_RESPONSE_FAULTS].includes(injectedFault ?? '')

/** Whether a call was declined temporarily: the same call under its key is carried out anew (7.4.2). */
export const isPassingDecline = (call: ClientCall): boolean =>
  isMutating(call) && !isAmbiguous(call) && !gotNoUsableResponse(call) && isTemporaryDecline(call.reasonCode ?? '')

/** Whether the merchant cannot know if a call was carried out (7.4). */
export const isAmbiguous = (call: ClientCall): boolean =>
  isMutating(call) &&
  (INCOMPLETE_RESPONSE_FAULTS.includes(call.injectedFault ?? '') || [500, 502, 504].includes(call.status))
