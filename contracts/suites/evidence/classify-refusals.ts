import { type Exchange, responseJson } from '../../client/http-exchange.ts'
import { pointerSegments } from '../../dialect/json-pointer.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { findRefusalCode } from '../../harness/profile/response-fields-and-line-advice.ts'
import { OPERATIONS } from '../../operations.ts'
import { REFUSALS, UNSTATED_STATUSES } from '../../protocol/reason-codes.ts'

const STATUSES: readonly number[] = Object.values(REFUSALS).map(({ http }) => http)

/** Whether a request has a missing or oversized Idempotency-Key, which may be refused with a 3xxx code (7.2, D-18). */
export const isAboutKey = ({ request: { endpoint, headers } }: Exchange): boolean => {
  const { length } = headers['idempotency-key'] ?? ''
  return endpoint !== undefined && OPERATIONS[endpoint].keyed && (length === 0 || length > 255)
}

/** Whether a request body has a Content-Type that its endpoint does not accept (4, D-16). */
const isOfAnotherType = ({ request: { endpoint, headers, body } }: Exchange): boolean => {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  const usual = endpoint === 'token' ? 'application/x-www-form-urlencoded' : 'application/json'
  return (body?.length ?? 0) > 0 && type !== usual
}

/** Statuses of HTTP itself, with which any server may refuse a message that 7.1 does not speak of. */
const OF_ANY_SERVER: readonly number[] = [406, 408, 411, 412, 414, 421, 431, 503]
/** Statuses for a decline and for a payment that has ended, of which 7.1 does not speak either (D-07). */
const OF_PAYMENTS: readonly number[] = [402, 410]

/** Whether an HTTP status is listed in 7.1, or is a standard one for an error that 7.1 does not cover. */
export const isStated = (exchange: Exchange, status = exchange.response?.status ?? 0): boolean =>
  STATUSES.includes(status) ||
  OF_ANY_SERVER.includes(status) ||
  (OF_PAYMENTS.includes(status) && isAboutPayment(exchange)) ||
  (status === UNSTATED_STATUSES.method && exchange.request.endpoint === 'mockSet') || // absent in production (1)
  (status === UNSTATED_STATUSES.type && isOfAnotherType(exchange)) ||
  (status === UNSTATED_STATUSES.key && isAboutKey(exchange))

const isAboutPayment = ({ request: { endpoint } }: Exchange): boolean =>
  endpoint !== undefined && OPERATIONS[endpoint].keyed

/** Statuses that a proxy or firewall in front of the service may give, in a form of its own (7.1). */
const OF_PROXIES: readonly number[] = [403, 413, 502, 503, 504]

/** Whether what ends TLS refused the client certificate, in a form of its own (S37). */
const isOfTls = ({ response }: Exchange): boolean =>
  response?.status === 400 && /certificate/i.test(response.body.toString('utf8'))

const mayBeOfOthers = (status: number, exchange: Exchange): boolean => OF_PROXIES.includes(status) || isOfTls(exchange)

/**
 * Whether a response is a refusal by the service itself. Unknown paths, 413 and 429 may come from a proxy in front of
 * it, and so may some statuses where they have no JSON.
 */
export const isRefusal = (status: number, exchange: Exchange): boolean =>
  status >= 400 &&
  status !== 413 &&
  status !== 429 &&
  exchange.request.endpoint !== undefined &&
  exchange.request.endpoint !== 'keySet' &&
  (typeof responseJson(exchange) === 'object' ||
    !(mayBeOfOthers(status, exchange) || exchange.request.endpoint === 'mockSet'))

/** Whether a response has a member of the error envelope at the top, where the profile looks for its code or call id. */
const showsEnvelope = ({ errors }: Profile, exchange: Exchange): boolean => {
  const tops = [errors?.reasonCode ?? [], errors?.callId ?? []].flat().map(pointer => pointerSegments(pointer)[0] ?? '')
  return tops.some(top => Object.hasOwn(Object(responseJson(exchange)), top))
}

/**
 * Whether a refusal is to have the envelope of 7: that of the token call may be OAuth's (D-59), and that of a proxy its own.
 */
export const isEnveloped =
  (profile: Profile) =>
  (status: number, exchange: Exchange): boolean =>
    isRefusal(status, exchange) &&
    exchange.request.endpoint !== 'token' &&
    (!mayBeOfOthers(status, exchange) || showsEnvelope(profile, exchange))

/** Whether a refusal carries a reasonCode; ERR-01 judges those that carry none. */
export const carriesCode = (profile: Profile) => (exchange: Exchange) =>
  findRefusalCode(profile, exchange) !== undefined
