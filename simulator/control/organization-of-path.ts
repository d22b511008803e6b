import type { MiddlewareHandler } from 'hono'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import type { Organization } from '../store/organization-store.ts'
import { isRead } from './permitted-calls.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** The organization in the path of a call of control; set before the routes of one run. */
    organization: Organization
    organizationId: string
  }
}

/** Creates the middleware of control that looks up the organization in a path, and refuses a call where there is none. */
export const requireOrganization =
  ({ organizations }: Pick<ControlPlaneFeatures, 'organizations'>): MiddlewareHandler =>
  async (c, next) => {
    const organization = await organizations.require(c.req.param('organizationId') ?? '')
    c.set('organization', organization)
    c.set('organizationId', organization.organizationId)
    await next()
  }

/**
 * Creates the middleware of control that answers a change of an organization that was removed meanwhile as one of an
 * unknown organization, and leaves nothing of it.
 */
export const refuseForRemovedOrganization =
  ({ organizations, clearRemoved }: Pick<ControlPlaneFeatures, 'organizations' | 'clearRemoved'>): MiddlewareHandler =>
  async (c, next) => {
    const organizationId = c.req.param('organizationId') ?? ''
    await next()
    if (isRead(c.req.method, c.req.path) || c.res.status === 404 || (await organizations.find(organizationId))) return
    await clearRemoved(organizationId)
    await organizations.require(organizationId)
  }
