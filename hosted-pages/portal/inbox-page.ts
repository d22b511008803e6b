import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import { lines, pretty } from './delivery-page.ts'
import { portalPage } from './frame.ts'
import { copyButton, identifier } from './identifier.ts'
import { instant } from './instant.ts'
import { outcomeLine } from './outcome-line.ts'
import { controlPaths, portalPaths } from './paths.ts'
import type { OrganizationSummary } from './port.ts'
import { twin } from './twin.ts'
import type { Visit } from './visit.ts'
import type { MessageView } from './webhooks-port.ts'

export type Inbox = { secret: string; messages: readonly MessageView[] }

/** What would have arrived at a server of the merchant's, for those who have none yet (6). */
export function inboxPage(visit: Visit, organization: OrganizationSummary, { secret, messages }: Inbox): Html {
  const { say } = visit
  const { organizationId } = organization
  const path = controlPaths.inbox(organizationId)
  const main = html`
<h1>${say('hooksInboxTitle')}</h1>
<p class="lead">${say('hooksInboxLead')}</p>
${outcomeLine(visit)}
<dl class="facts-list"><div><dt>${say('hooksSecrets')}</dt><dd><details class="secret"><summary><code>${secret.slice(0, 10)}…</code></summary><code class="id">${secret}</code>${copyButton(say, secret)}</details></dd></div></dl>
${messages.length === 0 ? html`<p class="empty" data-testid="no-messages">${say('hooksNoMessages')}</p>` : html`<ol class="tries">${messages.map(message => messageOf(visit, organizationId, message))}</ol>`}
${twin(visit, { path: `${path}/wait?type=PAYMENT_CAPTURE&atMost=PT10S` }, messages.length === 0)}
${messages.length === 0 ? '' : html`<form class="row" method="post" action="${portalPaths.inbox(organizationId)}/clear"><button class="button quiet" data-testid="clear-inbox">${say('hooksClear')}</button></form>`}
<p class="back"><a href="${portalPaths.webhooks(organizationId)}">${say('hooksBack')}</a></p>`
  return portalPage(say, { title: say('hooksInboxTitle'), section: 'webhooks', organization, main })
}

const messageOf = (
  { say }: Visit,
  organizationId: string,
  { at, type, transactionId, target, headers, body }: MessageView,
): Html => html`
<li data-testid="message"><details><summary>${instant(at)} <code>${type}</code></summary>
<p>${identifier(say, transactionId, { href: portalPaths.payment(organizationId, transactionId) })}</p>
<div class="exchange">
<figure class="pem"><figcaption>${say('hooksRequest')}</figcaption><pre tabindex="0" aria-label="${say('hooksRequest')}">POST ${target}
${lines(headers)}</pre></figure>
<figure class="pem"><figcaption>${say('hooksBody')} ${copyButton(say, body)}</figcaption><pre tabindex="0" aria-label="${say('hooksBody')}">${pretty(body)}</pre></figure>
</div></details></li>`
