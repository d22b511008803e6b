import type { Context } from 'hono'

/** A sentence to whoever asked: JSON to programs at control, a line of text to browsers. */
export const sayNo = (c: Context, error: string, status: 400 | 403 | 413): Response =>
  /^\/control(\/|$)/.test(c.req.path) ? c.json({ error }, status) : c.text(`${error}\n`, status)
