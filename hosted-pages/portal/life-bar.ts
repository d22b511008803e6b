import { html } from 'hono/html'
import type { Html } from '../layout.ts'

type Life = { from: number; to: number; look: 'good' | 'late' | 'bad' | 'idle' }
export type Scale = { from: number; to: number; now: number }

const WIDTH = 1000
const LEAST = 6

/** A stretch of time that takes in several lives and the present, with a little air at both ends. */
export const scaleOf = (lives: readonly Pick<Life, 'from' | 'to'>[], now: number): Scale => {
  const from = Math.min(now, ...lives.map(life => life.from))
  const to = Math.max(now, ...lives.map(life => life.to))
  const air = Math.max(1, (to - from) * 0.02)
  return { from: from - air, to: to + air, now }
}

/** One life on a scale that others share, so that what overlaps is seen to overlap; the line is the present. */
export const lifeBar = (label: string, { from, to, look }: Life, scale: Scale): Html => {
  const x = (at: number) => Math.round((WIDTH * (at - scale.from)) / (scale.to - scale.from))
  const [begin, end] = [x(from), x(to)]
  return html`<svg class="life ${look}" viewBox="0 0 ${WIDTH} 24" preserveAspectRatio="none" role="img" aria-label="${label}"><rect class="ground" x="0" y="9" width="${WIDTH}" height="6"/><rect x="${begin}" y="6" width="${Math.max(LEAST, end - begin)}" height="12"/><path d="M${x(scale.now)} 0V24"/></svg>`
}
