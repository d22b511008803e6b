import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import { confirm } from './confirm.ts'
import { deliveriesSection } from './deliveries-section.ts'
import { typeTicks } from './endpoint-form.ts'
import { choice, field } from './form-fields.ts'
import { portalPage } from './frame.ts'
import { copyButton, identifier } from './identifier.ts'
import { instant } from './instant.ts'
import { outcomeLine } from './outcome-line.ts'
import { controlPaths, portalPaths } from './paths.ts'
import type { OrganizationSummary } from './port.ts'
import { tag } from './tag.ts'
import { twin } from './twin.ts'
import type { Visit } from './visit.ts'
import type { DeliveryState, DeliveryView, EndpointView } from './webhooks-port.ts'

export type OneEndpoint = {
  types: readonly string[]
  endpoint: EndpointView
  deliveries: readonly DeliveryView[]
  state: DeliveryState | undefined
}

/** One endpoint: tried out, changed, its secrets, sent to once more, given up. */
export function endpointPage(visit: Visit, organization: OrganizationSummary, one: OneEndpoint): Html {
  const { say } = visit
  const { organizationId } = organization
  const { endpoint, types, deliveries, state } = one
  const here = portalPaths.endpoint(organizationId, endpoint.endpointId)
  const control = controlPaths.endpoint(organizationId, endpoint.endpointId)
  const main = html`
<h1 class="address">${endpoint.url}</h1>
${outcomeLine(visit)}
<dl class="facts-list">
<div><dt>${say('portalState')}</dt><dd>${tag(say, endpoint.disabled ? 'disabled' : 'enabled')} ${endpoint.disabled ? html`<span lang="en">${endpoint.disabled.reason}</span>` : ''}</dd></div>
<div><dt>${say('hooksEndpointId')}</dt><dd>${identifier(say, endpoint.endpointId)}</dd></div>
<div><dt>${say('hooksSecrets')}</dt><dd class="stack">${secrets(visit, endpoint)}</dd></div>
</dl>
<div class="row">
<form method="post" action="${here}/test"><button class="button" data-testid="test-endpoint">${say('hooksTest')}</button></form>
${endpoint.disabled ? html`<form method="post" action="${here}/enable"><button class="button quiet" data-testid="enable-endpoint">${say('hooksEnable')}</button></form>` : html`<form method="post" action="${here}/disable"><button class="button quiet" data-testid="disable-endpoint">${say('hooksDisable')}</button></form>`}
</div>
${twin(visit, { method: 'POST', path: `${control}/test` })}
${deliveriesSection(visit, organizationId, { deliveries, state, path: here })}
<section aria-labelledby="change"><h2 id="change">${say('hooksSettings')}</h2>
${changes(visit, endpoint, types, here)}
${twin(visit, { method: 'PATCH', path: control, body: { types: ['PAYMENT_CAPTURE'] } })}
</section>
<p class="back"><a href="${portalPaths.webhooks(organizationId)}">${say('hooksBack')}</a></p>`
  return portalPage(say, { title: endpoint.url, section: 'webhooks', organization, main })
}

const secrets = ({ say }: Visit, { secrets }: EndpointView): Html[] =>
  secrets.map(
    ({ secret, until }) =>
      html`<details class="secret"><summary data-testid="show-secret"><code>${secret.slice(0, 10)}…</code> ${until ? html`${say('hooksUntil')} ${instant(until)}` : say('hooksCurrent')}</summary><code class="id" data-testid="secret">${secret}</code>${copyButton(say, secret)}</details>`,
  )

const changes = (visit: Visit, endpoint: EndpointView, types: readonly string[], here: string): Html => {
  const { say } = visit
  return html`
<details class="adder"${visit.typed.url === undefined ? '' : html` open`}><summary data-testid="open-change-endpoint">${say('hooksChange')}</summary>
<form class="panel" method="post" action="${here}/change">
${field(visit, { name: 'url', label: say('hooksUrl'), value: endpoint.url, isNeeded: true })}
${typeTicks(visit, types, endpoint.types ?? [])}
<button class="button" data-testid="change-endpoint">${say('hooksSave')}</button>
</form></details>
<details class="adder"><summary data-testid="open-rotate-secret">${say('hooksRotate')}</summary>
<form class="panel" method="post" action="${here}/rotate">
<p>${say('hooksRotateNote')}</p>
${choice({
  name: 'overlap',
  label: say('hooksOverlap'),
  chosen: 'PT24H',
  options: [
    ['PT24H', say('hooks24h')],
    ['PT1H', say('hooks1h')],
    ['PT0S', say('hooksAtOnce')],
  ],
})}
<button class="button" data-testid="rotate-secret">${say('hooksRotateNow')}</button>
</form></details>
<details class="adder"><summary data-testid="open-replay">${say('hooksReplay')}</summary>
<form class="panel" method="post" action="${here}/replay">
<p>${say('hooksReplayNote')}</p>
${choice({
  name: 'last',
  label: say('hooksLast'),
  options: [
    ['PT1H', say('hooks1h')],
    ['PT24H', say('hooks24h')],
    ['P7D', say('hooks7d')],
  ],
})}
<button class="button" data-testid="replay">${say('hooksReplayNow')}</button>
</form></details>
${confirm(
  say('hooksDelete'),
  say('hooksDeleteWarning'),
  html`<form method="post" action="${here}/delete"><button class="button danger" data-testid="delete-endpoint">${say('hooksDeleteNow')}</button></form>`,
)}`
}
