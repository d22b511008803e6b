import { html } from 'hono/html'
import type { Html } from '../layout.ts'
import type { Visit } from './visit.ts'

/** What came of the form that led here; the operator's own sentences are English in every language. */
export const outcomeLine = ({ say, done, refused }: Visit): Html | '' => {
  if (refused !== undefined)
    return html`<p class="outcome bad" role="alert" lang="en" data-testid="portal-refused">${refused}</p>`
  return done ? html`<p class="outcome good" role="status" data-testid="portal-done">${say(done)}</p>` : ''
}
