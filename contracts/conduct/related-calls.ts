import { startsPayment } from '../operations.ts'
import { canonicalJson } from '../protocol/canonical-json.ts'
import {
  type ClientCall,
  type ClientDelivery,
  gotNoUsableResponse,
  isRead,
  type MerchantTraffic,
} from './merchant-traffic.ts'

/** Makes something once for a traffic, so that no rule passes all calls for each of them. */
const perTraffic = <Made>(make: (traffic: MerchantTraffic) => Made): ((traffic: MerchantTraffic) => Made) => {
  const made = new WeakMap<object, { it: Made }>()
  return traffic => {
    const found = made.get(traffic.calls) ?? { it: make(traffic) }
    made.set(traffic.calls, found)
    return found.it
  }
}
/** Groups the calls of a traffic by a property, in their order; those without it are in no group. */
const grouped = (propertyOf: (call: ClientCall, traffic: MerchantTraffic) => string | undefined) => {
  const groups = perTraffic(traffic => Map.groupBy(traffic.calls, call => propertyOf(call, traffic)))
  return (traffic: MerchantTraffic, property: string | undefined): readonly ClientCall[] =>
    (property === undefined ? undefined : groups(traffic).get(property)) ?? []
}

const placesOf = perTraffic(({ calls }) => new Map(calls.map(({ callId }, at) => [callId, at])))
const referencesOf = perTraffic(
  ({ payments }) => new Map(payments.map(each => [each.transactionId, each.clientTransactionId])),
)

/** Returns the subject of a mutating call: operation and transactionId, or clientTransactionId for a new payment. */
const subjectOf = ({ operation, transactionId, clientTransactionId }: ClientCall): string =>
  `${operation} ${startsPayment(operation) ? clientTransactionId : transactionId}`

const requests = new WeakMap<ClientCall, string>()
/** Returns what a call asks for, equal for equal JSON bodies in any member order; its own id if nested too deep. */
const requestOf = (call: ClientCall): string => {
  const known = requests.get(call)
  if (known !== undefined) return known
  let body: string | undefined
  try {
    body = canonicalJson(call.body)
  } catch {
    body = call.callId
  }
  const request = `${subjectOf(call)} ${body}`
  requests.set(call, request)
  return request
}

/**
 * Whether two calls of a merchant ask for the same: the same operation on the same payment with equal JSON bodies, in
 * any member order; false if nested too deep.
 */
export const isSameRequest = (one: ClientCall, other: ClientCall): boolean => requestOf(one) === requestOf(other)

/** Returns the calls under an idempotency key. */
export const callsUnderKey = grouped(({ idempotencyKey }) => idempotencyKey)
/** Returns the calls that name a payment by its transactionId. */
export const callsOn = grouped(({ transactionId }) => transactionId)
const callsWithRequest = grouped(requestOf)
const callsWithSubject = grouped(subjectOf)
const attempts = grouped((call, traffic) =>
  callsUnderKey(traffic, call.idempotencyKey)[0] === call ? requestOf(call) : undefined,
)

/** Returns the calls of the same operation on the same payment as a call. */
export const sameSubject = (traffic: MerchantTraffic, call: ClientCall) => callsWithSubject(traffic, subjectOf(call))
/** Returns the calls that ask for the same as a call. */
export const sameRequests = (traffic: MerchantTraffic, call: ClientCall) => callsWithRequest(traffic, requestOf(call))
/** Returns those calls that ask for the same as a call and are the first under their keys: new attempts, no retries. */
export const sameAttempts = (traffic: MerchantTraffic, call: ClientCall) => attempts(traffic, requestOf(call))

/** Returns the milliseconds between the starts of two calls, by the clock on which they are further apart. */
export const elapsedBetween = (call: ClientCall, later: ClientCall): number => {
  const byClock = call.clock === undefined || later.clock === undefined ? 0 : later.clock - call.clock
  return Math.max(later.startedAt - call.startedAt, byClock)
}

/** Idempotency keys are valid for so long (8): who asks for the same later has no key to retry with. */
const KEY_VALIDITY_MS = 86_400_000

/** Whether a later call to start a payment is so late that it is no retry: next month's charge may look like this one (2.1). */
export const isLaterPayment = (later: ClientCall, call: ClientCall): boolean =>
  startsPayment(call.operation) && elapsedBetween(call, later) >= KEY_VALIDITY_MS

