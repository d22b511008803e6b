import type { Context, MiddlewareHandler } from 'hono'
import type { ControlToken } from './control-token.ts'

/** Lets a call pass that shows the configured token; sends a person's browser to the page that asks for it. */
export const requireControlToken =
  (token: ControlToken): MiddlewareHandler =>
  async (c, next) => {
    const shown = token.shownBy(c)
    if (shown === 'right') return next()
    if (isBrowsing(c)) return c.redirect(`/portal/sign-in?to=${encodeURIComponent(pathOf(c))}`, 303)
    const fact = shown === 'none' ? 'Control wants a token here' : 'This is not the control token'
    const error = `${fact}: send the header Authorization: Bearer with what --control-token was set to.`
    return c.json({ error }, 401, { 'WWW-Authenticate': 'Bearer' })
  }

/** A person who follows a link: programs ask for JSON, or for anything. */
const isBrowsing = (c: Context): boolean =>
  c.req.method === 'GET' && /\btext\/html\b/.test(c.req.header('accept') ?? '')

const pathOf = (c: Context): string => {
  const { pathname, search } = new URL(c.req.url)
  return pathname + search
}
