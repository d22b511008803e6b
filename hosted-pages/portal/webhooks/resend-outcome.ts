import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import type { DeliveryView } from './delivery-view.ts'

/**
 * A bulk resend of webhooks, as the address of the portal page after it has it: how many, and the real time by which
 * their outcome is counted.
 */
export type BulkResend = { resent: number; skipped: number; since: number }

/** Outcome so far of a bulk resend of webhooks: how many deliveries were taken, not taken, and are not tried yet. */
export type ResendOutcome = BulkResend & ResendCount

/** Counts of the deliveries of one resend by what came of it, without those that were resent once more since. */
export type ResendCount = { delivered: number; failing: number; open: number }

/** Returns the query by which the next portal page finds a bulk resend of webhooks. */
export const resendQuery = ({ resent, skipped, since }: BulkResend): string =>
  new URLSearchParams({ resent: String(resent), skipped: String(skipped), since: String(since) }).toString()

/** Reads a bulk resend of webhooks from the query of a portal page; undefined where there is none. */
export const readBulkResend = (query: Readonly<Record<string, string>>): BulkResend | undefined => {
  const [resent, skipped, since] = [query.resent, query.skipped, query.since].map(Number)
  const isThere = [resent, skipped, since].every(number => Number.isSafeInteger(number))
  return isThere ? ({ resent, skipped, since } as BulkResend) : undefined
}

/** Returns the sentence on the outcome of a bulk resend of webhooks; it is good where every delivery was taken. */
export const resendOutcome = ({ resent, skipped, delivered, failing, open }: ResendOutcome): Html => {
  const later = Math.max(0, resent - delivered - failing - open)
  const parts = [
    `${delivered} delivered`,
    `${failing} failed again`,
    ...(open > 0 ? [`${open} on their way`] : []),
    ...(later > 0 ? [`${later} sent once more since`] : []),
  ]
  const left = skipped === 0 ? '' : ` ${skipped} stay: their endpoint is disabled or deleted.`
  const look = failing > 0 || skipped > 0 ? 'bad' : 'good'
  return html`<p class="outcome ${look}" role="status" data-testid="resend-outcome" data-open="${open}">${resent === 0 ? 'Nothing was sent again.' : `${resent} sent again: ${parts.join(', ')}.`}${left}</p>`
}

type Outcome = 'open' | 'delivered' | 'failed' | 'unsent'

/** What came of the newest try of a delivery, and of the resend that asked for it where one did. */
const outcomeOf = ({ attempts, resentAt, dueAt, state }: DeliveryView): Outcome => {
  const last = attempts.at(-1)
  if (!last || (resentAt !== undefined && last.resentAt !== resentAt)) return dueAt === undefined ? 'unsent' : 'open'
  return state === 'delivered' ? 'delivered' : 'failed'
}

/** Returns why the newest try of a delivery was not acknowledged: the response's status, or the error without its full stop. */
const lastReason = ({ attempts }: Pick<DeliveryView, 'attempts'>): string => {
  const last = attempts.at(-1)
  return String(last?.response?.status ?? last?.error ?? 'no response').replace(/\.$/, '')
}

/** The reason in a few words for a row, where the whole is a tooltip: of an error its code, or how it begins. */
const shortReason = (reason: string): string => (reason.split(': ', 1)[0] ?? reason).slice(0, 40)

/** Returns in words how often a delivery was tried, and what the last try came to; in a row only the code of an error. */
export const triesOf = (delivery: Pick<DeliveryView, 'attempts' | 'attemptCount'>, place: 'row' | 'sentence'): Html => {
  const count = delivery.attemptCount
  const reason = lastReason(delivery)
  const shown = place === 'row' ? shortReason(reason) : reason
  return html`${count} ${count === 1 ? 'try' : 'tries'}, last: <b${shown === reason ? '' : html` title="${reason}"`}>${shown}</b>`
}

// biome-ignore format: a table reads by its columns
const LOOKS = { open: 'late', delivered: 'good', failed: 'bad', unsent: 'bad' } as const
const UNSENT = 'its endpoint is disabled or deleted'

/** Returns in a few words, as a tag in its row, what came of the resend of one delivery. */
export const rowOutcome = (delivery: DeliveryView): Html => {
  const outcome = outcomeOf(delivery)
  const words = {
    open: 'on its way',
    delivered: 'delivered',
    failed: `failed again: ${shortReason(lastReason(delivery))}`,
    unsent: `not sent: ${UNSENT}`,
  }[outcome]
  return html`<span class="tag ${LOOKS[outcome]}" role="status" data-testid="resend-row-outcome">${words}</span>`
}

/** Returns the sentence on the page of a delivery on what came of its resend, or of the test that it is. */
export const deliveryOutcome = (delivery: DeliveryView, asked: 'test' | 'resend'): Html => {
  const outcome = outcomeOf(delivery)
  const reason = lastReason(delivery)
  const words = {
    test: {
      open: 'The test is on its way.',
      delivered: 'The test was delivered.',
      failed: `The test failed: ${reason}.`,
      unsent: `The test was not sent: ${UNSENT}.`,
    },
    resend: {
      open: 'It is on its way once more.',
      delivered: 'It was sent again and delivered.',
      failed: `It was sent again and failed again: ${reason}.`,
      unsent: `It was not sent again: ${UNSENT}.`,
    },
  }[asked][outcome]
  return html`<div id="delivery-outcome" data-live="webhooks"><p class="outcome ${LOOKS[outcome]}" role="status" data-testid="delivery-outcome">${words}</p></div>`
}