const referenceOf = (
  traffic: MerchantTraffic,
  { transactionId = '', clientTransactionId }: Named,
): string | undefined => clientTransactionId ?? referencesOf(traffic).get(transactionId)
type Named = Pick<ClientCall, 'transactionId' | 'clientTransactionId'>

const deliveriesById = perTraffic(({ deliveries }) => Map.groupBy(deliveries, ({ transactionId }) => transactionId))
const deliveriesByReference = perTraffic(traffic =>
  Map.groupBy(traffic.deliveries, delivery => referenceOf(traffic, delivery) ?? ''),
)

/** Returns the webhook on the payment of a call that the merchant acknowledged after the call began, and by `until`. */
export const acknowledgedWebhook = (
  traffic: MerchantTraffic,
  { transactionId = '', clientTransactionId = '', startedAt: since }: ClientCall,
  until = Number.POSITIVE_INFINITY,
): ClientDelivery | undefined => {
  const references = [clientTransactionId, referencesOf(traffic).get(transactionId) ?? '']
  const deliveries = [
    deliveriesById(traffic).get(transactionId),
    ...references.map(reference => (reference ? deliveriesByReference(traffic).get(reference) : undefined)),
  ]
  return deliveries
    .flatMap(about => about ?? [])
    .find(({ attempts }) =>
      attempts.some(
        ({ startedAt, endedAt, status = 0 }) => startedAt >= since && endedAt <= until && status >= 200 && status < 300,
      ),
    )
}

/**
 * Finds the first of some calls, or the nth, that started after a call had ended and is wanted. They are in the order of
 * the traffic, so that those before the call are not passed.
 */
export const findAfter = (
  traffic: MerchantTraffic,
  { callId, endedAt }: ClientCall,
  among: readonly ClientCall[],
  isWanted: (later: ClientCall) => boolean = () => true,
  nth = 1,
): ClientCall | undefined => {
  const places = placesOf(traffic)
  const place = places.get(callId) ?? -1
  let [from, to] = [0, among.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((places.get(among[middle]?.callId ?? '') ?? -1) > place) to = middle
    else from = middle + 1
  }
  let left = nth
  for (let at = from; at < among.length; at += 1) {
    const later = among[at]
    if (later && later.startedAt >= endedAt && isWanted(later)) left -= 1
    if (left === 0) return later
  }
  return undefined
}

/** Returns whichever of some calls comes first in a traffic. */
export const earliest = (
  traffic: MerchantTraffic,
  calls: readonly (ClientCall | undefined)[],
): ClientCall | undefined =>
  calls
    .filter(call => call !== undefined)
    .reduce<ClientCall | undefined>((first, call) => {
      const places = placesOf(traffic)
      return first && (places.get(first.callId) ?? 0) < (places.get(call.callId) ?? 0) ? first : call
    }, undefined)

/** Whether a read told the merchant something: a refused or lost one did not. */
const hasTold = (call: ClientCall): boolean =>
  isRead(call) && (call.status < 300 || call.status === 404) && !gotNoUsableResponse(call)

const readsByReference = grouped((call, traffic) => (hasTold(call) ? referenceOf(traffic, call) : undefined))
const readsById = grouped(call => (hasTold(call) ? call.transactionId : undefined))
const openSearches = grouped(call => (isOpenSearch(call) && hasTold(call) ? 'search' : undefined))

/** Finds the first read of the payment of a call after it: by its id or reference, or by a search that has it in its results. */
export const findRead = (
  traffic: MerchantTraffic,
  call: ClientCall,
  isWanted: (read: ClientCall) => boolean = () => true,
): ClientCall | undefined => {
  const { transactionId, clientTransactionId } = call
  const reference = referencesOf(traffic).get(transactionId ?? '')
  return earliest(traffic, [
    findAfter(traffic, call, readsById(traffic, transactionId), isWanted),
    findAfter(traffic, call, readsByReference(traffic, clientTransactionId), isWanted),
    findAfter(traffic, call, readsByReference(traffic, reference), isWanted),
    findAfter(traffic, call, openSearches(traffic, 'search'), read => lists(read, call) && isWanted(read)),
  ])
}

type Body = Readonly<Record<string, unknown>>

const isOpenSearch = ({ operation, clientTransactionId }: ClientCall): boolean =>
  operation === 'search' && clientTransactionId === undefined

/** Whether no member of a search by other members than the reference excludes the payment of a call. */
const lists = ({ body = {} }: ClientCall, call: ClientCall): boolean => {
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
