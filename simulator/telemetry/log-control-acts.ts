import type { MiddlewareHandler } from 'hono'
import type { ControlTokenVerifier } from '../control/control-token-verifier.ts'
import { type ControlAccess, isRead } from '../control/permitted-calls.ts'
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
    const access = await token.accessOf(c) // before the act, which may end it
    await next()
    const { status } = c.res
    const isRefused = status === 401 || (access === 'wrong' && status === 303) // a page leads to the sign-in
    if (isRead(method, path) && !isRefused) return
    const origin = { ...actorOf(access, token.userOf(c)), from: token.addressOf(c) }
    logger.act({ ...origin, method, path: withoutCredentials(path), status, ...(await createdIn(c.res)) })
  }

/** Masks what is a credential in a path: the payment token of a mandate, and the id of a phone, which opens its page. */
const withoutCredentials = (path: string): string => path.replace(/(\/(?:mandates|phones)\/+)[^/]+/g, '$1***')

/** Ids and name in the response of control that tells of what was created; that of a phone is a credential. */
const createdIn = async (response: Response) => {
  if (response.status !== 201 || !response.headers.get('content-type')?.startsWith('application/json')) return {}
  const members = Object.entries((await response.clone().json()) as object)
  const ids = members.filter(([name, id]) => /(^name|Id)$/.test(name) && name !== 'phoneId' && typeof id === 'string')
  return ids.length === 0 ? {} : { created: Object.fromEntries(ids) }
}

const actorOf = (access: ControlAccess | 'wrong' | 'none', user: string | undefined) => {
  if (access === 'operator') return { by: user ?? access, role: access }
  if (typeof access === 'string') return { by: user ?? 'nobody', ...(access === 'wrong' ? { isTokenWrong: true } : {}) }
  const { tokenId, name, role, organizationId } = access
  return { by: name, ...(tokenId === undefined ? {} : { tokenId }), role, organizationId }
}
