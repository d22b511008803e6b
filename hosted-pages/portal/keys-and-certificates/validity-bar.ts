import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { timestamp } from '../layout/formatted-values.ts'

/** Period in which a key or certificate is valid, in ISO 8601. */
type Validity = { from: string; to: string }
type Scale = { from: number; to: number; now: number }

const WIDTH = 1000
const LEAST = 6

/**
 * Returns a time scale for validity bars: it spans several validity periods and the present, with a margin at both
 * ends.
 */
export const scaleOf = (periods: readonly Validity[], now: number): Scale => {
  const from = Math.min(now, ...periods.map(one => Date.parse(one.from)))
  const to = Math.max(now, ...periods.map(one => Date.parse(one.to)))
  const margin = Math.max(1, (to - from) * 0.02)
  return { from: from - margin, to: to + margin, now }
}

/** Returns the HTML of a validity period as a bar on a shared time scale; a vertical line marks the present. */
export const validityBar = ({ from, to }: Validity, look: 'good' | 'late' | 'bad' | 'idle', scale: Scale): Html => {
  const x = (at: number) => Math.round((WIDTH * (at - scale.from)) / (scale.to - scale.from))
  const [begin, end] = [x(Date.parse(from)), x(Date.parse(to))]
  const label = `from ${from.slice(0, 10)} to ${to.slice(0, 10)}`
  return html`<span class="span"><svg class="life ${look}" viewBox="0 0 ${WIDTH} 24" preserveAspectRatio="none" role="img" aria-label="${label}"><rect class="ground" x="0" y="9" width="${WIDTH}" height="6"/><rect x="${begin}" y="6" width="${Math.max(LEAST, end - begin)}" height="12"/><path d="M${x(scale.now)} 0V24"/></svg>
<span class="ends">${timestamp(from)} <span>${timestamp(to)}</span></span></span>`
}
