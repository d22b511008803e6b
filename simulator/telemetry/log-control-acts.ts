import type { Context, MiddlewareHandler } from 'hono'
import type { ControlTokenVerifier } from '../control/control-token-verifier.ts'
import { isRead } from '../control/permitted-calls.ts'
import type { Logger } from './logger.ts'

/**
 * Creates the middleware that logs every act on control and portal: who did what, and the status. An act is what the
 * role `read` does not permit, so that taking a kit or a backup is one.
 */
export const logControlActs =
  (logger: Logger, token: Pick<ControlTokenVerifier, 'accessOf' | 'userOf'>): MiddlewareHandler =>
  async (c, next) => {
    const { method, path } = c.req
    await next()
    if (!/^\/(control|portal)(\/|$)/.test(path) || isRead(method, path)) return
    logger.act({ ...(await actorOf(c, token)), method, path, status: c.res.status })
  }

const actorOf = async (c: Context, token: Pick<ControlTokenVerifier, 'accessOf' | 'userOf'>) => {
  const access = await token.accessOf(c)
  const user = token.userOf(c)
  if (access === 'operator') return { by: user ?? access, role: access }
  if (typeof access === 'string') return { by: user ?? 'nobody' }
  const { tokenId, name, role, organizationId } = access
  return { by: name, ...(tokenId === undefined ? {} : { tokenId }), role, organizationId }
}
