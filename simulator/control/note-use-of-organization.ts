import type { MiddlewareHandler } from 'hono'
import { isRead, organizationOfPath } from './permitted-calls.ts'

/**
 * Creates the middleware of control and portal that notes each act on an organization that was permitted: an
 * organization that is looked at alone is not used.
 */
export const noteUseOfOrganization =
  (noteUse: (organizationId: string) => void): MiddlewareHandler =>
  async (c, next) => {
    await next()
    const { method, path } = c.req
    const organizationId = organizationOfPath(path)
    if (organizationId !== undefined && c.res.status < 400 && !isRead(method, path)) noteUse(organizationId)
  }
