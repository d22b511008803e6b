import { type Context, Hono } from 'hono'
import { respondWithChanges } from '../../live-stream.ts'
import { type OrganizationPages, withOrganization } from '../organizations/organization-lookup.ts'
import { portalPaths } from '../portal-paths.ts'
import type { SignInFeatures } from '../sign-in/sign-in-routes.ts'

/** Id by which changes of the calls of nobody known are told. */
const NOBODY = ''

/** Creates the routes of the streams that tell open pages of the portal what has changed. */
export const liveRoutes = (features: OrganizationPages & Pick<SignInFeatures, 'access'>): Hono => {
  const route = withOrganization(features)
  const isPermitted = async (c: Context): Promise<boolean> => (await features.access.permits(c)).is === 'permitted'
  const isThere = async (organizationId: string): Promise<boolean> =>
    (await features.organizations.find(organizationId)) !== undefined
  return new Hono()
    .get(
      `${portalPaths.organizations}/:organizationId/stream`,
      route((c, { organizationId }) =>
        respondWithChanges(
          features,
          c,
          organizationId,
          async () => (await isPermitted(c)) && (await isThere(organizationId)),
        ),
      ),
    )
    .get(portalPaths.streamOfUnknownCallers, c => respondWithChanges(features, c, NOBODY, () => isPermitted(c)))
}
