import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { controlPaths } from '../control-api-paths.ts'
import { confirmedForm } from '../forms/form-fields.ts'
import { formMessage } from '../forms/form-message.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { givenText, prettyJson, timestamp } from '../layout/formatted-values.ts'
import { copyButton, identifier } from '../layout/identifier-with-copy-button.ts'
import { portalPage } from '../layout/portal-page.ts'
import { shortId } from '../layout/short-id.ts'
import type { Organization } from '../organizations/organization-lookup.ts'
import { paymentStateTag } from '../payments/payments-page.ts'
import { portalPaths } from '../portal-paths.ts'
import { lines } from './delivery-page.ts'

/** A notification of the inbox as the portal shows it: as it would have arrived at the merchant's server. */
export type InboxMessage = {
  message: { dueAt: number; type: string; transactionId: string; clientTransactionId: string; body: string }
  target: string
  headers: Readonly<Record<string, string>>
}
/** `secret` is in full where `isSecretShown`: to whoever may do more than look. */
export type Inbox = { secret: string; isSecretShown: boolean; messages: readonly InboxMessage[] }

/**
 * Returns the portal's inbox page: notifications as they would have arrived, for merchants that have no server yet (6).
 */
export function inboxPage(
  context: PageRequestData,
  organization: Organization,
  { secret, isSecretShown, messages }: Inbox,
): Html {
  const { organizationId } = organization
  const path = controlPaths.inbox(organizationId)
  const short = html`<code>${secret.slice(0, 10)}…</code>`
  const main = html`
<h1>Inbox</h1>
<p class="lead">What your server would have received, signed as for it. Tests can wait for one message with the line below.</p>
${formMessage(context)}
<dl class="facts-list"><div><dt>Secrets</dt><dd>${isSecretShown ? html`<details class="secret"><summary>${short}</summary><code class="id">${secret}</code>${copyButton('the secret', secret)}</details>` : short}</dd></div></dl>
<div id="messages" data-live="webhooks clock">
${messages.length === 0 ? html`<p class="empty" data-testid="no-messages">The inbox is empty: start a payment, and its notifications arrive here.</p>` : html`<ol class="details-list">${messages.map(message => messageOf(organizationId, message))}</ol>`}
</div>
${equivalentCurl(context, { path: `${path}/wait?type=PAYMENT_CAPTURE&atMost=PT10S` }, messages.length === 0)}
<div id="clear" data-live="webhooks">${messages.length === 0 ? '' : confirmedForm('Clear the inbox', 'Its messages are gone for every test and person that reads this inbox; what is sent to endpoints goes on.', html`<form method="post" action="${portalPaths.inbox(organizationId)}/clear"><button class="button danger" data-testid="clear-inbox">Clear it</button></form>`)}</div>
<p class="back"><a href="${portalPaths.webhooks(organizationId)}">All webhooks</a></p>`
  return portalPage({ title: 'Inbox', section: 'webhooks', organization, main })
}

const messageOf = (
  organizationId: string,
  { message: { dueAt, type, transactionId, clientTransactionId, body }, target, headers }: InboxMessage,
): Html => html`
<li data-testid="message"><details id="${headers['webhook-id']}"><summary><span class="message-line">${timestamp(dueAt)} <code>${type}</code> <span>${givenText(clientTransactionId)} <span class="hint">${shortId(transactionId)}</span></span> ${stateIn(body)}</span></summary>
<p>${identifier('the payment’s id', transactionId, { href: portalPaths.payment(organizationId, transactionId) })}</p>
<div class="exchange">
<figure class="pem"><figcaption>Request</figcaption><pre tabindex="0" aria-label="Request">POST ${target}
${lines(headers)}</pre></figure>
<figure class="pem"><figcaption>Body ${copyButton('the body', body)}</figcaption><pre tabindex="0" aria-label="Body">${prettyJson(body)}</pre></figure>
</div></details></li>`

/** Returns the state of the payment that a notification tells, or its status; nothing where a dialect says it otherwise. */
const stateIn = (body: string): Html | '' => {
  const status = /"status"\s*:\s*"([A-Z]+)"/.exec(body)?.[1]
  const state = /"lifecycle"\s*:\s*\{\s*"state"\s*:\s*"([A-Z_]+)"/.exec(body)?.[1] ?? status
  return status === undefined || state === undefined ? '' : paymentStateTag({ status, state })
}
