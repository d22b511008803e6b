import type { MiddlewareHandler } from 'hono'
import { createdBy } from '../support/ids-of-what-was-created.ts'
import type { ControlTokenVerifier } from './control-token-verifier.ts'
import { isRead, organizationOfPath } from './permitted-calls.ts'

/**
 * Creates the middleware of control and portal that notes each act on an organization that was permitted, and its creation:
 * an organization that is looked at alone is not used.
 */
export const noteUseOfOrganization =
  (
    noteUse: (organizationId: string, isNew: boolean) => void,
    token: Pick<ControlTokenVerifier, 'permits'>,
  ): MiddlewareHandler =>
  async (c, next) => {
    const { method, path } = c.req
    const organizationId = organizationOfPath(path)
    const isAct = organizationId !== undefined && !isRead(method, path) && (await token.permits(c)).is === 'permitted'
    await next()
    if (c.res.status >= 400) return
    if (isAct) noteUse(organizationId, false)
    const { organizationId: added } = ORGANIZATIONS.test(path) && method === 'POST' ? await createdBy(c) : {}
    if (added !== undefined) noteUse(added, true)
  }

const ORGANIZATIONS = /^\/(control|portal)\/organizations$/
