import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { controlPaths } from '../control-api-paths.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { table } from '../layout/data-table.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { codeName, timestamp } from '../layout/formatted-values.ts'
import { identifier } from '../layout/identifier-with-copy-button.ts'
import { stateTag } from '../layout/key-and-webhook-state-tag.ts'
import { shortId } from '../layout/short-id.ts'
import { portalPaths } from '../portal-paths.ts'
import { type ResendOutcome, resendOutcome } from './bulk-resend-outcome.ts'

/** States by which the portal shows webhook deliveries; a failing one was tried and waits for its next attempt. */
export const SHOWN_STATES = ['failing', 'waiting', 'delivered', 'dropped'] as const
export type ShownState = (typeof SHOWN_STATES)[number]
type DeliveryState = Exclude<ShownState, 'failing'>

/** Count of the webhook deliveries to an endpoint in one state, as the portal shows it. */
export type DeliveryCount = { endpointId: string; state: DeliveryState; isTried: boolean; count: number }

/**
 * A webhook delivery as the portal lists it, on its way to one endpoint; times are epoch milliseconds on the
 * organization's clock.
 */
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

/** One attempt of a webhook delivery as the portal shows it; `error` says why there is no response. */
export type DeliveryAttempt = {
  at: number
  /** Real time. */
  real?: number
  durationMilliseconds: number
  request: { method: string; url: string; headers: Readonly<Record<string, string>> }
  response?: { status: number; headers: Readonly<Record<string, string>>; body: string }
  error?: string
}

/**
 * A page of webhook deliveries as the portal lists them, newest first; `older` is the delivery before which the next
 * page begins.
 */
export type DeliveryList = {
  deliveries: readonly DeliveryView[]
  counts: readonly DeliveryCount[]
  state: ShownState | undefined
  transactionId: string | undefined
  older: string | undefined
  /** What came of the bulk resend that led here. */
  outcome: ResendOutcome | undefined
}

/** The page that shows deliveries: its path, and the addresses of the endpoints by id. */
type Place = { path: string; addresses: ReadonlyMap<string, string> }

const COLUMNS = ['Due', 'Type', 'Endpoint', 'State', 'Tries', 'Payment', 'Once more'] as const
type Column = (typeof COLUMNS)[number]

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
  const { deliveries, counts, state, transactionId, older, outcome } = list
  const columns = COLUMNS.filter(column => column !== 'Endpoint' || addresses.size > 1)
  const totals = totalsOf(counts)
  const wanted = { ...(state && { state }), ...(transactionId && { transactionId }) }
  return html`
<section aria-labelledby="deliveries"><h2 id="deliveries">Deliveries</h2>
${outcome ? html`<div id="resend-outcome" data-live="webhooks">${resendOutcome(outcome)}</div>` : ''}
<ul class="filter" id="delivery-states" data-live="webhooks" aria-label="Show deliveries by state">
<li><a href="${path}#deliveries"${state ? '' : html` aria-current="true"`} data-testid="filter-all">all <span class="number">${sum(Object.values(totals))}</span></a></li>
${SHOWN_STATES.map(
  one =>
    html`<li><a href="${path}?state=${one}#deliveries"${state === one ? html` aria-current="true"` : ''} data-testid="filter-${one}">${stateTag(one)} <span class="number">${totals[one]}</span></a></li>`,
)}</ul>
<form class="filter-form" method="get" action="${path}#deliveries" role="search">
${state ? html`<input type="hidden" name="state" value="${state}">` : ''}
<label class="q">Payment id <input name="transactionId" value="${transactionId ?? ''}" placeholder="transactionId" data-testid="delivery-payment" spellcheck="false" autocomplete="off"></label>
<div class="send"><button class="button quiet" data-testid="find-deliveries">Find</button></div>
</form>
<div id="delivery-list" data-live="webhooks">
${
  deliveries.length === 0
    ? html`<p class="empty" data-testid="no-deliveries">${state || transactionId ? 'No delivery fits.' : 'No delivery yet. Open an endpoint and send a test, or make a payment.'}</p>`
    : table(
        'Deliveries',
        columns,
        deliveries.map(delivery => ({
          testId: 'delivery-row',
          cells: columns.map(column => cellsOf(organizationId, delivery, addresses)[column]()),
        })),
      )
}
</div>
<div class="ways">
${(state === 'failing' || state === 'dropped') && deliveries.length > 0 ? html`<form method="post" action="${path}/resend"><input type="hidden" name="state" value="${state}">${transactionId ? html`<input type="hidden" name="transactionId" value="${transactionId}">` : ''}<button class="button" data-testid="resend-all">${transactionId ? 'Send these of the payment again' : `Send all ${totals[state]} again`}</button></form>` : ''}
${older === undefined ? '' : html`<a class="button quiet" href="${path}?${new URLSearchParams({ ...wanted, before: older })}#deliveries" data-testid="deliveries-older">Older</a>`}
</div>
${equivalentCurl(context, { path: `${controlPaths.deliveries(organizationId)}${wanted.state || wanted.transactionId ? `?${new URLSearchParams(wanted)}` : ''}` })}
</section>`
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0)

const totalsOf = (counts: readonly DeliveryCount[]): Record<ShownState, number> => {
  const totals = { failing: 0, waiting: 0, delivered: 0, dropped: 0 }
  for (const { state, isTried, count } of counts) totals[isTried && state === 'waiting' ? 'failing' : state] += count
  return totals
}

const cellsOf = (
  organizationId: string,
  { deliveryId, endpointId, attempts, firstDueAt, dueAt, message: { type, transactionId }, state }: DeliveryView,
  addresses: ReadonlyMap<string, string>,
): Record<Column, () => Html | ''> => {
  const here = portalPaths.delivery(organizationId, deliveryId)
  return {
    Due: () => html`<a href="${here}">${timestamp(firstDueAt)}</a>`,
    Type: () => codeName(type),
    Endpoint: () =>
      html`<a class="id" href="${portalPaths.endpoint(organizationId, endpointId)}">${addresses.get(endpointId) ?? `deleted, ${shortId(endpointId)}`}</a>`,
    State: () => stateAndNextTry(shownState({ state, attempts }), dueAt),
    Tries: () => lastAttempt(attempts),
    Payment: () =>
      transactionId === ''
        ? ''
        : identifier('the payment’s id', transactionId, {
            href: portalPaths.payment(organizationId, transactionId),
            shown: shortId(transactionId),
          }),
    'Once more': () =>
      html`<form method="post" action="${here}/resend"><button class="button quiet" data-testid="resend-row">Resend</button></form>`,
  }
}

/** Returns the state in which the portal shows a delivery: one that waits after an attempt without a 2xx is failing. */
export const shownState = ({ state, attempts }: Pick<DeliveryView, 'state' | 'attempts'>): ShownState => {
  const status = attempts.at(-1)?.response?.status ?? 0
  return state === 'waiting' && attempts.length > 0 && Math.floor(status / 100) !== 2 ? 'failing' : state
}

const stateAndNextTry = (shown: ShownState, dueAt: number | undefined): Html =>
  shown !== 'failing' || dueAt === undefined
    ? stateTag(shown)
    : html`<span class="stack">${stateTag(shown)}<span class="hint">next ${timestamp(dueAt)}</span></span>`

const lastAttempt = (attempts: DeliveryView['attempts']): Html | '' => {
  const last = attempts.at(-1)
  if (!last) return ''
  return html`<span><span class="number">${attempts.length} ×</span> · ${last.response?.status ?? last.error ?? ''}</span>`
}
