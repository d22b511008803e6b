import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { controlPaths } from '../control-api-paths.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { table } from '../layout/data-table.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { stateTag } from '../layout/key-and-webhook-state-tag.ts'
import { DELIVERY_COLUMNS, deliveryRow, RESEND_FORM } from './delivery-row.ts'
import { type DeliveryCount, type DeliveryView, SHOWN_STATES, type ShownState } from './delivery-view.ts'
import { type ResendOutcome, resendOutcome } from './resend-outcome.ts'

/** What narrows a list of webhook deliveries, as its address has it; the payment as it was typed. */
export type DeliveryFilter = {
  state: ShownState | undefined
  transactionId: string | undefined
  before: string | undefined
}

/**
 * A page of webhook deliveries as the portal lists them, newest first; `older` is the delivery before which the next
 * page begins.
 */
export type DeliveryList = DeliveryFilter & {
  deliveries: readonly DeliveryView[]
  counts: readonly DeliveryCount[]
  /** The payment that is meant, where it is one. */
  paymentId: string | undefined
  older: string | undefined
  /** The delivery that was resent from its row. */
  resent: string | undefined
  /** What came of the bulk resend that led here. */
  outcome: ResendOutcome | undefined
}

/** The page that shows deliveries: its path, and the addresses of the endpoints by id. */
type Place = { path: string; addresses: ReadonlyMap<string, string> }

/** Returns the filter of a list of deliveries as members of a query or of a form. */
export const wantedOf = ({ state, transactionId, before }: Partial<DeliveryFilter>): Record<string, string> => ({
  ...(state && { state }),
  ...(transactionId && { transactionId }),
  ...(before && { before }),
})

/**
 * Returns the HTML table of webhook deliveries, newest first, with filters by state and payment, true counts, and a way
 * to the oldest.
 */
export function deliveriesSection(
  context: PageRequestData,
  organizationId: string,
  list: DeliveryList,
  { path, addresses }: Place,
): Html {
  const { deliveries, state, transactionId, outcome, resent } = list
  const columns = DELIVERY_COLUMNS.filter(column => column !== 'Endpoint' || addresses.size > 1)
  const asked = wantedOf({ state, transactionId: list.paymentId })
  return html`
<section aria-labelledby="deliveries"><h2 id="deliveries">Deliveries</h2>
${outcome ? html`<div id="resend-outcome" data-live="webhooks">${resendOutcome(outcome)}</div>` : ''}
${chips(list, path)}
<form class="filter-form few one" method="get" action="${path}#deliveries" role="search">
${hidden({ state })}
<p class="q"><label for="f-payment">Payment: id, its end, or reference</label><input id="f-payment" name="transactionId" value="${transactionId ?? ''}" placeholder="…7de685 or order-1" data-testid="delivery-payment" spellcheck="false" autocomplete="off"></p>
<p class="send"><button class="button quiet" data-testid="find-deliveries">Find</button></p>
</form>
<form id="${RESEND_FORM}" method="post" action="${path}/again">${hidden(wantedOf(list))}</form>
<div id="delivery-list" data-live="webhooks">
${
  deliveries.length === 0
    ? html`<p class="empty" data-testid="no-deliveries">${state || transactionId ? 'No delivery fits.' : 'No delivery yet. Open an endpoint and send a test, or make a payment.'}</p>`
    : table(
        'Deliveries',
        columns,
        deliveries.map(delivery => deliveryRow(delivery, { organizationId, columns, addresses, resent })),
      )
}
${ways(list, path)}
</div>
${equivalentCurl(context, { path: `${controlPaths.deliveries(organizationId)}${Object.keys(asked).length > 0 ? `?${new URLSearchParams(asked)}` : ''}` })}
</section>`
}

const hidden = (members: Partial<DeliveryFilter>): Html[] =>
  Object.entries(wantedOf(members)).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)

const chips = ({ counts, state, transactionId }: DeliveryList, path: string): Html => {
  const totals = totalsOf(counts)
  const to = (one: ShownState | undefined) => listPath(path, { state: one, transactionId, before: undefined })
  return html`
<ul class="filter" id="delivery-states" data-live="webhooks" aria-label="Show deliveries by state">
<li><a href="${to(undefined)}"${state ? '' : html` aria-current="true"`} data-testid="filter-all">all <span class="number">${Object.values(totals).reduce((all, count) => all + count, 0)}</span></a></li>
${SHOWN_STATES.map(
  one =>
    html`<li><a href="${to(one)}"${state === one ? html` aria-current="true"` : ''} data-testid="filter-${one}">${stateTag(one)} <span class="number">${totals[one]}</span></a></li>`,
)}</ul>`
}

/** Returns the address of a list of deliveries under a filter. */
const listPath = (path: string, filter: DeliveryFilter): string => {
  const query = new URLSearchParams(wantedOf(filter)).toString()
  return `${path}${query === '' ? '' : `?${query}`}#deliveries`
}

const ways = (list: DeliveryList, path: string): Html => {
  const { state, transactionId, before, older, deliveries, counts } = list
  const here = (page: string | undefined) => listPath(path, { state, transactionId, before: page })
  const resendAll = (state === 'failing' || state === 'dropped') && deliveries.length > 0
  return html`
<div class="ways">
${resendAll ? html`<form method="post" action="${path}/resend">${hidden({ state, transactionId })}<button class="button" data-testid="resend-all">${transactionId ? 'Send these of the payment again' : `Send all ${totalsOf(counts)[state]} again`}</button></form>` : ''}
${older === undefined ? '' : html`<a class="button quiet" href="${here(older)}" data-testid="deliveries-older">Older</a>`}
${before === undefined ? '' : html`<a class="button quiet" href="${here(undefined)}" data-testid="deliveries-newest">Back to the newest</a>`}
</div>`
}

const totalsOf = (counts: readonly DeliveryCount[]): Record<ShownState, number> => {
  const totals = { failing: 0, waiting: 0, delivered: 0, dropped: 0 }
  for (const { state, isTried, count } of counts) totals[isTried && state === 'waiting' ? 'failing' : state] += count
  return totals
}
