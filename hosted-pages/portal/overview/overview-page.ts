import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { paths } from '../../shopper-paths.ts'
import { controlPaths } from '../control-api-paths.ts'
import { formMessage } from '../forms/form-message.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { table } from '../layout/data-table.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { identifier } from '../layout/identifier-with-copy-button.ts'
import { portalPage } from '../layout/portal-page.ts'
import type { Organization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import { activityCharts } from './activity-charts.ts'
import { dueNext, endingSoon, failingEndpoints, newestCalls, newestPayments } from './overview-lists.ts'
import type { OverviewData } from './overview-types.ts'

/**
 * Returns the portal's overview page of one organization: what fails, calls and payments over time, what is due, what
 * is new, and how to call the API in its name, which comes first while nothing has happened.
 */
export function overviewPage(context: PageRequestData, organization: Organization, data: OverviewData): Html {
  const { organizationId, now } = organization
  const here = portalPaths.overview(organizationId)
  const isNew = data.payments.length === 0 && data.calls.length === 0
  const main = html`
<h1>${organizationId}</h1>
${formMessage(context)}
${isNew ? begin(context, organizationId, data) : ''}
<div id="overview" data-live="calls payments webhooks clock keys">
${failingEndpoints(organizationId, data.failing)}
${activityCharts(here, data.statistics)}
<div class="lists">
${newestPayments(organizationId, data)}
${dueNext(organizationId, now, data)}
${webhooks(organizationId, data)}
${endingSoon(organizationId, now, data)}
${newestCalls(organizationId, data)}
</div></div>
${equivalentCurl(context, { path: `${controlPaths.statistics(organizationId)}?span=${data.statistics.span}` })}
${accounts(organization)}
${isNew ? '' : begin(context, organizationId, data)}`
  return portalPage({
    title: organizationId,
    section: 'overview',
    organization,
    main,
    more: ['overview.css'],
  })
}

const webhooks = (organizationId: string, { endpoints, counts }: OverviewData): Html => {
  const sum = (state: string) => counts.filter(one => one.state === state).reduce((all, one) => all + one.count, 0)
  return html`
<section class="list" aria-labelledby="hooks"><div class="head"><h2 id="hooks">Webhooks</h2><a href="${portalPaths.webhooks(organizationId)}" data-testid="overview-webhooks">All</a></div>
${
  endpoints.length === 0
    ? html`<p class="quiet-line">No endpoint: the <a href="${portalPaths.inbox(organizationId)}">inbox</a> keeps everything.</p>`
    : html`<ol><li><span>Endpoints</span> <b class="number">${endpoints.length}</b></li>
<li><span>Delivered</span> <b class="number">${sum('delivered')}</b></li>
<li><span>On their way</span> <b class="number">${sum('waiting')}</b></li>
<li><span>Given up</span> <b class="number">${sum('dropped')}</b></li></ol>`
}</section>`
}

const accounts = ({ organizationId, accountIds }: Organization): Html => html`
<section aria-labelledby="accounts"><h2 id="accounts">Processing accounts</h2>
${table(
  'Processing accounts',
  ['processingAccountId', 'Payments', 'Capabilities'],
  accountIds.map(accountId => ({
    testId: 'account-row',
    cells: [
      identifier('the account’s id', accountId),
      html`<a href="${portalPaths.payments(organizationId)}?accountId=${encodeURIComponent(accountId)}">Its payments</a>`,
      html`<a href="${portalPaths.capabilities(organizationId)}?account=${encodeURIComponent(accountId)}">What BLIK and IRIS can do here</a>`,
    ],
  })),
)}</section>`

const begin = (context: PageRequestData, organizationId: string, { hasShop, apiUrl }: OverviewData): Html => html`
<section aria-labelledby="begin"><h2 id="begin">Call the API</h2>
<p class="lead" data-testid="overview-api">It is at ${identifier('the API’s address', apiUrl)} and described in <a href="${controlPaths.apiReference(organizationId)}">openapi.yaml</a>. Control is where these pages are, described in <a href="${paths.controlReference}">control/openapi.yaml</a>.</p>
<ol class="todo">
<li>Take the kit: certificate, keys and addresses. <a href="${controlPaths.kitFolder(organizationId)}" download="${organizationId}-kit.zip" data-testid="download-kit-folder">Download the kit as a folder (zip)</a> or <a href="${controlPaths.kit(organizationId)}" download="${organizationId}-kit.json" data-testid="download-kit">as one file (JSON)</a></li>
<li>Start a payment and play its shopper. <a href="${paths.blik(organizationId)}" data-testid="portal-phone">Open the BLIK phone</a>${hasShop ? html` Or buy in a shop that is integrated already. <a href="${paths.shop(organizationId)}" data-testid="portal-shop">Open its demo shop</a>` : ''}</li>
<li>Watch every call and its response. <a href="${portalPaths.journal(organizationId)}">Journal</a></li>
</ol>
${equivalentCurl(context, { path: controlPaths.kit(organizationId) })}
</section>`
