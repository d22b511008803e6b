import type { Context } from 'hono'
import { html } from 'hono/html'
import { themeIn } from './appearance-cookies.ts'
import { inTheme } from './appearance-switch.ts'
import { icon } from './icons.ts'
import { type Html, layout } from './layout.ts'
import { sayFor } from './page-language.ts'
import type { Say, TextKey } from './text-lookup-by-language.ts'

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
]

const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin', // no-referrer would hide from our own guard where a form was served
  'Cache-Control': 'no-store',
}

/** Where the forms of a page may lead by its CSP: to this server only, or on to a shop or its app, as after a payment. */
type FormsLeadTo = 'here' | { shop: string | undefined }

/** Headers of a page that shows a secret beside what its address brings: compressed, its length would tell of both. */
const UNCOMPRESSED = { 'Cache-Control': 'no-store, no-transform' }

/** Responds with a hosted page that shows secrets, which nothing on its way may compress. */
export const respondWithSecretPage = (c: Context, page: Html, status: 200 | 400 = 200) =>
  respondWithPage(c, page, 'here', status, UNCOMPRESSED)

/** Responds with a hosted page that may load nothing but our own stylesheets and scripts, and that no cache keeps. */
export async function respondWithPage(
  c: Context,
  page: Html,
  formsLeadTo: FormsLeadTo = 'here',
  status: 200 | 400 | 401 | 403 | 404 | 429 = 200,
  headers: Record<string, string> = {},
) {
  const formAction = ["form-action 'self'", ...(formsLeadTo === 'here' ? [] : schemesOf(formsLeadTo.shop))].join(' ')
  const policy = [...POLICY, ...framesOf(c.req.path), formAction].join('; ')
  return c.html(inTheme(String(await page), themeIn(c)), status, {
    ...HEADERS,
    'Content-Security-Policy': policy,
    ...headers,
  })
}

/** The stage shows pages of the shopper in frames; no other page is framed, and no other site frames any. */
const framesOf = (path: string): string[] => [
  ...(/^\/shop\/.*\/stage$/.test(path) ? ["frame-src 'self'"] : []),
  /^\/(shop|blik|iris)\//.test(path) ? "frame-ancestors 'self'" : "frame-ancestors 'none'",
]

/** Schemes of the shops to which a form may lead: those of the web, which may redirect on, and that of an app. */
const schemesOf = (returnUrl = ''): Set<string> =>
  new Set(['http:', 'https:', /^[a-z][a-z0-9+.-]*:/i.exec(returnUrl)?.[0].toLowerCase() ?? 'https:'])

/** Responds with a redirect by 303, so that reload and back never repeat a form. */
export const seeOther = (c: Context, location: string) => c.body(null, 303, { ...HEADERS, Location: ascii(location) })

/** Encodes a URL for a header: unchanged where it is ASCII, else percent-encoded. */
const ascii = (url: string): string => (/^[!-~]+$/.test(url) ? url : new URL(url).href)

/** Responds with 404 and the page that says that nothing was found. */
export const respondNotFound = (c: Context, say: Say = sayFor(c)) =>
  respondWithError(c, say, 404, { title: 'notFoundTitle', lead: 'notFoundLead' })

/** Responds with 429 and the page that says of what there is too much. */
export const respondTooMany = (c: Context, what: 'Phones' | 'Codes') =>
  respondWithError(c, sayFor(c), 429, { title: `tooMany${what}Title`, lead: `tooMany${what}Lead` })

const respondWithError = (
  c: Context,
  say: Say,
  status: 404 | 429,
  { title, lead }: Record<'title' | 'lead', TextKey>,
) => {
  const main = html`
<main class="sheet narrow message">
<span class="badge">${icon('question')}</span>
<h1>${say(title)}</h1>
<p class="lead">${say(lead)}</p>
<a class="button quiet" href="/" data-testid="to-start">${say('toStart')}</a>
</main>`
  return respondWithPage(c, layout(say, { title: say(title), look: 'plain', main }), 'here', status)
}
