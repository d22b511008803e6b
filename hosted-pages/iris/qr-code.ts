import { html } from 'hono/html'
import { encode } from 'uqr'
import type { Html } from '../layout.ts'

/** The quiet zone around a code, in modules: scanners want four. */
const BORDER = 4

/** Returns a text as a QR code in SVG: dark on white in dark mode too, because many scanners read no other. */
export function qrCode(text: string, label: string, testId: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER })
  return html`
<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges" data-testid="${testId}"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path stroke="#000" d="${strokes(data)}"/></svg>`
}

/** Returns the SVG path of a QR code: each run of dark modules is one stroke along the middle of its row. */
const strokes = (rows: readonly (readonly boolean[])[]): string =>
  rows
    .flatMap((row, y) => {
      const dark = row.map(on => (on ? '#' : ' ')).join('')
      return Array.from(dark.matchAll(/#+/g), ({ index, 0: run }) => `M${index} ${y}.5h${run.length}`)
    })
    .join('')
