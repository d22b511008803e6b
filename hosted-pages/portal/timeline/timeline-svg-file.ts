import { readFileSync } from 'node:fs'
import { html, raw } from 'hono/html'
import { formatDuration } from '../layout/formatted-values.ts'
import { joinRepeatedCalls } from './join-repeated-calls.ts'
import { clockTime } from './timeline-mark-labels.ts'
import type { PaymentTimeline } from './timeline-mark-types.ts'
import { timelinePicture } from './timeline-picture.ts'

const read = (name: string): string => readFileSync(new URL(`../../assets/style/${name}.css`, import.meta.url), 'utf8')

const COLOURS = read('colours')
const ROOT_RULE = COLOURS.slice(COLOURS.indexOf(':root {'), COLOURS.indexOf('\n}') + 2)

/** The styles inside the SVG file, which is viewed without our stylesheets. */
const STYLE = raw(
  `${ROOT_RULE}\nsvg{background:var(--surface);font-family:system-ui,sans-serif}\n${read('timeline-picture')}`,
)

/** Returns the timeline of a payment as an SVG file, as control serves it and failed tests save it. */
export const timelineFile = (whole: PaymentTimeline): string => {
  const view = { ...whole, marks: joinRepeatedCalls(whole.marks) }
  const picture = timelinePicture(view, { named: true })
  const [, width = '0', height = '0'] = /width="(\d+)" height="(\d+)"/.exec(String(picture)) ?? []
  const wide = Math.max(Number(width), 560) + 48
  return String(html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${Number(height) + 76}" width="${wide}" height="${Number(height) + 76}" font-family="system-ui, sans-serif">
<title>${view.transactionId}</title>
<style>${STYLE}</style>
<rect width="100%" height="100%" fill="var(--surface)"/>
<text x="24" y="30" font-size="15" font-weight="650" fill="var(--ink)">${view.providerId} ${view.clientTransactionId}: ${view.state}</text>
<text x="24" y="48" font-size="11" fill="var(--soft)">${view.transactionId}, ${clockTime(view.createdAt)}, ${formatDuration(view.now - view.createdAt)}</text>
<svg x="24" y="64" width="${width}" height="${height}">${picture}</svg>
</svg>`)
}
