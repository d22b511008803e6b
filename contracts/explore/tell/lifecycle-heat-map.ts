import { type Stage, TRANSITIONS } from '../../model/lifecycle.ts'
import type { Coverage } from '../coverage.ts'

type Visits = Coverage['transitions']
type Place = readonly [column: number, row: number]

/** Where each stage is drawn: the way of a payment in the middle, its ends below. */
// biome-ignore format: a table reads by its columns
const PLACES: Readonly<Record<Stage | 'none', Place>> = {
  none:              [0, 1], waiting:  [1, 1], authenticated: [2, 1], authorized: [3, 1], 'partly captured': [4, 1],
  captured:          [5, 1], settled:  [6, 1], 'partly refunded': [7, 1], refunded: [8, 1],
  tokenized:         [3, 0], declined: [1, 2], canceled: [3, 2], expired: [4, 2],
}

const [COLUMN, ROW, WIDTH, HEIGHT, TOP] = [150, 150, 112, 34, 40]
const UNSEEN = '#c2410c'

const centre = ([column, row]: Place) => ({ x: 70 + column * COLUMN, y: TOP + 40 + row * ROW })

/** Colour of an edge: the darker, the more often it was visited, by powers of ten. */
const colourOf = (visits: number): string =>
  visits === 0 ? UNSEEN : `hsl(215 70% ${Math.max(20, 75 - 15 * Math.log10(visits))}%)`

/** A path between two stages, bent so that those along the row do not hide each other; a stage has its loop below. */
const pathOf = (from: Place, to: Place): { d: string; x: number; y: number } => {
  const [one, other] = [centre(from), centre(to)]
  const half = HEIGHT / 2
  if (from === to) {
    const y = one.y + half
    const d = `M ${one.x - 20} ${y} C ${one.x - 30} ${y + 45}, ${one.x + 30} ${y + 45}, ${one.x + 20} ${y}`
    return { d, x: one.x, y: y + 46 }
  }
  const columns = to[0] - from[0]
  const isAlong = from[1] === to[1]
  const bend = isAlong ? (columns > 1 ? -32 * columns : 0) : 0
  const side = Math.sign(columns) * (WIDTH / 2)
  const start =
    isAlong && bend === 0
      ? { x: one.x + side, y: one.y }
      : { x: one.x, y: one.y + (isAlong || to[1] < from[1] ? -half : half) }
  const end =
    isAlong && bend === 0
      ? { x: other.x - side, y: other.y }
      : { x: other.x, y: other.y + (isAlong || to[1] > from[1] ? -half : half) }
  const middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 + bend }
  return {
    d: `M ${start.x} ${start.y} Q ${middle.x} ${middle.y} ${end.x} ${end.y}`,
    x: middle.x,
    y: (start.y + end.y) / 4 + middle.y / 2 - 4,
  }
}

const edges = (visits: Visits): string[] => {
  const pairs = Map.groupBy(TRANSITIONS, ([from, , , to]) => `${from} ${to}`)
  return [...pairs.values()].flatMap(rows => {
    const [first] = rows
    if (!first) return []
    const sum = rows.reduce((all, row) => all + (visits.get(row) ?? 0), 0)
    const { d, x, y } = pathOf(PLACES[first[0]], PLACES[first[3]])
    const told = rows.map(row => `${row[0]} → ${row[3]}: ${row[1]}, ${row[2]} (${row[4]}): ${visits.get(row) ?? 0}`)
    const dashes = sum === 0 ? ' stroke-dasharray="4 4"' : ''
    return [
      `<g stroke="${colourOf(sum)}"><title>${told.join('\n')}</title><path d="${d}" fill="none" stroke-width="2.5" marker-end="url(#to)"${dashes}/>`,
      `<text x="${x}" y="${y}" stroke="none" fill="${colourOf(sum)}">${sum}</text></g>`,
    ]
  })
}

const boxes = (): string[] =>
  Object.entries(PLACES).map(([stage, place]) => {
    const { x, y } = centre(place)
    return `<rect x="${x - WIDTH / 2}" y="${y - HEIGHT / 2}" width="${WIDTH}" height="${HEIGHT}" rx="6"/><text x="${x}" y="${y + 4}">${stage}</text>`
  })

/**
 * Draws the lifecycle as an SVG, each transition coloured by how often exploration visited it; those that it did not
 * are dashed.
 */
export const lifecycleHeatMap = (
  visits: Visits,
): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -20 1340 480" font-family="sans-serif" font-size="12" text-anchor="middle">
<title>Visits of each transition</title>
<defs><marker id="to" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path d="M 0 0 L 8 4 L 0 8 z" fill="context-stroke" stroke="none"/></marker></defs>
<rect y="-20" width="1340" height="480" fill="#fff"/>
<g font-weight="bold">${edges(visits).join('\n')}</g>
<g fill="#f1f5f9" stroke="#475569">${boxes().join('\n').replaceAll('<text', '<text stroke="none" fill="#0f172a"')}</g>
</svg>
`

/** Formats every transition of the lifecycle with exploration's visits as CSV. */
export const coverageCsv = (visits: Visits): string =>
  `from,cause,outcome,to,clause,visits\n${TRANSITIONS.map(row => `${[...row.slice(0, 4), `"${row[4]}"`].join(',')},${visits.get(row) ?? 0}\n`).join('')}`
