import { html } from 'hono/html'
import type { Html } from '../../layout.ts'
import { formatDuration } from '../layout/formatted-values.ts'
import { axisOf, type Gap, type Stop } from './timeline-axis.ts'
import { clockTime, LANE_NAMES, labelOf } from './timeline-mark-labels.ts'
import { LANES, type Lane, type PaymentTimeline } from './timeline-mark-types.ts'
import { lookOf, SHAPES } from './timeline-picture.ts'

const WIDTH = 328
const ROW = 36
const TOP = 8
const TEXT = 118

const xOf = (lane: Lane): number => 12 + 22 * LANES.indexOf(lane)

type Row = { y: number } & ({ stop: Stop; before: number | undefined } | { gap: Gap })

/** Returns the HTML of a timeline from top to bottom, for narrow screens: a row for each mark and each idle time. */
export const timelineColumn = (view: PaymentTimeline): Html => {
  const rows = rowsOf(view)
  const height = TOP + rows.length * ROW
  return html`<svg class="tl tall" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="group" aria-label="Timeline">
${LANES.map(lane => html`<path class="lane" d="M${xOf(lane)} 0V${height}"/>`)}
${bands(rows)}
${rows.map(row => ('gap' in row ? gapRow(row.gap, row.y) : stopRow(row.stop, row.y, row.before)))}
</svg>`
}

const rowsOf = (view: PaymentTimeline): Row[] => {
  const { columns, gaps } = axisOf(view.marks, view.now, mark => labelOf(mark))
  const rows: Row[] = []
  const next = () => TOP + rows.length * ROW + ROW / 2
  for (const [at, column] of columns.entries()) {
    const gap = gaps[at - 1]
    if (gap?.isBroken) rows.push({ y: next(), gap })
    for (const [nth, stop] of column.stops.entries())
      if (stop.kind !== 'arrival') rows.push({ y: next(), stop, before: nth > 0 ? column.at : columns[at - 1]?.at })
  }
  return rows
}

const bands = (rows: readonly Row[]): Html[] => {
  const last = rows.find(row => 'stop' in row && row.stop.kind === 'now')?.y ?? 0
  const moves = rows.flatMap(row => {
    const mark = 'stop' in row && row.stop.kind === 'mark' ? row.stop.mark : undefined
    return mark?.lane === 'state' && mark.state && !mark.planned ? [{ y: row.y, state: mark.state }] : []
  })
  return moves.map(({ y, state }, at) => {
    const end = moves[at + 1]?.y ?? Math.max(last, y + 10)
    return html`<rect class="band ${lookOf(state)}" x="${xOf('state') - 7}" y="${y}" width="14" height="${end - y}" rx="4"/>`
  })
}

const gapRow = (gap: Gap, y: number): Html => {
  const time = formatDuration(gap.milliseconds)
  const right = xOf('webhook') + 8
  return html`<g class="gap${gap.isJump ? ' jump' : ''}"><path d="M4 ${y - 3}l${right / 4} -3l${right / 4} 6l${right / 4} -6l${right / 4} 3M4 ${y + 5}l${right / 4} -3l${right / 4} 6l${right / 4} -6l${right / 4} 3"/><text x="${TEXT}" y="${y + 4}">${gap.isJump ? `${time} that the clock jumped over` : `${time} in which nothing happened`}</text></g>`
}

const stopRow = (stop: Stop, y: number, before: number | undefined): Html => {
  if (stop.kind === 'now')
    return html`<g><path class="axis" d="M0 ${y}H${TEXT - 10}"/><text class="now" x="${TEXT}" y="${y + 4}">now ${clockTime(stop.at, before).replace(/\.\d+$/, '')}</text></g>`
  if (stop.kind === 'arrival') return html``
  const { mark, index, lane, label } = stop
  const x = xOf(lane)
  const bad =
    mark.tone === 'bad' && lane !== 'state' ? html`<path class="no" d="M${x - 2.5} ${y - 2.5}l5 5m0 -5l-5 5"/>` : ''
  return html`<a class="pt ${lane} ${mark.tone}${mark.planned ? ' planned' : ''}" href="#m${index}"><path d="${lane === 'state' ? `M${x - 9} ${y - 1.5}h18v3h-18z` : SHAPES[lane](x, y)}"/>${bad}<text x="${TEXT}" y="${y}">${label}</text><text class="time" x="${TEXT}" y="${y + 13}">${clockTime(mark.at, before)} ${LANE_NAMES[lane]}</text></a>`
}
