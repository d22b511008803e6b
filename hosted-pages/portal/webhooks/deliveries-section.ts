import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { controlPaths } from '../control-api-paths.ts'
import { table } from '../layout/data-table.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { timestamp } from '../layout/formatted-values.ts'
import { identifier } from '../layout/identifier.ts'
import { stateTag } from '../layout/key-and-webhook-state-tag.ts'
import type { PageContext } from '../layout/page-context.ts'
import { portalPaths } from '../portal-paths.ts'

export const DELIVERY_STATES = ['waiting', 'delivered', 'dropped'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** A notification on its way to one endpoint; times are epoch milliseconds on the organization's clock. */
export type DeliveryView = {
  deliveryId: string
  endpointId: string
  state: DeliveryState
  /** The message; its transactionId is empty where it is about no payment. */
  message: { type: string; transactionId: string; body: string }
  firstDueAt: number
  /** When the next attempt is due. */
  dueAt?: number
  attempts: readonly DeliveryAttempt[]
}

/** One attempt of a delivery; `error` says why there is no response. */
export type DeliveryAttempt = {
  at: number
  durationMilliseconds: number
  request: { method: string; url: string; headers: Readonly<Record<string, string>> }
  response?: { status: number; headers: Readonly<Record<string, string>>; body: string }
  error?: string
}

type Shown = { deliveries: readonly DeliveryView[]; state: DeliveryState | undefined; path: string }

/** Returns the table of deliveries, newest first, with a filter by state. */
export function deliveriesSection(
  context: PageContext,
  organizationId: string,
  { deliveries, state, path }: Shown,
): Html {
  const columns = ['Due', 'Type', 'State', 'Tries', 'Payment']
  return html`
<section aria-labelledby="deliveries"><h2 id="deliveries">Deliveries</h2>
<ul class="filter" aria-label="Show deliveries by state">
<li><a href="${path}#deliveries"${state ? '' : html` aria-current="true"`} data-testid="filter-all">all</a></li>
${DELIVERY_STATES.map(
  one =>
    html`<li><a href="${path}?state=${one}#deliveries"${state === one ? html` aria-current="true"` : ''} data-testid="filter-${one}">${stateTag(one)}</a></li>`,
)}</ul>
${deliveries.length === 0 ? html`<p class="empty" data-testid="no-deliveries">No delivery to show. Open an endpoint and send a test, or make a payment.</p>` : table('Deliveries', columns, rowsOf(organizationId, deliveries))}
${equivalentCurl(context, { path: `${controlPaths.deliveries(organizationId)}${state ? `?state=${state}` : ''}` })}
</section>`
}

const rowsOf = (organizationId: string, deliveries: readonly DeliveryView[]) =>
  deliveries.map(({ deliveryId, state, attempts, firstDueAt, message: { type, transactionId } }) => ({
    testId: 'delivery-row',
    cells: [
      html`<a href="${portalPaths.delivery(organizationId, deliveryId)}">${timestamp(firstDueAt)}</a>`,
      html`<code>${type}</code>`,
      stateTag(state),
      lastAttempt(attempts),
      transactionId === ''
        ? ''
        : identifier(transactionId, {
            href: portalPaths.payment(organizationId, transactionId),
            shown: `${transactionId.slice(0, 13)}…`,
          }),
    ],
  }))

const lastAttempt = (attempts: DeliveryView['attempts']): Html | '' => {
  const last = attempts.at(-1)
  if (!last) return ''
  return html`<span class="number">${attempts.length} × · ${last.response?.status ?? last.error ?? ''}</span>`
}
