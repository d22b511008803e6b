import { isProviderOperation, OPERATION_NAMES, OPERATIONS, type OperationName, startsPayment } from '../operations.ts'
import { canonicalJson } from '../protocol/canonical-json.ts'
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

/** Returns the subject of a mutating call: operation and transactionId, or clientTransactionId for a new payment. */
const subjectOf = ({ operation, transactionId, clientTransactionId }: ClientCall): string =>
  `${operation} ${startsPayment(operation) ? clientTransactionId : transactionId}`

/** Whether two calls of a merchant are of the same operation on the same payment. */
export const isSameSubject = (one: ClientCall, other: ClientCall): boolean => subjectOf(one) === subjectOf(other)

/**
 * Whether two calls of a merchant ask for the same: the same operation on the same payment with equal JSON bodies, in
 * any member order; false if nested too deep.
 */
export const isSameRequest = (one: ClientCall, other: ClientCall): boolean => {
  if (!isSameSubject(one, other)) return false
  try {
    return canonicalJson(one.body) === canonicalJson(other.body)
  } catch {
    return false
  }
}

/** Returns the milliseconds between the starts of two calls, by the clock on which they are further apart. */
export const elapsedBetween = (call: ClientCall, later: ClientCall): number =>
  Math.max(later.startedAt - call.startedAt, (later.clock ?? 0) - (call.clock ?? 0))

/** Idempotency keys are valid for so long (8): who asks for the same later has no key to retry with. */
const KEY_VALIDITY_MS = 86_400_000

/** Whether a later call to start a payment is so late that it is no retry: next month's charge may look like this one (2.1). */
export const isLaterPayment = (later: ClientCall, call: ClientCall): boolean =>
  startsPayment(call.operation) && elapsedBetween(call, later) >= KEY_VALIDITY_MS

/** Whether a read or a webhook concerns the payment of a call, by transactionId or clientTransactionId. */
export const concernsSamePayment = (
  { payments }: MerchantTraffic,
  news: Pick<ClientCall, 'transactionId' | 'clientTransactionId'>,
  call: ClientCall,
): boolean => {
  const isOne = (a: string | undefined, b: string | undefined) => a !== undefined && a === b
  const orderOf = (id: string | undefined) => payments.find(({ transactionId }) => transactionId === id)
  const reference = news.clientTransactionId ?? orderOf(news.transactionId)?.clientTransactionId
  return (
    isOne(news.transactionId, call.transactionId) ||
    isOne(reference, call.clientTransactionId) ||
    isOne(reference, orderOf(call.transactionId)?.clientTransactionId)
  )
}

/** Whether a later call reads the payment of a call: by its id or reference, or by a search that has it in its results. */
export const isReadOf = (traffic: MerchantTraffic, later: ClientCall, call: ClientCall): boolean =>
  isRead(later) && (concernsSamePayment(traffic, later, call) || isSearchThatLists(later, call))

type Body = Readonly<Record<string, unknown>>

/** Whether no member of a search by other members than the reference excludes the payment of a call. */
const isSearchThatLists = ({ operation, clientTransactionId, body = {} }: ClientCall, call: ClientCall): boolean => {
  if (operation !== 'search' || clientTransactionId !== undefined) return false
  const { processingAccountId, payerDetails, providerDetails, paymentDetails } = (call.body ?? {}) as Body
  const { amount } = (startsPayment(call.operation) ? (paymentDetails ?? {}) : {}) as Body
  const began = startsPayment(call.operation) ? call.clock : undefined
  const isOne = (wanted: unknown, given: unknown) => wanted === undefined || given === undefined || wanted === given
  const isWithin = (from: unknown, value: unknown, to: unknown) =>
    typeof value !== 'number' || !(Number(from) > value || Number(to) < value)
  const at = (instant: unknown) => Date.parse(String(instant))
  return (
    isOne(body.processingAccountId, processingAccountId) &&
    isOne(body.payerId, (payerDetails as Body | undefined)?.payerId) &&
    isOne(body.providerId, (providerDetails as Body | undefined)?.providerId) &&
    isWithin(body.amountFrom, amount, body.amountTo) &&
    isWithin(at(body.createdFrom), began, at(body.createdTo))
  )
}

/** Returns the webhook on the payment of a call that the merchant acknowledged after the call began, and by `until`. */
export const acknowledgedWebhook = (
  traffic: MerchantTraffic,
  call: ClientCall,
  until = Number.POSITIVE_INFINITY,
): ClientDelivery | undefined =>
  traffic.deliveries.find(
    delivery =>
      concernsSamePayment(traffic, delivery, call) &&
      delivery.attempts.some(
        ({ startedAt, endedAt, status = 0 }) =>
          startedAt >= call.startedAt && endedAt <= until && status >= 200 && status < 300,
      ),
  )

/** Returns the calls in a merchant's traffic that started after one of its calls had ended. */
export const callsAfter = ({ calls }: MerchantTraffic, { endedAt, callId }: ClientCall): readonly ClientCall[] => {
  const at = calls.findIndex(call => call.callId === callId)
  return calls.slice(at + 1).filter(({ startedAt }) => startedAt >= endedAt)
}

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
