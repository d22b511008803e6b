import type { ClientCall, MerchantTraffic } from './merchant-traffic.ts'
import { callsUnderKey, findAfter, isLaterPayment, sameAttempts, sameRequests } from './related-calls.ts'

/** Tolerance for timers that fire early, in milliseconds. */
const TIMER_SLACK = 50

/** Returns the wait in milliseconds that the Retry-After of a response asks for, less a tolerance for timers. */
export const waitOf = ({ retryAfter = 0 }: ClientCall): number => retryAfter * 1000 - TIMER_SLACK

/** Processes of one shop: as many calls without a key may be the first of each, not retries of one. */
export const PROCESSES = 4

/** Finds a later call that asks for the same as a call under a new key, soon enough to be an attempt of the same. */
export const findNewAttempt = (traffic: MerchantTraffic, call: ClientCall): ClientCall | undefined =>
  findAfter(
    traffic,
    call,
    sameAttempts(traffic, call),
    later => later.idempotencyKey !== call.idempotencyKey && !isLaterPayment(later, call),
  )

/**
 * Finds the retry of a call: the next under its key, else the first that asks for the same under a key of later calls
 * only. Without keys it is the first after Retry-After, or an earlier one that the processes of a shop do not explain.
 */
const retryOf = (traffic: MerchantTraffic, call: ClientCall): ClientCall | undefined => {
  const { idempotencyKey: key } = call
  if (key !== undefined) return findAfter(traffic, call, callsUnderKey(traffic, key)) ?? findNewAttempt(traffic, call)
  const isEarly = ({ startedAt }: ClientCall) => startedAt - call.endedAt < waitOf(call)
  const again = sameRequests(traffic, call)
  return (
    findAfter(traffic, call, again, isEarly, PROCESSES) ?? findAfter(traffic, call, again, later => !isEarly(later))
  )
}

/** Returns the pairs of each call in a merchant's traffic that is concerned and its retry; none for a call without one. */
export const retriesOf = (
  traffic: MerchantTraffic,
  isConcerned: (call: ClientCall) => boolean,
): readonly (readonly [ClientCall, ClientCall])[] =>
  traffic.calls.filter(isConcerned).flatMap(call => {
    const next = retryOf(traffic, call)
    return next ? [[call, next] as const] : []
  })
