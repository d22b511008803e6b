import type { Delivery, DeliveryAttempt, Endpoint } from '../store/webhook-store.ts'
import { HOUR, MINUTE, SECOND } from '../support/duration.ts'

/** Delay after each failed delivery attempt, in milliseconds: ten attempts in less than 24 hours. */
const BACKOFF = [
  10 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  1 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
] as const
/** Longest time from the first attempt to the last. */
const GIVE_UP_AFTER = 24 * HOUR

/** Response statuses whose `Retry-After` is obeyed (RFC 9110 15.6.4, RFC 6585 4). */
const RETRY_AFTER_STATUSES: readonly number[] = [429, 503]

/** HTTP status that disables a webhook endpoint (RFC 9110 15.5.11). */
const GONE = 410

/** Result of one delivery attempt: response status and Retry-After, if there was a response. */
type AttemptResult = { status?: number | undefined; retryAfter?: string | undefined }

/** Whether the response to a webhook acknowledges it: any 2xx. */
export const isAcknowledged = ({ status = 0 }: AttemptResult): boolean => status >= 200 && status < 300

/**
 * Place of an attempt in the schedule: how many automatic ones came before it, the instant of the first of all, and when
 * the next automatic one is due where it is an extra one (D-101).
 */
export type AttemptPlace = { automatic: number; first: number; next?: number | undefined }

/**
 * Finds the place in the schedule of an attempt at `at`. One that a resend asked for is extra while an automatic one
 * is still to come.
 */
export const placeOfAttempt = (delivery: Delivery, earlier: readonly DeliveryAttempt[], at: number): AttemptPlace => {
  const automatic = earlier.filter(({ isExtra }) => !isExtra)
  const first = automatic[0]?.at ?? at
  return {
    automatic: automatic.length,
    first,
    next: isResend(delivery, earlier) ? nextAfter(automatic, first, at) : undefined,
  }
}

const isResend = ({ resentAt }: Delivery, earlier: readonly DeliveryAttempt[]): boolean =>
  resentAt !== undefined && !earlier.some(attempt => attempt.resentAt === resentAt)

const nextAfter = (automatic: readonly DeliveryAttempt[], first: number, at: number): number | undefined => {
  const last = automatic.at(-1)
  const pause = BACKOFF[automatic.length - 1]
  const { status, headers } = last?.response ?? {}
  if (!last || pause === undefined || isAcknowledged({ status })) return undefined
  const next = last.at + Math.max(pause, retryAfterOf({ status, retryAfter: headers?.['retry-after'] }, last.real ?? 0))
  return next > at && !isTooLate(first, next) ? next : undefined
}

/**
 * Updates a webhook delivery after an attempt at `at`: delivered, to be retried or dropped; `real` is the real
 * time.
 */
export const updateAfterAttempt = (
  delivery: Delivery,
  outcome: AttemptResult,
  at: number,
  real: number,
  place: AttemptPlace = { automatic: delivery.attemptCount, first: at },
): Delivery => {
  const { dueAt: _, ...before } = delivery
  const tries = delivery.attemptCount + 1
  if (isAcknowledged(outcome)) return { ...before, attemptCount: tries, state: 'delivered' }
  const pause = place.next === undefined ? BACKOFF[place.automatic] : place.next - at
  const next = at + Math.max(pause ?? 0, retryAfterOf(outcome, real))
  return pause === undefined || isTooLate(place.first, next)
    ? { ...before, attemptCount: tries, state: 'dropped' }
    : { ...before, attemptCount: tries, dueAt: next, state: 'waiting' }
}

const isTooLate = (first: number, at: number): boolean => at > first + GIVE_UP_AFTER

/** Returns the delay that a response asks for by Retry-After (seconds or a date), in milliseconds. */
const retryAfterOf = ({ status = 0, retryAfter }: AttemptResult, real: number): number => {
  if (retryAfter === undefined || !RETRY_AFTER_STATUSES.includes(status)) return 0
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * SECOND
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? 0 : Math.max(date - real, 0)
}

/** What an attempt keeps of the resend that asked for it. */
export const askedFor = (
  { resentAt }: Delivery,
  { next }: AttemptPlace,
): Pick<DeliveryAttempt, 'resentAt' | 'isExtra'> => ({
  ...(resentAt === undefined ? {} : { resentAt }),
  ...(next === undefined ? {} : { isExtra: true }),
})

/** How an attempt changes its endpoint; undefined where it does not, so that what succeeds writes nothing more. */
export const changeOfEndpoint = (
  endpoint: Endpoint | undefined,
  status: number | undefined,
  failing: Endpoint['failing'] & {},
) => {
  const isOk = isAcknowledged({ status })
  if (!endpoint || (isOk && !endpoint.failing)) return undefined
  const disabled = { at: failing.at, reason: 'The receiver answered 410: it is gone.' }
  return (now: Endpoint): Endpoint => {
    if (now.url !== endpoint.url) return now
    const { failing: _, ...rest } = now
    return isOk ? rest : { ...now, failing, ...(status === GONE && { disabled }) }
  }
}
