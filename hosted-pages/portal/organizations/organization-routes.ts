import { type Context, Hono } from 'hono'
import { findOrganizations, type Organizations } from '../../find-organizations.ts'
import type { LiveChanges } from '../../live-stream.ts'
import { respondWithPage, seeOther } from '../../page-response.ts'
import { withMessage } from '../forms/form-message.ts'
import { formResult } from '../forms/form-result.ts'
import { statusOf } from '../forms/form-route.ts'
import { readFormValues } from '../forms/form-values.ts'
import { type PageContext, type PortalAddress, pageContext } from '../layout/page-context.ts'
import { portalPaths } from '../portal-paths.ts'
import { type StoredOrganization, withOrganization } from './organization-lookup.ts'
import { organizationsPage } from './organizations-page.ts'
import { type OverviewData, overviewPage } from './overview-page.ts'

/** Most organizations in one page of the table. */
const ROWS = 50
/** Most deliveries that the overview counts. */
const RECENT = 200

/** Features that the list of organizations and the overview of one need. */
export type OrganizationFeatures = PortalAddress &
  Organizations<StoredOrganization> &
  LiveChanges & {
    /** An organization of this id, or of a generated one. */
    organizations: { create(organizationId: string | undefined): Promise<{ organizationId: string }> }
    signingKeys: { list(organizationId: string): Promise<OverviewData['keys']> }
    endpoints: { list(organizationId: string): Promise<readonly unknown[]> }
    deliveries: { list(organizationId: string, query: { limit: number }): Promise<OverviewData['deliveries']> }
  }

/** Creates the routes of the list of organizations and of the overview of one organization. */
export const organizationRoutes = (features: OrganizationFeatures): Hono => {
  const { organizations, signingKeys, endpoints, deliveries } = features
  const all = async (c: Context, form: Partial<PageContext> = {}) => {
    const shown = await findOrganizations(c, features, ROWS)
    return respondWithPage(c, organizationsPage(pageContext(c, features, form), shown), 'here', statusOf(form))
  }
  return new Hono()
    .get(portalPaths.organizations, c => all(c))
    .post(portalPaths.organizations, async c => {
      const typed = await readFormValues(c)
      const result = await formResult(() => organizations.create(typed.id?.trim() || undefined))
      if ('refused' in result) return all(c, { ...result, typed })
      return seeOther(c, withMessage(portalPaths.overview(result.done.organizationId), 'organization-created'))
    })
    .get(
      `${portalPaths.organizations}/:organizationId`,
      withOrganization(features)(async (c, organization) => {
        const { organizationId } = organization
        const [keys, all, recent] = await Promise.all([
          signingKeys.list(organizationId),
          endpoints.list(organizationId),
          deliveries.list(organizationId, { limit: RECENT }),
        ])
        const data = { keys, endpoints: all.length, deliveries: recent }
        return respondWithPage(c, overviewPage(pageContext(c, features), organization, data))
      }),
    )
}
