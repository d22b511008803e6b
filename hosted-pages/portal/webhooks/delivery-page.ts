import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { controlPaths } from '../control-api-paths.ts'
import { formMessage } from '../forms/form-message.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { prettyJson, timestamp } from '../layout/formatted-values.ts'
import { copyButton, identifier } from '../layout/identifier-with-copy-button.ts'
import { stateTag } from '../layout/key-and-webhook-state-tag.ts'
import { portalPage } from '../layout/portal-page.ts'
import { shortId } from '../layout/short-id.ts'
import type { Organization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import { type DeliveryAttempt, type DeliveryView, shownState } from './delivery-view.ts'
import { demoShopMark } from './endpoint-name.ts'
import { deliveryOutcome } from './resend-outcome.ts'

/** Returns the portal page of one delivery of a notification, attempt by attempt: request and response. */
export function deliveryPage(
  context: PageRequestData,
  organization: Organization,
  delivery: DeliveryView,
  { url, asked }: { url: string | undefined; asked: 'test' | 'resend' | undefined },
): Html {
  const { organizationId } = organization
  const { deliveryId, endpointId, dueAt, attempts, message } = delivery
  const { type, transactionId, body } = message
  const here = portalPaths.delivery(organizationId, deliveryId)
  const main = html`
<h1><code>${type}</code></h1>
${formMessage(context)}
${asked ? deliveryOutcome(delivery, asked) : ''}
<dl class="facts-list" id="delivery" data-live="webhooks">
<div><dt>State</dt><dd><span data-testid="delivery-state">${stateTag(shownState(delivery))}</span> ${dueAt === undefined ? '' : html`next try ${timestamp(dueAt)}`}</dd></div>
<div><dt>Delivery id</dt><dd>${identifier('the delivery’s id', deliveryId)}</dd></div>
<div><dt>Endpoint</dt><dd><a href="${portalPaths.endpoint(organizationId, endpointId)}" class="id">${url ?? `deleted, ${shortId(endpointId)}`}</a> ${url === undefined ? '' : demoShopMark(organizationId, url)}</dd></div>
${transactionId === '' ? '' : html`<div><dt>Payment</dt><dd>${identifier('the payment’s id', transactionId, { href: portalPaths.payment(organizationId, transactionId) })}</dd></div>`}
</dl>
<div class="row"><form method="post" action="${here}/resend"><button class="button" data-testid="resend">Send it again</button></form></div>
${equivalentCurl(context, { method: 'POST', path: `${controlPaths.delivery(organizationId, deliveryId)}/resend` })}
<figure class="pem"><figcaption>Body ${copyButton('the body', body)}</figcaption><pre tabindex="0" aria-label="Body" data-testid="delivery-body">${prettyJson(body)}</pre></figure>
<div id="tries" data-live="webhooks">
<h2>Tries</h2>
${attempts.length === 0 ? html`<p class="empty">Not tried yet: this page shows the first try as soon as it has happened.</p>` : html`<ol class="details-list">${attempts.map((attempt, at) => attemptItem(attempt, at + 1, at === attempts.length - 1))}</ol>`}
</div>`
  return portalPage({ title: type, section: 'webhooks', organization, main })
}

const attemptItem = (
  { at, durationMilliseconds, request, response, error }: DeliveryAttempt,
  number: number,
  isLast: boolean,
): Html => html`
<li data-testid="attempt"><details id="try-${number}"${isLast ? html` open` : ''}><summary>${timestamp(at)} <span class="tag ${isGood(response) ? 'good' : 'bad'}">${response?.status ?? 'no response'}</span> <span class="number">${durationMilliseconds} ms</span></summary>
<div class="exchange">
<figure class="pem"><figcaption>Request</figcaption><pre tabindex="0" aria-label="Request">${request.method} ${request.url}
${lines(request.headers)}</pre></figure>
<figure class="pem"><figcaption>Response</figcaption><pre tabindex="0" aria-label="Response">${response ? `${response.status}\n${lines(response.headers)}\n\n${response.body}` : (error ?? '')}</pre></figure>
</div></details></li>`

const isGood = (response: DeliveryAttempt['response']): boolean =>
  response !== undefined && response.status >= 200 && response.status < 300

/** Formats the HTTP headers of a delivery as lines. */
export const lines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
