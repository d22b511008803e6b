import { Hono } from 'hono'
import { respondWithPage } from '../../page-response.ts'
import { pageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { type OrganizationPages, withOrganization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import { overviewPage } from './overview-page.ts'
import type { OverviewFeatures } from './overview-types.ts'
import { readOverview } from './read-overview.ts'

const SPANS = ['hour', 'day', 'week', 'month']

/** Creates the routes of the portal's overview of one organization, and of the stage by which its page notices news. */
export const overviewRoutes = (features: OrganizationPages & OverviewFeatures): Hono => {
  const route = withOrganization(features)
  const root = `${portalPaths.organizations}/:organizationId`
  return new Hono().get(
    root,
    route(async (c, organization) => {
      const { organizationId } = organization
      const span = SPANS.find(one => one === c.req.query('span'))
      const data = await readOverview(features, organizationId, span)
      const apiUrl = features.apiUrlAt(new URL(c.req.url).host, organizationId)
      return respondWithPage(c, overviewPage(pageRequestData(c, features), organization, { ...data, apiUrl }))
    }),
  )
}
