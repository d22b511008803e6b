import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Hono } from 'hono'

const STYLE = [
  'colours',
  'base-and-sandbox-banner',
  'appearance',
  'page-column-and-cards',
  'buttons-and-links',
  'ask-first',
  'payment-summary-and-countdown',
  'motion',
]

const SHOPPER_STYLE = ['phone', 'bank-app', 'iris-pages', 'wide']

const PORTAL_STYLE = [
  'portal',
  'portal-identifiers-and-tags',
  'portal-tables',
  'portal-forms',
  'portal-facts-figures-and-pem',
]

// biome-ignore format: a table reads by its columns
const ASSETS = {
  'pages.css': { type: 'text/css; charset=utf-8',        files: STYLE.map(name => `style/${name}.css`) },
  'shopper.css': { type: 'text/css; charset=utf-8',      files: SHOPPER_STYLE.map(name => `style/${name}.css`) },
  'pages.js':  { type: 'text/javascript; charset=utf-8', files: ['pages.js', 'copy-buttons.js', 'appearance.js'] },
  'portal.css': { type: 'text/css; charset=utf-8',       files: PORTAL_STYLE.map(name => `style/${name}.css`) },
  'portal.js': { type: 'text/javascript; charset=utf-8', files: ['portal.js'] },
  'journal.css': { type: 'text/css; charset=utf-8',      files: ['style/journal.css', 'style/journal-call.css'] },
  'journal.js': { type: 'text/javascript; charset=utf-8', files: ['journal.js'] },
  'signature-lab.css':   { type: 'text/css; charset=utf-8',        files: ['style/signature-lab-diagnosis.css', 'style/signature-lab-verification-steps.css', 'style/signature-lab-forms.css'] },
  'timeline.css': { type: 'text/css; charset=utf-8',     files: ['style/timeline-picture.css', 'style/timeline-page.css'] },
  'timeline.js': { type: 'text/javascript; charset=utf-8', files: ['timeline.js'] },
  'list-filter-forms.css': { type: 'text/css; charset=utf-8', files: ['style/list-filter-forms.css'] },
  'overview.css': { type: 'text/css; charset=utf-8',     files: ['style/overview.css', 'style/bar-charts.css', 'style/journal.css'] },
  'validity-bars.css': { type: 'text/css; charset=utf-8', files: ['style/validity-bars.css'] },
  'clock-and-scenarios.css': { type: 'text/css; charset=utf-8', files: ['style/clock-and-scenarios.css'] },
  'shop.css':  { type: 'text/css; charset=utf-8',        files: ['style/shop.css', 'style/shop-checkout-and-order.css'] },
  'shop.js':   { type: 'text/javascript; charset=utf-8', files: ['shop.js'] },
  'stage.css': { type: 'text/css; charset=utf-8',        files: ['style/stage.css'] },
  'stage.js':  { type: 'text/javascript; charset=utf-8', files: ['stage.js'] },
  'icon.svg':  { type: 'image/svg+xml',                  files: ['icon.svg'] },
}

export type AssetName = keyof typeof ASSETS

/** What browsers need not load of a script: no text in one begins a line. */
const COMMENT_OR_INDENT = /^\s*(?:(?:\/\/|\/\*\*).*\n)?/gm

const assets = new Map(Object.entries(ASSETS).map(([name, { type, files }]) => [name, load(type, files)]))

function load(type: string, files: readonly string[]) {
  const written = files.map(file => readFileSync(new URL(`./assets/${file}`, import.meta.url), 'utf8')).join('\n')
  const content = type.startsWith('text/css') ? minified(written) : written.replace(COMMENT_OR_INDENT, '')
  return { content, type, hash: createHash('sha256').update(content).digest('base64url').slice(0, 16) }
}

/** Removes comments and white space from a stylesheet. */
function minified(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
}

/** Returns the URL of an asset of the pages with a hash of its content, so that browsers may cache it for good. */
export const assetUrl = (name: AssetName): string => `/assets/${name}?v=${assets.get(name)?.hash}`

/** Creates the routes of the pages' stylesheets, scripts and icon, which are read once when the program starts. */
export const assetRoutes = (): Hono =>
  new Hono().get('/assets/:name', (c, next) => {
    const asset = assets.get(c.req.param('name'))
    if (!asset) return next()
    const headers = {
      ETag: `"${asset.hash}"`,
      'Cache-Control': c.req.query('v') === asset.hash ? 'public, max-age=31536000, immutable' : 'no-cache',
      'X-Content-Type-Options': 'nosniff',
    }
    if (c.req.header('If-None-Match') === headers.ETag) return c.body(null, 304, headers)
    return c.body(asset.content, 200, { ...headers, 'Content-Type': asset.type })
  })
