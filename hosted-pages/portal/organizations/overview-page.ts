import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { paths } from '../../shopper-paths.ts'
import { controlPaths } from '../control-api-paths.ts'
import { formMessage } from '../forms/form-message.ts'
import { table } from '../layout/data-table.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { timestamp } from '../layout/formatted-values.ts'
import { identifier } from '../layout/identifier.ts'
import { stateTag } from '../layout/key-and-webhook-state-tag.ts'
import type { PageContext } from '../layout/page-context.ts'
import { portalPage } from '../layout/portal-page.ts'
import type { Organization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'

/** Counts that the portal's overview of an organization shows. */
export type OverviewData = {
  keys: readonly { state: string; expiresAt: string }[]
  endpoints: number
  deliveries: readonly { state: string }[]
}

/**
 * Returns the portal's overview page of one organization: counts, its accounts, and how to call the API in its name.
 */
export function overviewPage(context: PageContext, organization: Organization, data: OverviewData): Html {
  const { organizationId, accountIds } = organization
  const main = html`
<h1>${organizationId}</h1>
${formMessage(context)}
<div class="cards">${figures(organizationId, data)}</div>
<section aria-labelledby="accounts"><h2 id="accounts">Processing accounts</h2>
${table(
  'Processing accounts',
  ['processingAccountId', 'Capabilities'],
  accountIds.map(accountId => ({
    testId: 'account-row',
    cells: [
      identifier(accountId),
      html`<a href="${portalPaths.capabilities(organizationId)}?account=${encodeURIComponent(accountId)}">What BLIK and IRIS can do here</a>`,
    ],
  })),
)}</section>
<section aria-labelledby="begin"><h2 id="begin">Call the API</h2>
<ol class="todo">
<li>Take the kit: certificate, keys and addresses. <a href="${controlPaths.kitFolder(organizationId)}" download="${organizationId}-kit.zip" data-testid="download-kit-folder">Download the kit as a folder (zip)</a> or <a href="${controlPaths.kit(organizationId)}" download="${organizationId}-kit.json" data-testid="download-kit">as one file (JSON)</a></li>
<li>Start a payment and play its shopper. <a href="${paths.blik(organizationId)}" data-testid="portal-phone">Open the BLIK phone</a></li>
<li>Watch every call and its answer. <a href="${portalPaths.journal(organizationId)}">Journal</a></li>
</ol>
${equivalentCurl(context, { path: controlPaths.kit(organizationId) })}
</section>`
  return portalPage({ title: organizationId, section: 'overview', organization, main })
}

const figures = (organizationId: string, { keys, endpoints, deliveries }: OverviewData): Html => {
  const live = keys.filter(({ state }) => state === 'active' || state === 'expiring')
  const next = live.map(({ expiresAt }) => expiresAt).sort()[0]
  const failed = deliveries.filter(({ state }) => state === 'dropped').length
  return html`
<a class="figure" href="${portalPaths.identities(organizationId)}"><b>${live.length}</b> signing keys in use<span>${next ? html`the first ends ${timestamp(next)}` : 'nothing can be signed'}</span></a>
<a class="figure" href="${portalPaths.webhooks(organizationId)}"><b>${endpoints}</b> webhook endpoints<span>${endpoints === 0 ? 'the inbox keeps everything meanwhile' : `${deliveries.length} deliveries`}</span></a>
${failed > 0 ? html`<a class="figure" href="${portalPaths.webhooks(organizationId)}?state=dropped"><b>${failed}</b> deliveries given up<span>${stateTag('dropped')}</span></a>` : ''}`
}
