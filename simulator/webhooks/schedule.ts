import { HOUR, MINUTE, SECOND } from '../duration.ts'
import type { Delivery } from './notification.ts'

/** How long after each failed try the next one follows: ten tries in less than 24 hours. */
export const BACKOFF = [
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
export const MOST_TRIES = BACKOFF.length + 1
export const GIVEN_UP_AFTER = 24 * HOUR

/** Answers whose `Retry-After` is obeyed (RFC 9110 15.6.4, RFC 6585 4). */
const MAY_ASK_FOR_PATIENCE: readonly number[] = [429, 503]

/** The end of an endpoint (RFC 9110 15.5.11). */
export const GONE = 410

/** How one try ended. */
export type Outcome = { status?: number | undefined; retryAfter?: string | undefined }

export const isAcknowledged = ({ status = 0 }: Outcome): boolean => status >= 200 && status < 300

/** A delivery after a try that was due at `at`; `real` is what the clocks of others show. */
export const afterTry = (delivery: Delivery, outcome: Outcome, at: number, real: number): Delivery => {
  const { dueAt: _, ...before } = delivery
  const tries = delivery.tries + 1
  if (isAcknowledged(outcome)) return { ...before, tries, state: 'delivered' }
  const pause = BACKOFF[delivery.tries]
  const next = at + Math.max(pause ?? 0, patienceOf(outcome, real))
  const over = pause === undefined || next > delivery.firstDueAt + GIVEN_UP_AFTER
  return over ? { ...before, tries, state: 'dropped' } : { ...before, tries, dueAt: next, state: 'waiting' }
}

/** Milliseconds that an answer asks for, in seconds or as a date. */
const patienceOf = ({ status = 0, retryAfter }: Outcome, real: number): number => {
  if (retryAfter === undefined || !MAY_ASK_FOR_PATIENCE.includes(status)) return 0
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * SECOND
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? 0 : Math.max(date - real, 0)
}
