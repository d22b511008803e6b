import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { controlPaths } from '../control-api-paths.ts'
import { formMessage } from '../forms/form-message.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { timestamp } from '../layout/formatted-values.ts'
import { copyButton, identifier } from '../layout/identifier-with-copy-button.ts'
import { stateTag } from '../layout/key-and-webhook-state-tag.ts'
import { portalPage } from '../layout/portal-page.ts'
import type { Organization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import { type DeliveryList, deliveriesSection } from './deliveries-section.ts'
import { type EndpointView, endpointForms } from './endpoint-forms.ts'
import { breakableUrl, demoShopMark } from './endpoint-name.ts'
import { type FailingEndpoint, failingDetails } from './failing-endpoints.ts'

type OneEndpoint = {
  types: readonly string[]
  endpoint: EndpointView
  failing: FailingEndpoint | undefined
  list: DeliveryList
}

/**
 * Returns the portal page of one webhook endpoint: state, secrets, deliveries, and forms to test, change, delete it.
 */
export function endpointPage(context: PageRequestData, organization: Organization, one: OneEndpoint): Html {
  const { organizationId } = organization
  const { endpoint, types, failing, list } = one
  const here = portalPaths.endpoint(organizationId, endpoint.endpointId)
  const control = controlPaths.endpoint(organizationId, endpoint.endpointId)
  const main = html`
<h1 class="address url">${breakableUrl(endpoint.url)} ${demoShopMark(organizationId, endpoint.url)}</h1>
${formMessage(context)}
<dl class="facts-list" id="endpoint" data-live="webhooks">
<div><dt>State</dt><dd>${stateTag(endpoint.disabled ? 'disabled' : failing ? 'failing' : 'enabled')} ${failing ? failingDetails(organizationId, failing) : ''}</dd></div>
<div><dt>Endpoint id</dt><dd>${identifier('the endpoint’s id', endpoint.endpointId)}</dd></div>
<div><dt>Secrets</dt><dd class="stack">${secrets(endpoint)}</dd></div>
</dl>
<div class="row" id="endpoint-acts" data-live="webhooks">
${endpoint.disabled ? html`<form method="post" action="${here}/enable"><button class="button" data-testid="enable-endpoint">Enable</button></form>` : html`<form method="post" action="${here}/test"><button class="button" data-testid="test-endpoint">Send a test</button></form><form method="post" action="${here}/disable"><button class="button quiet" data-testid="disable-endpoint">Disable</button></form>`}
</div>
${endpoint.disabled ? '' : equivalentCurl(context, { method: 'POST', path: `${control}/test` })}
${deliveriesSection(context, organizationId, list, { path: here, addresses: new Map([[endpoint.endpointId, endpoint.url]]) })}
<section aria-labelledby="change"><h2 id="change">Settings</h2>
${endpointForms(context, endpoint, types, here)}
${equivalentCurl(context, { method: 'PATCH', path: control, body: { types: ['PAYMENT_CAPTURE'] } })}
</section>
<p class="back"><a href="${portalPaths.webhooks(organizationId)}">All webhooks</a></p>`
  return portalPage({ title: endpoint.url, section: 'webhooks', organization, main, more: ['list-filter-forms.css'] })
}

const secrets = ({ secrets }: EndpointView): Html[] =>
  secrets.map(
    ({ secret, until }) =>
      html`<details class="secret"><summary data-testid="show-secret"><code>${secret.slice(0, 10)}…</code> ${until ? html`signs too, until ${timestamp(until)}` : 'signs now'}</summary><code class="id" data-testid="secret">${secret}</code>${copyButton('the secret', secret)}</details>`,
  )
