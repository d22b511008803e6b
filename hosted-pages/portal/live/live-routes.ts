import { Hono } from 'hono'
import { respondWithChanges } from '../../live-stream.ts'
import { type OrganizationPages, withOrganization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'

/** Id by which changes of the calls of nobody known are told. */
const NOBODY = ''

/** Creates the routes of the streams that tell open pages of the portal what has changed. */
export const liveRoutes = (features: OrganizationPages): Hono => {
  const route = withOrganization(features)
  return new Hono()
    .get(
      `${portalPaths.organizations}/:organizationId/stream`,
      route((c, { organizationId }) => respondWithChanges(features, c, organizationId)),
    )
    .get(portalPaths.streamOfUnknownCallers, c => respondWithChanges(features, c, NOBODY))
}
