import type { MiddlewareHandler } from 'hono'

/** What every answer of the pages' port says where it does not know better: kits hold keys, and nothing is to be framed or guessed. */
export const SAFE = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
} as const

/** Gives the answers that are no pages the headers that pages have: control, refusals, downloads, faults. */
export const safeHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  for (const [name, value] of Object.entries(SAFE)) if (!c.res.headers.has(name)) c.res.headers.set(name, value)
}
