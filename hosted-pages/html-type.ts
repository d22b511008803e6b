import type { html } from 'hono/html'

/** HTML of a page or of a part of one, whose values are escaped. */
export type Html = ReturnType<typeof html>
