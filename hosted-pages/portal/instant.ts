import { html } from 'hono/html'
import type { Html } from '../layout.ts'

/** A time to the second, in UTC, as tables want it. */
export const instant = (at: number | string): Html => {
  const iso = new Date(at).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 19)}</time>`
}
