import type { Context, MiddlewareHandler } from 'hono'
import type { ControlTokenVerifier } from './control-token-verifier.ts'

/** Creates the middleware that refuses requests without the control token: 401, or the sign-in page for a browser. */
export const requireControlToken =
  (token: ControlTokenVerifier): MiddlewareHandler =>
  async (c, next) => {
    const shown = token.shownBy(c)
    if (shown === 'right') return next()
    if (isBrowsing(c)) return c.redirect(`/portal/sign-in?to=${encodeURIComponent(pathOf(c))}`, 303)
    const fact = shown === 'none' ? 'Control requires a token here' : 'This is not the control token'
    const error = `${fact}: send the header Authorization: Bearer with the value of --control-token.`
    return c.json({ error }, 401, { 'WWW-Authenticate': 'Bearer' })
  }

/** Whether a browser follows a link: programs accept JSON or anything, not HTML. */
const isBrowsing = (c: Context): boolean =>
  c.req.method === 'GET' && /\btext\/html\b/.test(c.req.header('accept') ?? '')

const pathOf = (c: Context): string => {
  const { pathname, search } = new URL(c.req.url)
  return pathname + search
}
