import { html } from 'hono/html'
import { finder, further, type Shown } from '../find-organization.ts'
import type { Html } from '../layout.ts'
import { field } from './form-fields.ts'
import { portalPage } from './frame.ts'
import { identifier } from './identifier.ts'
import { instant } from './instant.ts'
import { outcomeLine } from './outcome-line.ts'
import { controlPaths, portalPaths } from './paths.ts'
import type { OrganizationSummary } from './port.ts'
import { table } from './table.ts'
import { twin } from './twin.ts'
import type { Visit } from './visit.ts'

/** All organizations, with the way to make one more. */
export function organizationsPage(visit: Visit, list: Shown<OrganizationSummary>): Html {
  const { say } = visit
  const main = html`
<h1>${say('navOrganizations')}</h1>
<p class="lead">${say('orgsLead')}</p>
${outcomeLine(visit)}
${finder(say, list, portalPaths.organizations)}
${table(
  say('navOrganizations'),
  [say('orgsName'), say('orgsAccounts'), say('clock')],
  list.found.map(organization => row(visit, organization)),
)}
${further(say, list)}
<section aria-labelledby="new"><h2 id="new">${say('orgsNew')}</h2>
<form class="panel" method="post" action="${portalPaths.organizations}">
${field(visit, { name: 'id', label: say('orgsId'), hint: say('orgsIdHint'), placeholder: 'corner-shop' })}
<button class="button" data-testid="create-organization">${say('orgsCreate')}</button>
</form>
${twin(visit, { method: 'POST', path: controlPaths.organizations, body: { id: 'corner-shop' } })}
</section>
${visit.withToken ? html`<form class="row" method="post" action="${portalPaths.signOut}"><button class="button quiet" data-testid="portal-sign-out">${say('portalSignOut')}</button></form>` : ''}`
  return portalPage(say, { title: say('navOrganizations'), section: 'organizations', main, more: ['live.css'] })
}

const row = ({ say }: Visit, { organizationId, accountIds, now }: OrganizationSummary) => ({
  testId: 'organization-row',
  cells: [
    identifier(say, organizationId, { href: portalPaths.overview(organizationId) }),
    html`<span class="stack">${accountIds.map(accountId => identifier(say, accountId))}</span>`,
    instant(now),
  ],
})
