import type { Context } from 'hono'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import type { Organization } from '../store/organization-store.ts'

/** Dependencies of each group of control routes: the control plane, and look-up of the organization in a path. */
export type RouteDependencies = {
  controlPlane: ControlPlaneFeatures
  /** The organization in the path of a request; throws `unknown` where there is none. */
  organizationOf(c: Context): Promise<Organization>
  /** The id of the organization in the path of a request. */
  organizationIdOf(c: Context): Promise<string>
}

/** Creates the dependencies that each group of control routes gets. */
export const createRouteDependencies = (controlPlane: ControlPlaneFeatures): RouteDependencies => {
  const organizationOf = (c: Context) => controlPlane.organizations.require(c.req.param('organizationId') ?? '')
  return { controlPlane, organizationOf, organizationIdOf: async c => (await organizationOf(c)).organizationId }
}
