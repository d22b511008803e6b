import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { money } from '../../money-and-date-format.ts'
import { journalRow } from '../journal/journal-row.ts'
import { breakable, formatDuration, givenText } from '../layout/formatted-values.ts'
import { identifier } from '../layout/identifier-with-copy-button.ts'
import { stateTag } from '../layout/key-and-webhook-state-tag.ts'
import { scheduledWords } from '../layout/scheduled-item.ts'
import { shortId } from '../layout/short-id.ts'
import { paymentStateTag } from '../payments/payments-page.ts'
import { portalPaths } from '../portal-paths.ts'
import { breakableUrl, demoShopMark, endpointLink } from '../webhooks/endpoint-name.ts'
import { type FailingEndpoint, failingDetails, resendButtons } from '../webhooks/failing-endpoints.ts'
import type { DueItem, OverviewData } from './overview-types.ts'

const DAY = 86_400_000
/** How long before its end a certificate is shown as one that ends soon; keys have the same. */
const SOON = 30 * DAY

/**
 * Returns the overview's list of webhook endpoints that do not take their deliveries, with the last reason, the next
 * try, and buttons to resend.
 */
export const failingEndpoints = (organizationId: string, failing: readonly FailingEndpoint[]): Html | '' =>
  failing.length === 0
    ? ''
    : html`
<section class="alert" aria-labelledby="failing"><h2 id="failing">${failing.length === 1 ? 'One webhook endpoint fails' : `${failing.length} webhook endpoints fail`}</h2>
<ul>${failing.map(one => html`<li data-testid="failing-endpoint">${failingEndpoint(organizationId, one)}</li>`)}</ul></section>`

const failingEndpoint = (organizationId: string, one: FailingEndpoint): Html => {
  const { endpointId, url, disabled } = one.endpoint
  const state = one.failing > 0 ? 'failing' : 'dropped'
  const deliveries = `${portalPaths.endpoint(organizationId, endpointId)}?state=${state}#deliveries`
  return html`
<div><a class="id url" href="${deliveries}" data-testid="failing-deliveries">${breakableUrl(url)}</a> ${stateTag(disabled ? 'disabled' : 'failing')} ${demoShopMark(organizationId, url)}
<p>${failingDetails(organizationId, one)}</p></div>
${resendButtons(organizationId, one)}`
}

/** Returns the overview's list of what the clock brings next. */
export const dueNext = (organizationId: string, now: number, { scheduled, endpoints }: OverviewData): Html => html`
<section class="list" aria-labelledby="due"><div class="head"><h2 id="due">What comes next</h2><a href="${portalPaths.clock(organizationId)}">Clock</a></div>
${
  scheduled.length === 0
    ? html`<p class="quiet-line">Nothing waits for the clock.</p>`
    : html`<ol class="due">${scheduled.map(
        item =>
          html`<li data-testid="due-next"><span>${dueWords(organizationId, item, endpoints)}${item.transactionId === undefined ? '' : html` <a class="id whole" href="${portalPaths.payment(organizationId, item.transactionId)}">${shortId(item.transactionId)}</a>`}</span><span class="hint" title="${new Date(item.at).toISOString()}">${item.at <= now ? 'now' : `in ${formatDuration(item.at - now)}`}</span></li>`,
      )}</ol>`
}</section>`

/** What the clock brings, in words: a webhook by its type, with its endpoint and the number of the try. */
const dueWords = (
  organizationId: string,
  item: DueItem,
  endpoints: readonly { endpointId: string; url: string }[],
): Html | string => {
  const { delivery } = item
  if (!delivery) return scheduledWords(item)
  const { deliveryId, endpointId, message, attempts } = delivery
  const url = endpoints.find(one => one.endpointId === endpointId)?.url
  return html`<a href="${portalPaths.delivery(organizationId, deliveryId)}">Webhook ${breakable(message.type)}</a> to ${endpointLink(organizationId, endpointId, url)}, try ${attempts.length + 1}`
}

/** Returns the overview's list of the newest payments. */
export const newestPayments = (organizationId: string, { payments }: OverviewData): Html => html`
<section class="list" aria-labelledby="newest-payments"><div class="head"><h2 id="newest-payments">Newest payments</h2><a href="${portalPaths.payments(organizationId)}">All</a></div>
${
  payments.length === 0
    ? html`<p class="quiet-line">No payment yet.</p>`
    : html`<ol>${payments.map(
        payment =>
          html`<li data-testid="newest-payment"><span><a href="${portalPaths.payment(organizationId, payment.transactionId)}">${givenText(payment.clientTransactionId)}</a> <span class="hint">${payment.providerId}</span></span><span><span class="number">${money(payment.amount, payment.currency, 'en')}</span> ${paymentStateTag(payment)}</span></li>`,
      )}</ol>`
}</section>`

/** Returns the overview's list of the newest calls, as the journal shows them. */
export const newestCalls = (organizationId: string, { calls }: OverviewData): Html => html`
<section class="list wide" aria-labelledby="newest-calls"><div class="head"><h2 id="newest-calls">Newest calls</h2><a href="${portalPaths.journal(organizationId)}">Journal</a></div>
${calls.length === 0 ? html`<p class="quiet-line">No call yet, or none since the sandbox started.</p>` : html`<ol class="calls">${calls.map(call => journalRow(call, { journal: portalPaths.journal(organizationId) }))}</ol>`}</section>`

/** Returns the overview's list of keys and certificates that end within thirty days, or of the one that ends first. */
export const endingSoon = (
  organizationId: string,
  now: number,
  { keys, certificates, realNow }: OverviewData,
): Html => {
  const all = [
    ...keys
      .filter(({ state }) => state === 'active' || state === 'expiring')
      .map(({ keyId, expiresAt }) => ({
        kind: 'Signing key',
        id: keyId,
        end: expiresAt,
        left: Date.parse(expiresAt) - now,
      })),
    ...certificates
      .filter(({ state }) => state === 'valid')
      .map(({ fingerprint, validTo }) => ({
        kind: 'Certificate',
        id: fingerprint,
        end: validTo,
        left: Date.parse(validTo) - realNow,
      })),
  ].sort((a, b) => a.left - b.left)
  const soon = all.filter(({ left }) => left <= SOON)
  const shown = soon.length > 0 ? soon : all.slice(0, 1)
  const href = portalPaths.identities(organizationId)
  return html`
<section class="list" aria-labelledby="ending"><div class="head"><h2 id="ending">${soon.length > 0 || all.length === 0 ? 'Ends soon' : 'Ends first'}</h2><a href="${href}">Keys & certificates</a></div>
${
  all.length === 0
    ? html`<p class="quiet-line">No key signs and no certificate is trusted: every call is refused.</p>`
    : html`<ol>${shown.map(({ kind, id, end, left }) => html`<li data-testid="ending"><span>${kind} ${identifier(kind === 'Certificate' ? 'the fingerprint' : 'the key’s id', id, { href, shown: shortId(id) })}</span><span class="${left <= SOON ? 'tag late' : 'hint'}" title="${end}">in ${formatDuration(left)}</span></li>`)}</ol>`
}</section>`
}
