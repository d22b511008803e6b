import type { MiddlewareHandler } from 'hono'
import type { ControlTokenVerifier } from '../control/control-token-verifier.ts'
import { type ControlAccess, isRead } from '../control/permitted-calls.ts'
import { createdBy } from '../support/ids-of-what-was-created.ts'
import type { Logger } from './logger.ts'

type Token = Pick<ControlTokenVerifier, 'accessOf' | 'userOf' | 'addressOf'>

/**
 * Creates the middleware that logs every act on control and portal: who did what from where, the status, and the ids of
 * what was created. An act is what the role `read` does not permit, so that taking a kit or a backup is one, and so is a
 * call with a wrong token.
 */
export const logControlActs =
  (logger: Logger, token: Token): MiddlewareHandler =>
  async (c, next) => {
    const { method, path } = c.req
    if (!/^\/(control|portal|metrics)(\/|$)/.test(path)) return next()
    const access = await token.accessOf(c) // before the act, which may end it, as the client may its connection
    const [user, from] = [token.userOf(c), token.addressOf(c)]
    await next()
    const { status } = c.res
    const isRefused = status === 401 || status === 403 || (access === 'wrong' && status === 303) // a page leads to the sign-in
    if (isRead(method, path) && !isRefused) return
    const actor = isSignIn(method, path) ? await whoSignedIn(c.res, token) : access
    const created = await createdBy(c)
    const rest = Object.keys(created).length === 0 ? {} : { created }
    logger.act({ ...actorOf(actor, user), from, method, path: withoutCredentials(path), status, ...rest })
  }

/** Masks what is a credential in a path: the payment token of a mandate, and the id of a phone, which opens its page. */
const withoutCredentials = (path: string): string => path.replace(/(\/(?:mandates|phones)\/+)[^/]+/g, '$1***')

const isSignIn = (method: string, path: string): boolean => method === 'POST' && path === '/portal/sign-in'

/** Whose token was typed at the sign-in: the response sets the cookie for it, where it is right. */
const whoSignedIn = async ({ headers }: Response, token: Token): Promise<ControlAccess | 'wrong'> => {
  const cookie = headers.get('set-cookie')?.split(';', 1)[0]
  const access = await token.accessOf({ req: { header: name => (name === 'cookie' ? cookie : undefined) } })
  return access === 'none' ? 'wrong' : access
}

const actorOf = (access: ControlAccess | 'wrong' | 'none', user: string | undefined) => {
  if (access === 'operator') return { by: user ?? access, role: access }
  if (typeof access === 'string') return { by: user ?? 'nobody', ...(access === 'wrong' ? { isTokenWrong: true } : {}) }
  const { tokenId, name, role, organizationId } = access
  return { by: user ?? name, ...(tokenId === undefined ? {} : { tokenId }), role, organizationId }
}
