import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import { portalPage } from './frame.ts'
import { copyButton, identifier } from './identifier.ts'
import { instant } from './instant.ts'
import { outcomeLine } from './outcome-line.ts'
import { controlPaths, portalPaths } from './paths.ts'
import type { OrganizationSummary } from './port.ts'
import { tag } from './tag.ts'
import { twin } from './twin.ts'
import type { Visit } from './visit.ts'
import type { AttemptView, DeliveryView } from './webhooks-port.ts'

/** In which stage a delivery is, for the page that waits for its next try. */
export const stageOf = ({ state, attempts }: DeliveryView): string => `${state}-${attempts.length}`

/** One notification on its way to one endpoint, try by try: what went out and what came back. */
export function deliveryPage(visit: Visit, organization: OrganizationSummary, delivery: DeliveryView): Html {
  const { say } = visit
  const { organizationId } = organization
  const { deliveryId, endpointId, type, state, transactionId, dueAt, body, attempts } = delivery
  const here = portalPaths.delivery(organizationId, deliveryId)
  const main = html`
<div data-live="${here}/live" data-stage="${stageOf(delivery)}">
<h1 tabindex="-1"><code>${type}</code></h1>
${outcomeLine(visit)}
<dl class="facts-list">
<div><dt>${say('portalState')}</dt><dd><span data-testid="delivery-state">${tag(say, state)}</span> ${dueAt === undefined ? '' : html`${say('hooksNextTry')} ${instant(dueAt)}`}</dd></div>
<div><dt>${say('hooksDeliveryId')}</dt><dd>${identifier(say, deliveryId)}</dd></div>
<div><dt>${say('hooksEndpoint')}</dt><dd><a href="${portalPaths.endpoint(organizationId, endpointId)}" class="id">${endpointId}</a></dd></div>
${transactionId === '' ? '' : html`<div><dt>${say('hooksAbout')}</dt><dd>${identifier(say, transactionId, { href: portalPaths.payment(organizationId, transactionId) })}</dd></div>`}
</dl>
<div class="row"><form method="post" action="${here}/resend"><button class="button" data-testid="resend">${say('hooksResend')}</button></form></div>
${twin(visit, { method: 'POST', path: `${controlPaths.delivery(organizationId, deliveryId)}/resend` })}
<figure class="pem"><figcaption>${say('hooksBody')} ${copyButton(say, body)}</figcaption><pre tabindex="0" aria-label="${say('hooksBody')}" data-testid="delivery-body">${pretty(body)}</pre></figure>
<h2>${say('hooksTries')}</h2>
${attempts.length === 0 ? html`<p class="empty">${say('hooksNoTries')}</p>` : html`<ol class="tries">${attempts.map((attempt, at) => tryOf(visit, attempt, at === attempts.length - 1))}</ol>`}
</div>`
  return portalPage(say, { title: type, section: 'webhooks', organization, main })
}

const tryOf = (
  { say }: Visit,
  { at, durationMilliseconds, request, answer, error }: AttemptView,
  isLast: boolean,
): Html => html`
<li data-testid="attempt"><details${isLast ? html` open` : ''}><summary>${instant(at)} <span class="tag ${isGood(answer) ? 'good' : 'bad'}">${answer?.status ?? say('hooksNoAnswer')}</span> <span class="number">${durationMilliseconds} ms</span></summary>
<div class="exchange">
<figure class="pem"><figcaption>${say('hooksRequest')}</figcaption><pre tabindex="0" aria-label="${say('hooksRequest')}">${request.method} ${request.url}
${lines(request.headers)}</pre></figure>
<figure class="pem"><figcaption>${say('hooksAnswer')}</figcaption><pre tabindex="0" aria-label="${say('hooksAnswer')}">${answer ? `${answer.status}\n${lines(answer.headers)}\n\n${answer.body}` : (error ?? '')}</pre></figure>
</div></details></li>`

const isGood = (answer: AttemptView['answer']): boolean =>
  answer !== undefined && answer.status >= 200 && answer.status < 300

export const lines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** The body to be read; signed is what the copy button gives. */
export const pretty = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
