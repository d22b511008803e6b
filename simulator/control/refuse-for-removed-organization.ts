import type { MiddlewareHandler } from 'hono'
import type { ControlPlaneFeatures } from '../compose-control-plane.ts'
import { isRead } from './permitted-calls.ts'

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
