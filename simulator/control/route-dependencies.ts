import type { Context } from 'hono'
import type { ControlPlane } from '../control-plane.ts'
import type { Organization } from '../store/organization-store.ts'

/** What every group of control routes needs: the control plane, and the organization in the path of a request. */
export type RouteDependencies = {
  controlPlane: ControlPlane
  /** The organization in the path of a request; throws `unknown` where there is none. */
  organizationOf(c: Context): Promise<Organization>
  /** The id of the organization in the path of a request. */
  organizationIdOf(c: Context): Promise<string>
}

export const createRouteDependencies = (controlPlane: ControlPlane): RouteDependencies => {
  const organizationOf = (c: Context) => controlPlane.organizations.require(c.req.param('organizationId') ?? '')
  return { controlPlane, organizationOf, organizationIdOf: async c => (await organizationOf(c)).organizationId }
}
