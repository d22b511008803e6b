import type { Context } from 'hono'
import { html } from 'hono/html'
import type { OrganizationView } from '../../organization-with-clock.ts'
import { respondWithPage } from '../../page-response.ts'
import { portalPaths } from '../portal-paths.ts'
import { portalPage } from './portal-page.ts'

/** Sections of the portal with items that have a page each. */
type SectionOfItems = 'payments' | 'webhooks' | 'identities' | 'capabilities'

/**
 * Responds with 404 and a page of the portal, within its navigation, that says that the organization has no such item,
 * and where to look for it.
 */
export const respondNotFoundIn = (
  c: Context,
  organization: OrganizationView,
  section: SectionOfItems,
  what: string,
): Response | Promise<Response> => {
  const { organizationId } = organization
  const title = `No such ${what}`
  const main = html`
<h1>${title}</h1>
<p class="lead" data-testid="portal-not-found">${organizationId} has no ${what} of this id. It may have been deleted, or belong to another organization.</p>
<p class="back"><a href="${portalPaths[section](organizationId)}">Back to the list</a></p>`
  return respondWithPage(c, portalPage({ title, section, organization, main }), 'here', 404)
}
