import { type ClientCall, callsAfter, isLaterPayment, isSameRequest, type MerchantTraffic } from './merchant-traffic.ts'

/** Tolerance for timers that fire early, in milliseconds. */
const TIMER_SLACK = 50

/** Returns the wait in milliseconds that the Retry-After of a response asks for, less a tolerance for timers. */
export const waitOf = ({ retryAfter = 0 }: ClientCall): number => retryAfter * 1000 - TIMER_SLACK

/** Processes of one shop: as many calls without a key may be the first of each, not retries of one. */
export const PROCESSES = 4

/** Whether a later call is the first under its key, and soon enough, so that it may be a new attempt of a call. */
export const isNewAttempt = ({ calls }: MerchantTraffic, later: ClientCall, call: ClientCall): boolean =>
  calls.find(({ idempotencyKey }) => idempotencyKey === later.idempotencyKey)?.callId === later.callId &&
  !isLaterPayment(later, call)

/**
 * Finds the retry of a call: the next under its key, else the first that asks for the same under a key of later calls
 * only. Without keys it is the first after Retry-After, or an earlier one that the processes of a shop do not explain.
 */
const retryOf = (traffic: MerchantTraffic, call: ClientCall): ClientCall | undefined => {
  const after = callsAfter(traffic, call)
  const { idempotencyKey: key } = call
  if (key !== undefined) {
    return (
      after.find(later => later.idempotencyKey === key) ??
      after.find(
        later => later.idempotencyKey !== undefined && isSameRequest(later, call) && isNewAttempt(traffic, later, call),
      )
    )
  }
  const again = after.filter(later => isSameRequest(later, call))
  const early = again.filter(({ startedAt }) => startedAt - call.endedAt < waitOf(call))
  return early.length >= PROCESSES ? early[PROCESSES - 1] : again[early.length]
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
