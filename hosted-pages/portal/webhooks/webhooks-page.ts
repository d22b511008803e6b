import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { controlPaths } from '../control-api-paths.ts'
import { field } from '../forms/form-fields.ts'
import { formMessage } from '../forms/form-message.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { table } from '../layout/data-table.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { identifier } from '../layout/identifier-with-copy-button.ts'
import { stateTag } from '../layout/key-and-webhook-state-tag.ts'
import { portalPage } from '../layout/portal-page.ts'
import { shortId } from '../layout/short-id.ts'
import type { Organization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import { type DeliveryList, deliveriesSection } from './deliveries-section.ts'
import { type EndpointView, typeBoxes } from './endpoint-forms.ts'
import { breakableUrl, demoShopMark } from './endpoint-name.ts'
import { type FailingEndpoint, failingDetails, resendButtons } from './failing-endpoints.ts'

export type Webhooks = {
  types: readonly string[]
  endpoints: readonly EndpointView[]
  failing: readonly FailingEndpoint[]
  list: DeliveryList
}

/** Returns the portal page of the webhook endpoints of an organization and its deliveries (6). */
export function webhooksPage(context: PageRequestData, organization: Organization, webhooks: Webhooks): Html {
  const { organizationId } = organization
  const { endpoints, failing, list, types } = webhooks
  const main = html`
<h1>Webhooks</h1>
<p class="lead">Every change of a payment is sent to each endpoint, signed. Without a server of your own, read the <a href="${portalPaths.inbox(organizationId)}" data-testid="open-inbox">built-in inbox</a>.</p>
${formMessage(context)}
<section aria-labelledby="endpoints"><h2 id="endpoints">Endpoints</h2>
<div id="endpoint-list" data-live="webhooks">
${endpoints.length === 0 ? html`<p class="empty" data-testid="no-endpoints">Nothing is sent out yet. Add the address of your server; http and private networks are fine.</p>` : endpointTable(organizationId, endpoints, failing)}
</div>
<details class="form-details"${endpoints.length === 0 || context.typed.url !== undefined ? html` open` : ''}><summary data-testid="open-add-endpoint">Add an endpoint</summary>
<form class="panel" method="post" action="${portalPaths.webhooks(organizationId)}">
${field(context, { name: 'url', label: 'Address', hint: 'Where notifications are posted to. It should respond with 2xx within seconds.', placeholder: 'http://localhost:3000/webhooks', isNeeded: true })}
${typeBoxes(types, context.types ?? [])}
<button class="button" data-testid="add-endpoint">Add the endpoint</button>
</form></details>
${equivalentCurl(context, { method: 'POST', path: controlPaths.webhooks(organizationId), body: { url: 'http://localhost:3000/webhooks' } }, endpoints.length === 0)}
</section>
${deliveriesSection(context, organizationId, list, { path: portalPaths.webhooks(organizationId), addresses: new Map(endpoints.map(({ endpointId, url }) => [endpointId, url])) })}`
  return portalPage({ title: 'Webhooks', section: 'webhooks', organization, main, more: ['list-filter-forms.css'] })
}

const endpointTable = (
  organizationId: string,
  endpoints: readonly EndpointView[],
  failing: readonly FailingEndpoint[],
): Html =>
  table(
    'Endpoints',
    ['Address', 'Types', 'State', 'Endpoint id'],
    endpoints.map(({ endpointId, url, types, disabled }) => {
      const fails = failing.find(({ endpoint }) => endpoint.endpointId === endpointId)
      return {
        testId: 'endpoint-row',
        cells: [
          html`<span class="stack"><a class="id url" href="${portalPaths.endpoint(organizationId, endpointId)}">${breakableUrl(url)}</a>${demoShopMark(organizationId, url)}</span>`,
          types
            ? html`<span class="stack">${types.map(type => html`<code class="whole">${type}</code>`)}</span>`
            : 'all',
          fails
            ? html`<span class="stack failing">${stateTag(disabled ? 'disabled' : 'failing')}<span class="hint">${failingDetails(organizationId, fails)}</span>${disabled ? '' : resendButtons(organizationId, fails)}</span>`
            : stateTag('enabled'),
          identifier('the endpoint’s id', endpointId, { shown: shortId(endpointId) }),
        ],
      }
    }),
  )
