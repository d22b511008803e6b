import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import type { Row } from '../layout/data-table.ts'
import { timestamp } from '../layout/formatted-values.ts'
import { identifier } from '../layout/identifier-with-copy-button.ts'
import { stateTag } from '../layout/key-and-webhook-state-tag.ts'
import { shortId } from '../layout/short-id.ts'
import { portalPaths } from '../portal-paths.ts'
import { type DeliveryView, shownState } from './delivery-view.ts'
import { endpointLink } from './endpoint-name.ts'
import { rowOutcome, triesOf } from './resend-outcome.ts'

/** Columns of the portal's table of webhook deliveries. */
export const DELIVERY_COLUMNS = ['Due', 'Type', 'Endpoint', 'State', 'Payment', 'Once more'] as const
export type DeliveryColumn = (typeof DELIVERY_COLUMNS)[number]

type Place = {
  organizationId: string
  columns: readonly DeliveryColumn[]
  /** Addresses of the endpoints by id. */
  addresses: ReadonlyMap<string, string>
  /** The delivery that was resent from its row. */
  resent: string | undefined
}

/** The id of the form by which every row of the table is resent. */
export const RESEND_FORM = 'once-more'

/** Returns the anchor of the row of a delivery in the portal's table. */
export const rowAnchor = (deliveryId: string): string => `row-${deliveryId}`

/** Returns one delivery as a row of the portal's table; the one that was resent tells what came of it. */
export const deliveryRow = (delivery: DeliveryView, { organizationId, columns, addresses, resent }: Place): Row => {
  const { deliveryId, endpointId, firstDueAt, message } = delivery
  const { type, transactionId } = message
  const cells: Record<DeliveryColumn, () => Html | ''> = {
    Due: () => html`<a href="${portalPaths.delivery(organizationId, deliveryId)}">${timestamp(firstDueAt)}</a>`,
    Type: () => html`<code class="whole">${type}</code>`,
    Endpoint: () => endpointLink(organizationId, endpointId, addresses.get(endpointId)),
    State: () => stateAndTries(delivery),
    Payment: () =>
      transactionId === ''
        ? ''
        : identifier('the payment’s id', transactionId, {
            href: portalPaths.payment(organizationId, transactionId),
            shown: shortId(transactionId),
          }),
    'Once more': () =>
      html`<span class="stack"><button class="button quiet" form="${RESEND_FORM}" name="delivery" value="${deliveryId}" data-testid="resend-row">Resend</button>${resent === deliveryId ? rowOutcome(delivery) : ''}</span>`,
  }
  return { testId: 'delivery-row', id: rowAnchor(deliveryId), cells: columns.map(column => cells[column]()) }
}

const stateAndTries = (delivery: DeliveryView): Html => {
  const { attempts, dueAt } = delivery
  const shown = shownState(delivery)
  const next = shown === 'failing' && dueAt !== undefined ? html`; next ${timestamp(dueAt)}` : ''
  return html`<span class="stack">${stateTag(shown)}${attempts.length === 0 ? '' : html`<span class="hint">${triesOf(delivery, 'row')}${next}</span>`}</span>`
}
