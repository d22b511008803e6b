import { Hono } from 'hono'
import { respondWithPage, seeOther } from '../../page-response.ts'
import { pageRequestData } from '../layout/control-address-and-form-outcome.ts'
import { type OrganizationPages, withOrganization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import { pageOfHit, type SearchHit, searchPage } from './search-page.ts'

/** Features of the simulator that the portal's search of an organization needs. */
export type SearchFeatures = OrganizationPages & {
  search: { find: (organizationId: string, text: string) => Promise<readonly SearchHit[]> }
}

const MOST = 200

/** Creates the route of the portal's search; where it finds one thing only, it leads there. */
export const searchRoutes = (features: SearchFeatures): Hono =>
  new Hono().get(
    `${portalPaths.organizations}/:organizationId/search`,
    withOrganization(features)(async (c, organization) => {
      const { organizationId } = organization
      const asked = (c.req.query('q') ?? '').trim().slice(0, MOST)
      const hits = await features.search.find(organizationId, asked)
      const [only] = hits
      if (only && hits.length === 1) return seeOther(c, pageOfHit(organizationId, only))
      return respondWithPage(c, searchPage(pageRequestData(c, features), organization, { asked, hits }))
    }),
  )
