import { timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { bearerOf, type ControlTokenVerifier, digest } from './control-token-verifier.ts'
import { type ControlAccess, isPermitted, refusalFor } from './permitted-calls.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** Who makes a call of control or portal; set before their routes run. */
    access: ControlAccess
  }
}

/**
 * Creates the middleware of pages and control that refuses requests without a control token: 401, or the sign-in page
 * for a browser. The token of an organization permits what its role may do there; all else is 403.
 */
export const requireControlToken =
  (token: Pick<ControlTokenVerifier, 'accessOf'>): MiddlewareHandler =>
  async (c, next) => {
    const access = await token.accessOf(c)
    if (access === 'none' || access === 'wrong') {
      if (access === 'none' && isBrowsing(c))
        return c.redirect(`/portal/sign-in?to=${encodeURIComponent(pathOf(c))}`, 303)
      if (access === 'none') return respondUnauthorized(c, 'Control requires a token here', TOKEN_OF_CONTROL)
      return respondUnauthorized(c, 'This token is unknown or revoked', TOKEN_OF_CONTROL)
    }
    const { method, path } = c.req
    if (access !== 'operator' && !isPermitted(access, method, path))
      return c.json({ error: refusalFor(access, method, path) }, 403)
    c.set('access', access)
    return next()
  }

/** Creates the middleware that refuses the same once the response is there, for calls that wait long. */
export const requireControlTokenAfterwards = (token: Pick<ControlTokenVerifier, 'accessOf'>): MiddlewareHandler => {
  const judge = requireControlToken(token)
  return async (c, next) => {
    await next()
    const refusal = await judge(c, async () => undefined)
    if (refusal) c.res = refusal
  }
}

/** Creates the middleware of the metrics: for the operator, or for the metrics token, which permits nothing else. */
export const requireMetricsToken = (
  metricsToken: string | undefined,
  token: Pick<ControlTokenVerifier, 'accessOf' | 'isWanted'>,
): MiddlewareHandler => {
  const forOperator = requireControlToken(token)
  if (metricsToken === undefined) return forOperator
  return async (c, next) => {
    if (timingSafeEqual(digest(bearerOf(c) ?? ''), digest(metricsToken))) return next()
    if (token.isWanted) return forOperator(c, next)
    return respondUnauthorized(c, 'The metrics require a token here', 'the value of --metrics-token')
  }
}

/** The token that control wants, and who gives it: the operator's own is never for others. */
const TOKEN_OF_CONTROL =
  'a token of your organization, which the operator gives, or, as the operator, that of the sandbox (ASSAY_CONTROL_TOKEN)'

const respondUnauthorized = (c: Context, fact: string, token: string): Response => {
  const error = `${fact}: send the header Authorization: Bearer with ${token}.`
  return c.json({ error }, 401, { 'WWW-Authenticate': 'Bearer' })
}

/** Whether a browser follows a link: programs accept JSON or anything, not HTML. */
const isBrowsing = (c: Context): boolean =>
  c.req.method === 'GET' && /\btext\/html\b/.test(c.req.header('accept') ?? '')

const pathOf = (c: Context): string => {
  const { pathname, search } = new URL(c.req.url)
  return pathname + search
}
