import type { Context, MiddlewareHandler } from 'hono'

/** Default response headers of the port of pages and control: no caching (kits hold keys), framing or sniffing. */
export const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
} as const

/**
 * Middleware of pages and control that adds the default security headers to every response that does not set them
 * itself.
 */
export const addSecurityHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  for (const [name, value] of Object.entries(SECURITY_HEADERS))
    if (!c.res.headers.has(name)) c.res.headers.set(name, value)
}

/** Creates an error response of pages and control, of one sentence: JSON below /control, plain text elsewhere. */
export const errorResponse = (c: Context, error: string, status: 400 | 403 | 404 | 413 | 429 | 500 | 503): Response =>
  /^\/control(\/|$)/.test(c.req.path) ? c.json({ error }, status) : c.text(`${error}\n`, status)
