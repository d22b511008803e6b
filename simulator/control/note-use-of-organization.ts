import type { MiddlewareHandler } from 'hono'
import type { ControlTokenVerifier } from './control-token-verifier.ts'
import { isRead, organizationOfPath } from './permitted-calls.ts'

/**
 * Creates the middleware of control and portal that notes each act on an organization that was permitted: an
 * organization that is looked at alone is not used.
 */
export const noteUseOfOrganization =
  (noteUse: (organizationId: string) => void, token: Pick<ControlTokenVerifier, 'permits'>): MiddlewareHandler =>
  async (c, next) => {
    const { method, path } = c.req
    const organizationId = organizationOfPath(path)
    const isAct = organizationId !== undefined && !isRead(method, path) && (await token.permits(c)).is === 'permitted'
    await next()
    if (isAct && c.res.status < 400) noteUse(organizationId)
  }
