import type { Context } from 'hono'
import { html } from 'hono/html'
import { icon } from './icons.ts'
import { type Html, layout } from './layout.ts'
import { sayFor } from './page-language.ts'
import type { Say } from './texts.ts'

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
]

const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin', // no-referrer would hide from our own guard where a form was served
  'Cache-Control': 'no-store',
}

/** Where the forms of a page may lead by its CSP: to this server only, or on to a shop or its app, as after a payment. */
type FormsLeadTo = 'here' | { shop: string | undefined }

/** Responds with a hosted page that may load nothing but our own stylesheets and scripts, and that no cache keeps. */
export function respondWithPage(
  c: Context,
  page: Html,
  formsLeadTo: FormsLeadTo = 'here',
  status: 200 | 400 | 401 | 403 | 404 = 200,
) {
  const formAction = ["form-action 'self'", ...(formsLeadTo === 'here' ? [] : schemesOf(formsLeadTo.shop))].join(' ')
  return c.html(page, status, { ...HEADERS, 'Content-Security-Policy': [...POLICY, formAction].join('; ') })
}

/** Schemes of the shops to which a form may lead: those of the web, which may redirect on, and that of an app. */
const schemesOf = (returnUrl = ''): Set<string> =>
  new Set(['http:', 'https:', /^[a-z][a-z0-9+.-]*:/.exec(returnUrl)?.[0] ?? 'https:'])

type Live = { stage: string; now: number; rate: number; expiresAt: number }

/** Responds to the poll of a waiting page with its current stage and when that ends, as JSON. */
export const respondWithStage = (c: Context, { stage, now, rate, expiresAt }: Live) =>
  c.json({ stage, now, rate, expiresAt }, 200, HEADERS)

/** Responds with a redirect by 303, so that reload and back never repeat a form. */
export const seeOther = (c: Context, location: string) => c.body(null, 303, { ...HEADERS, Location: ascii(location) })

/** Encodes a URL for a header: unchanged where it is ASCII, else percent-encoded. */
const ascii = (url: string): string => (/^[!-~]+$/.test(url) ? url : new URL(url).href)

/** Responds with 404 and the page that says that nothing was found. */
export function respondNotFound(c: Context, say: Say = sayFor(c)) {
  const main = html`
<main class="sheet narrow message">
<span class="badge">${icon('question')}</span>
<h1>${say('notFoundTitle')}</h1>
<p class="lead">${say('notFoundLead')}</p>
<a class="button quiet" href="/" data-testid="to-start">${say('toStart')}</a>
</main>`
  return respondWithPage(c, layout(say, { title: say('notFoundTitle'), look: 'plain', main }), 'here', 404)
}
