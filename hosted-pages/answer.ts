import type { Context } from 'hono'
import { html } from 'hono/html'
import { icon } from './icons.ts'
import { type Html, layout } from './layout.ts'
import { sayFor } from './say-for.ts'
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

/** Where a form may lead in the end. Browsers check every redirect that follows, and a shop may redirect on to anywhere. */
type FormsLeadTo = 'here' | 'any shop'

/** Answers with a page that may load nothing but our own stylesheet and script, and that no cache keeps. */
export function answerPage(
  c: Context,
  page: Html,
  formsLeadTo: FormsLeadTo = 'here',
  status: 200 | 400 | 401 | 404 = 200,
) {
  const formAction = formsLeadTo === 'here' ? "form-action 'self'" : "form-action 'self' http: https:"
  return c.html(page, status, { ...HEADERS, 'Content-Security-Policy': [...POLICY, formAction].join('; ') })
}

type Live = { stage: string; now: number; rate: number; expiresAt: number }

/** Answers the question of a waiting page: in which stage is it now, and until when? */
export const answerLive = (c: Context, { stage, now, rate, expiresAt }: Live) =>
  c.json({ stage, now, rate, expiresAt }, 200, HEADERS)

/** Sends the browser on with GET, so that reload and back never repeat a form. */
export const seeOther = (c: Context, location: string) => c.body(null, 303, { ...HEADERS, Location: ascii(location) })

/** An address goes out as it came in; only what no header can carry is percent-encoded, and nothing twice. */
const ascii = (url: string): string => (/^[!-~]+$/.test(url) ? url : new URL(url).href)

/** There is nothing at this address. */
export function answerNotFound(c: Context, say: Say = sayFor(c)) {
  const main = html`
<main class="sheet narrow message">
<span class="badge">${icon('question')}</span>
<h1>${say('notFoundTitle')}</h1>
<p class="lead">${say('notFoundLead')}</p>
<a class="button quiet" href="/" data-testid="to-start">${say('toStart')}</a>
</main>`
  return answerPage(c, layout(say, { title: say('notFoundTitle'), look: 'plain', main }), 'here', 404)
}
