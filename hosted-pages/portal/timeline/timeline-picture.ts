import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { formatDuration } from '../layout/formatted-values.ts'
import { type Axis, axisOf, type Column, type Gap, type Stop } from './timeline-axis.ts'
import { clockTime, LANE_NAMES, labelOf } from './timeline-mark-labels.ts'
import { LANES, type Lane, type PaymentTimeline } from './timeline-mark-types.ts'

// biome-ignore format: a table reads by its columns
/** The y position of each lane, in pixels. */
const Y: Readonly<Record<Lane, number>> = { clock: 70, shopper: 118, call: 172, state: 226, webhook: 280 }
const RULER = 34
const HEIGHT = 312
const NAMES = 104

type Options = {
  /** Whether the picture itself names lanes and marks: in a file, where no page does. */
  named: boolean
}

/** Returns the picture of a timeline as SVG, from left to right: a lane per kind of mark, states as a band. */
export const timelinePicture = (view: PaymentTimeline, { named }: Options): Html => {
  const axis = axisOf(view.marks, view.now, mark => labelOf(mark))
  const left = named ? NAMES : 0
  const width = axis.width + left
  return html`<svg xmlns="http://www.w3.org/2000/svg" class="tl" viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}" role="group" aria-label="Timeline">
${named ? LANES.map(lane => html`<text class="name" x="0" y="${Y[lane] + 4}">${LANE_NAMES[lane]}</text>`) : ''}
<g transform="translate(${left} 0)">
${LANES.map(lane => html`<path class="lane" d="M0 ${Y[lane]}H${axis.width}"/>`)}
${axis.columns.map(column => html`<path class="col${column.stops.at(-1)?.kind === 'now' ? ' present' : ''}" d="M${column.x} ${RULER}V${bottomOf(column)}"/>`)}
<path class="axis" d="${axisPath(axis)}"/>
${axis.gaps.map(gap => (gap.isWritten ? gapMark(gap) : ''))}
${times(axis)}
${bands(axis)}
${jumps(axis)}
${axis.columns.map(column => column.stops.map(stop => stopMark(stop, column, named)))}
</g></svg>`
}

const bottomOf = ({ stops }: Column): number => {
  const last = stops.at(-1)
  return last?.kind === 'now' ? HEIGHT - 8 : Y[last?.lane ?? 'clock']
}

/** Returns the SVG path of the axis, with a hole wherever time is cut out. */
const axisPath = ({ columns, gaps, width }: Axis): string => {
  const holes = gaps.filter(({ isBroken }) => isBroken)
  const ends = [...holes.map(hole => middle(hole) - 5), width]
  const starts = [0, ...holes.map(hole => middle(hole) + 5)]
  return columns.length === 0 ? '' : starts.map((start, at) => `M${start} ${RULER}H${ends[at]}`).join('')
}

const middle = ({ x1, x2 }: Gap): number => Math.round((x1 + x2) / 2)

const gapMark = (gap: Gap): Html => {
  const [x, time] = [middle(gap), formatDuration(gap.milliseconds)]
  const title = gap.isJump ? `${time} that the clock jumped over` : `${time} in which nothing happened`
  const tear = gap.isBroken ? html`<path d="M${x - 8} ${RULER + 6}l6 -12M${x + 2} ${RULER + 6}l6 -12"/>` : ''
  return html`<g class="gap${gap.isJump ? ' jump' : ''}"><title>${title}</title>${tear}<text x="${x}" y="${RULER - 9}">${time}</text></g>`
}

const times = ({ columns }: Axis): Html[] =>
  columns.flatMap(({ x, time }) =>
    time === undefined ? [] : [html`<text class="time" x="${x}" y="${RULER + 15}">${time}</text>`],
  )

/** Returns the band of states, each from its beginning to the next. */
const bands = ({ columns }: Axis): Html[] => {
  const stops = columns.flatMap(({ x, stops }) => stops.map(stop => ({ x, stop })))
  const now = stops.find(({ stop }) => stop.kind === 'now')?.x ?? 0
  const moves = stops.flatMap(({ x, stop }) =>
    stop.kind === 'mark' && stop.mark.lane === 'state' && stop.mark.state && !stop.mark.planned
      ? [{ x, state: stop.mark.state, tone: stop.mark.tone }]
      : [],
  )
  return moves.map(({ x, state }, at) => {
    const end = moves[at + 1]?.x ?? Math.max(now, x + 10)
    return html`<rect class="band ${lookOf(state)}" x="${x}" y="${Y.state - 12}" width="${end - x}" height="24" rx="5"/>`
  })
}

// biome-ignore format: a table reads by its columns
const LOOKS: Readonly<Record<string, string>> = {
  AWAITING_SHOPPER: 'late', AUTHENTICATED: 'late', DECLINED: 'bad', EXPIRED: 'bad', CANCELED: 'idle', DISPUTED: 'bad',
}
/** Returns the look of a payment state in a timeline's picture: good, late, bad or idle. */
export const lookOf = (state: string): string => LOOKS[state] ?? 'good'

/** Returns the arrows over the time that the clock was moved by. */
const jumps = ({ columns }: Axis): Html[] => {
  const stops = columns.flatMap(({ x, stops }) => stops.map(stop => ({ x, stop })))
  return stops.flatMap(({ x, stop }) => {
    const start =
      stop.kind === 'arrival' ? stops.find(one => one.stop.kind === 'mark' && one.stop.index === stop.index) : undefined
    return start ? [html`<path class="leap" d="M${start.x} ${Y.clock}H${x - 2}m-6 -4l6 4l-6 4"/>`] : []
  })
}

const stopMark = (stop: Stop, { x }: Column, named: boolean): Html | '' => {
  if (stop.kind === 'now') return html`<text class="now" x="${x}" y="${HEIGHT - 1}">now</text>`
  if (stop.kind === 'arrival') return ''
  const { mark, index, lane, label } = stop
  const [y, dy] = [Y[lane], stop.above ? -11 : 19]
  const [tx, ty] = lane === 'state' ? [x + 8, y + 4] : lane === 'clock' ? [x + 9, y - 6] : [x + 2, y + dy]
  const title = `${clockTime(mark.at).slice(11)} ${LANE_NAMES[lane]}: ${label}`
  return html`<a class="pt ${lane} ${mark.tone}${mark.planned ? ' planned' : ''}" href="#m${index}">${named ? html`<title>${title}</title>` : ''}<path d="${SHAPES[lane](x, y)}"/>${mark.tone === 'bad' ? html`<path class="no" d="M${x - 2.5} ${y - 2.5}l5 5m0 -5l-5 5"/>` : ''}<text x="${tx}" y="${ty}">${label}</text></a>`
}

/** SVG shapes of a timeline's marks, one for each lane, so that no colour is needed to tell them apart. */
export const SHAPES: Readonly<Record<Lane, (x: number, y: number) => string>> = {
  clock: (x, y) => `M${x} ${y - 6}l6 6l-6 6l-6 -6z`,
  shopper: (x, y) => `M${x - 6} ${y}a6 6 0 1 1 12 0a6 6 0 1 1 -12 0z`,
  call: (x, y) => `M${x - 5.5} ${y - 5.5}h11v11h-11z`,
  state: (x, y) => `M${x - 1.5} ${y - 14}h3v28h-3z`,
  webhook: (x, y) => `M${x - 5} ${y - 7}l13 7l-13 7z`,
}
