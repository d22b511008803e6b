import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import { deliveriesSection } from './deliveries-section.ts'
import { typeTicks } from './endpoint-form.ts'
import { field } from './form-fields.ts'
import { portalPage } from './frame.ts'
import { identifier } from './identifier.ts'
import { outcomeLine } from './outcome-line.ts'
import { controlPaths, portalPaths } from './paths.ts'
import type { OrganizationSummary } from './port.ts'
import { table } from './table.ts'
import { tag } from './tag.ts'
import { twin } from './twin.ts'
import type { Visit } from './visit.ts'
import type { DeliveryState, DeliveryView, EndpointView } from './webhooks-port.ts'

export type Webhooks = {
  types: readonly string[]
  endpoints: readonly EndpointView[]
  deliveries: readonly DeliveryView[]
  state: DeliveryState | undefined
}

/** Where the organization is told what happens, and what was sent there (6). */
export function webhooksPage(visit: Visit, organization: OrganizationSummary, webhooks: Webhooks): Html {
  const { say } = visit
  const { organizationId } = organization
  const { endpoints, deliveries, types, state } = webhooks
  const main = html`
<h1>${say('navWebhooks')}</h1>
<p class="lead">${say('hooksLead')} <a href="${portalPaths.inbox(organizationId)}" data-testid="open-inbox">${say('hooksInbox')}</a></p>
${outcomeLine(visit)}
<section aria-labelledby="endpoints"><h2 id="endpoints">${say('hooksEndpoints')}</h2>
${endpoints.length === 0 ? html`<p class="empty" data-testid="no-endpoints">${say('hooksNoEndpoints')}</p>` : endpointTable(visit, organizationId, endpoints)}
<details class="adder"${endpoints.length === 0 || visit.typed.url !== undefined ? html` open` : ''}><summary data-testid="open-add-endpoint">${say('hooksAdd')}</summary>
<form class="panel" method="post" action="${portalPaths.webhooks(organizationId)}">
${field(visit, { name: 'url', label: say('hooksUrl'), hint: say('hooksUrlHint'), placeholder: 'http://localhost:3000/webhooks', isNeeded: true })}
${typeTicks(visit, types, [])}
<button class="button" data-testid="add-endpoint">${say('hooksAddNow')}</button>
</form></details>
${twin(visit, { method: 'POST', path: controlPaths.webhooks(organizationId), body: { url: 'http://localhost:3000/webhooks' } }, endpoints.length === 0)}
</section>
${deliveriesSection(visit, organizationId, { deliveries, state, path: portalPaths.webhooks(organizationId) })}`
  return portalPage(say, { title: say('navWebhooks'), section: 'webhooks', organization, main })
}

const endpointTable = ({ say }: Visit, organizationId: string, endpoints: readonly EndpointView[]): Html =>
  table(
    say('hooksEndpoints'),
    [say('hooksUrl'), say('hooksTypes'), say('portalState'), say('hooksEndpointId')],
    endpoints.map(({ endpointId, url, types, disabled }) => ({
      testId: 'endpoint-row',
      cells: [
        html`<a class="id" href="${portalPaths.endpoint(organizationId, endpointId)}">${url}</a>`,
        types
          ? html`<span class="stack">${types.map(type => html`<code>${type}</code>`)}</span>`
          : say('hooksAllTypes'),
        tag(say, disabled ? 'disabled' : 'enabled'),
        identifier(say, endpointId, { shown: `${endpointId.slice(0, 8)}…` }),
      ],
    })),
  )
