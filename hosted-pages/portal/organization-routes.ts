import { type Context, Hono } from 'hono'
import { answerPage, seeOther } from '../answer.ts'
import { findOrganizations } from '../find-organization.ts'
import { ofOrganization } from './of-organization.ts'
import { organizationsPage } from './organizations-page.ts'
import { overviewPage } from './overview-page.ts'
import { portalPaths } from './paths.ts'
import type { PortalPort } from './port.ts'
import { readForm } from './read-form.ts'
import { type Visit, visitOf, withDone } from './visit.ts'

/** So many organizations stand in one table. */
const ROWS = 50
/** So many deliveries are looked at to say how many there were. */
const RECENT = 200

/** The organizations of this installation, and one of them at a glance. */
export const organizationRoutes = (port: PortalPort): Hono => {
  const { organizations, identities, webhooks } = port
  const all = async (c: Context, form: Partial<Visit> = {}) => {
    const page = organizationsPage(visitOf(c, port, form), await findOrganizations(c, organizations.list, ROWS))
    return answerPage(c, page, 'here', form.refused === undefined ? 200 : 400)
  }
  return new Hono()
    .get(portalPaths.organizations, c => all(c))
    .post(portalPaths.organizations, async c => {
      const typed = await readForm(c)
      const wish = await organizations.create(typed.id?.trim() || undefined)
      if ('refused' in wish) return all(c, { ...wish, typed })
      return seeOther(c, withDone(portalPaths.overview(wish.done), 'organization-created'))
    })
    .get(
      `${portalPaths.organizations}/:organizationId`,
      ofOrganization(port)(async (c, organization) => {
        const { organizationId } = organization
        const [keys, endpoints, deliveries] = await Promise.all([
          identities.keys(organizationId),
          webhooks.endpoints(organizationId),
          webhooks.deliveries(organizationId, { limit: RECENT }),
        ])
        const glance = { keys, endpoints: endpoints.length, deliveries }
        return answerPage(c, overviewPage(visitOf(c, port), organization, glance))
      }),
    )
}
