import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { type OrganizationPage, organizationSearch, pagination } from '../../organization-search-and-pagination.ts'
import { english } from '../../text-lookup-by-language.ts'
import { controlPaths } from '../control-api-paths.ts'
import { field } from '../forms/form-fields.ts'
import { formMessage } from '../forms/form-message.ts'
import type { PageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { table } from '../layout/data-table.ts'
import { equivalentCurl } from '../layout/equivalent-curl.ts'
import { tickingClock } from '../layout/formatted-values.ts'
import { identifier } from '../layout/identifier-with-copy-button.ts'
import { portalPage } from '../layout/portal-page.ts'
import type { Organization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'

/** Returns the portal page with the list of organizations and the form that creates one. */
export function organizationsPage(context: PageRequestData, list: OrganizationPage<Organization>): Html {
  const main = html`
<h1>Organizations</h1>
<p class="lead">Each organization is a merchant of its own: accounts, keys, payments and a clock that nobody else shares.</p>
${formMessage(context)}
${organizationSearch(english, list, portalPaths.organizations)}
${table(
  'Organizations',
  ['Organization', 'Processing accounts', 'Clock'],
  list.found.map(organization => row(organization)),
)}
${pagination(english, list)}
<section aria-labelledby="new"><h2 id="new">New organization</h2>
<form class="panel" method="post" action="${portalPaths.organizations}">
${field(context, { name: 'id', label: 'Id', hint: 'At most 54 lowercase letters, digits and hyphens; leave it empty to get one.', placeholder: 'corner-shop' })}
<button class="button" data-testid="create-organization">Create the organization</button>
</form>
${equivalentCurl(context, { method: 'POST', path: controlPaths.organizations, body: { id: 'corner-shop' } })}
</section>
${context.withToken ? html`<form class="row" method="post" action="${portalPaths.signOut}"><button class="button quiet" data-testid="portal-sign-out">Sign out</button></form>` : ''}`
  return portalPage({ title: 'Organizations', section: 'organizations', main, more: ['list-filter-forms.css'] })
}

const row = ({ organizationId, accountIds, now, rate }: Organization) => ({
  testId: 'organization-row',
  cells: [
    identifier('the organization’s id', organizationId, { href: portalPaths.overview(organizationId) }),
    html`<span class="stack">${accountIds.map(accountId => identifier('the account’s id', accountId))}</span>`,
    tickingClock(now, rate),
  ],
})
