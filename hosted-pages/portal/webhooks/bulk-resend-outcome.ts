import { html } from 'hono/html'
import type { Html } from '../../layout.ts'

/** A delivery with the real times of its attempts. */
type Tried = { deliveryId: string; state: string; attempts: readonly { real?: number }[] }

/**
 * A bulk resend of webhooks, as the address of the portal page after it has it: how many, and the real time from which
 * their tries count.
 */
export type BulkResend = { resent: number; skipped: number; since: number }

/** Outcome so far of a bulk resend of webhooks: how many deliveries were taken, not taken, and are not tried yet. */
export type ResendOutcome = BulkResend & { delivered: number; failing: number; open: number }

/** Deliveries that are read at a time, and pages of them at most. */
const [PAGE, PAGES] = [200, 5]

type ListPage = (page: { before: string | undefined; limit: number }) => Promise<readonly Tried[]>

/** Returns the query by which the next portal page finds a bulk resend of webhooks. */
export const resendQuery = ({ resent, skipped, since }: BulkResend): string =>
  new URLSearchParams({ resent: String(resent), skipped: String(skipped), since: String(since) }).toString()

/** Reads a bulk resend of webhooks from the query of a portal page; undefined where there is none. */
export const readBulkResend = (query: Readonly<Record<string, string>>): BulkResend | undefined => {
  const [resent, skipped, since] = [query.resent, query.skipped, query.since].map(Number)
  const isThere = [resent, skipped, since].every(number => Number.isSafeInteger(number))
  return isThere ? ({ resent, skipped, since } as BulkResend) : undefined
}

/** Finds the outcome so far of a bulk resend of webhooks, among the newest thousand deliveries. */
export const outcomeOf = async (resend: BulkResend, list: ListPage): Promise<ResendOutcome> => {
  const counts = { delivered: 0, failing: 0 }
  for (let [page, before] = [0, undefined as string | undefined]; page < PAGES; page += 1) {
    const found = await list({ before, limit: PAGE })
    for (const delivery of found)
      if ((delivery.attempts.at(-1)?.real ?? 0) >= resend.since)
        counts[delivery.state === 'delivered' ? 'delivered' : 'failing'] += 1
    before = found.at(-1)?.deliveryId
    if (found.length < PAGE || counts.delivered + counts.failing >= resend.resent) break
  }
  return { ...resend, ...counts, open: Math.max(0, resend.resent - counts.delivered - counts.failing) }
}

/** Returns the sentence on the outcome of a bulk resend of webhooks; it is good where every delivery was taken. */
export const resendOutcome = ({ resent, skipped, delivered, failing, open }: ResendOutcome): Html => {
  const parts = [`${delivered} delivered`, `${failing} failed again`, ...(open > 0 ? [`${open} on their way`] : [])]
  const left = skipped === 0 ? '' : ` ${skipped} stay: their endpoint is disabled or deleted.`
  const look = failing > 0 || skipped > 0 ? 'bad' : 'good'
  return html`<p class="outcome ${look}" role="status" data-testid="resend-outcome" data-open="${open}">${resent === 0 ? 'Nothing was sent again.' : `${resent} sent again: ${parts.join(', ')}.`}${left}</p>`
}
