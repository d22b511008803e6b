import { readFileSync } from 'node:fs'
import { html, raw } from 'hono/html'
import type { Html } from '../layout.ts'
import { speak } from '../texts.ts'
import type { TimelineView } from './live-port.ts'
import { span } from './span.ts'
import { timelinePicture } from './timeline-picture.ts'
import { withRuns } from './timeline-runs.ts'
import { clockTime } from './timeline-words.ts'

const read = (name: string): string => readFileSync(new URL(`../assets/style/${name}.css`, import.meta.url), 'utf8')

/** Colours and rules inside the picture: it is looked at where no stylesheet of ours is. */
const STYLE = raw(
  `${(/:root \{[\s\S]*?\n\}/.exec(read('colours')) ?? [''])[0]}\nsvg{background:var(--surface);font-family:system-ui,sans-serif}\n${read('timeline')}`,
)

/** The picture of a payment as a file of its own, as failed tests keep it. */
export const timelineFile = (whole: TimelineView): Html => {
  const view = { ...whole, marks: withRuns(whole.marks) }
  const picture = timelinePicture(speak('en'), view, { named: true })
  const [, width = '0', height = '0'] = /width="(\d+)" height="(\d+)"/.exec(String(picture)) ?? []
  const wide = Math.max(Number(width), 560) + 48
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${Number(height) + 76}" width="${wide}" height="${Number(height) + 76}" font-family="system-ui, sans-serif">
<title>${view.transactionId}</title>
<style>${STYLE}</style>
<rect width="100%" height="100%" fill="var(--surface)"/>
<text x="24" y="30" font-size="15" font-weight="650" fill="var(--ink)">${view.providerId} ${view.clientTransactionId}: ${view.state}</text>
<text x="24" y="48" font-size="11" fill="var(--soft)">${view.transactionId}, ${clockTime(view.createdAt)}, ${span(view.now - view.createdAt)}</text>
<svg x="24" y="64" width="${width}" height="${height}">${picture}</svg>
</svg>`
}

/** It brings its own styles, and nothing else may come into it. */
export const FILE_HEADERS = {
  'Content-Type': 'image/svg+xml; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
} as const
