import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'

/** Lets a call pass that shows the configured token; without one configured, every call. */
export const requireControlToken = (token: string | undefined): MiddlewareHandler => {
  const wanted = token === undefined ? undefined : digest(token)
  return async (c, next) => {
    if (wanted === undefined) return next()
    const shown = /^bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
    if (shown !== undefined && timingSafeEqual(digest(shown), wanted)) return next()
    const fact = shown === undefined ? 'Control wants a token here' : 'This is not the control token'
    const error = `${fact}: send the header Authorization: Bearer with what --control-token was set to.`
    return c.json({ error }, 401, { 'WWW-Authenticate': 'Bearer' })
  }
}

/** Of one length whatever is shown, so that a comparison takes the same time. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
