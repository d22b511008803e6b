import { Hono } from 'hono'
import { respondWithPage, respondWithStage } from '../../page-response.ts'
import { pageContext } from '../layout/page-context.ts'
import { type OrganizationPages, withOrganization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import { overviewPage } from './overview-page.ts'
import type { OverviewFeatures } from './overview-types.ts'
import { overviewStage, readOverview } from './read-overview.ts'

const SPANS = ['hour', 'day', 'week', 'month']

/** Creates the routes of the portal's overview of one organization, and of the stage by which its page notices news. */
export const overviewRoutes = (features: OrganizationPages & OverviewFeatures): Hono => {
  const route = withOrganization(features)
  const root = `${portalPaths.organizations}/:organizationId`
  return new Hono()
    .get(
      root,
      route(async (c, organization) => {
        const { organizationId } = organization
        const span = SPANS.find(one => one === c.req.query('span'))
        const stage = await overviewStage(features, organizationId) // before the data, so that later news are noticed
        const data = await readOverview(features, organizationId, span)
        return respondWithPage(c, overviewPage(pageContext(c, features), organization, data, stage))
      }),
    )
    .get(
      `${root}/live`,
      route(async (c, { organizationId, now }) =>
        respondWithStage(c, { stage: await overviewStage(features, organizationId), now, rate: 0, expiresAt: now }),
      ),
    )
}
