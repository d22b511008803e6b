import { clockTime } from './timeline-mark-labels.ts'
import { LANES, type Lane, type Mark } from './timeline-mark-types.ts'

/** A place on the axis of a timeline's picture: a mark, the instant to which the clock was moved, or the present. */
export type Stop = {
  at: number
  lane: Lane
  label: string /** On which side of its lane the label stands. */
  above?: boolean
} & ({ kind: 'mark'; mark: Mark; index: number } | { kind: 'arrival'; index: number } | { kind: 'now' })

/**
 * A column of a timeline's picture: stops of nearly the same instant, one below the other in their order. The clock
 * time is written at the beginning of the axis and behind every hole.
 */
export type Column = { at: number; x: number; stops: readonly Stop[]; time?: string }

/**
 * The time between two columns of a timeline's picture: labelled where it is long, and cut out where nothing happened
 * for longer.
 */
export type Gap = {
  x1: number
  x2: number
  milliseconds: number
  isWritten: boolean
  isBroken: boolean
  isJump: boolean
}

export type Axis = { columns: readonly Column[]; gaps: readonly Gap[]; width: number }

/** Milliseconds within which stops stand in one column. */
const NEAR = 100
const WRITTEN = 1_000
const BROKEN = 30_000

/**
 * Computes the axis of a timeline's picture: columns and lanes in order of time, room for every label, and idle time
 * cut out where it would push the rest apart.
 */
export const axisOf = (marks: readonly Mark[], now: number, labelOf: (mark: Mark) => string): Axis => {
  const columns = columnsOf(stopsOf(marks, now, labelOf))
  const jumps = marks.flatMap(mark => (mark.lane === 'clock' && mark.until > mark.at ? [mark] : []))
  const placed = placedOf(columns, jumps)
  const gaps = placed.slice(1).map((column, at) => gapOf(placed[at] ?? column, column, jumps))
  const last = placed.at(-1)
  const ends = placed.flatMap(({ x, stops, time = '' }) => [
    x + DIGIT * time.length,
    ...stops.map(stop => x + ROOM + widthOf(stop)),
  ])
  return { columns: placed, gaps, width: Math.ceil(Math.max((last?.x ?? 0) + ROOM, ...ends)) }
}

/** Returns the stops in their order: marks, arrivals of the clock, and the present before all planned marks. */
const stopsOf = (marks: readonly Mark[], now: number, labelOf: (mark: Mark) => string): Stop[] => {
  const stops: Stop[] = []
  const travelling: Stop[] = []
  const arrive = (by: number) => {
    while (travelling[0] && travelling[0].at <= by) stops.push(travelling.shift() as Stop)
  }
  const present: Stop = { kind: 'now', at: now, lane: 'clock', label: '' }
  const firstPlanned = marks.findIndex(({ planned }) => planned)
  for (const [index, mark] of marks.entries()) {
    arrive(index === firstPlanned ? Number.POSITIVE_INFINITY : mark.at)
    if (index === firstPlanned) stops.push(present)
    stops.push({ kind: 'mark', at: mark.at, lane: mark.lane, label: labelOf(mark), mark, index })
    if (mark.lane === 'clock' && mark.until > mark.at)
      travelling.push({ kind: 'arrival', at: mark.until, lane: 'clock', label: '', index })
    travelling.sort((a, b) => a.at - b.at)
  }
  arrive(Number.POSITIVE_INFINITY)
  return firstPlanned < 0 ? [...stops, present] : stops
}

type Unplaced = Omit<Column, 'x' | 'stops'> & { stops: Stop[] }

const columnsOf = (stops: readonly Stop[]): Unplaced[] => {
  const columns: Unplaced[] = []
  for (const stop of stops) {
    const open = columns.at(-1)
    const above = open?.stops.at(-1)
    const fits = open && above && stop.at - open.at <= NEAR && LANES.indexOf(stop.lane) > LANES.indexOf(above.lane)
    if (fits && above.kind !== 'now') open.stops.push(stop)
    else columns.push({ at: stop.at, stops: [stop] })
  }
  return columns
}

const ROOM = 18
const LETTER = 6.2
const CAPITAL = 7.6
/** Pixels of a character of a clock time. */
const DIGIT = 6

/** Estimates the width of a label in pixels; states are in bold capitals. */
const widthOf = ({ label, lane }: Stop): number =>
  (lane === 'state' ? 18 : 8) + label.length * (lane === 'state' ? CAPITAL : LETTER)

type Jump = { at: number; until: number }

/** Returns the columns with x positions, as near to each other as the time between them and labels allow. */
const placedOf = (columns: readonly Unplaced[], jumps: readonly Jump[]): Column[] => {
  const free = new Map<string, number>()
  const seen = new Map<Lane, number>()
  const placed: Column[] = []
  let timed = 0
  for (const { at, stops } of columns) {
    const before = placed.at(-1)
    const near = before ? before.x + stepFor(at - before.at, isWithin(before.at, at, jumps)) : ROOM
    const time = timeAt(at, before?.at, jumps)
    const x = Math.max(
      near,
      time === '' ? 0 : timed,
      ...stops.map(stop => free.get(stop.kind === 'now' ? 'state' : rowOf(stop, seen)) ?? 0),
    )
    for (const stop of stops) {
      stop.above = (seen.get(stop.lane) ?? 0) % 2 === 0
      free.set(rowOf(stop, seen), x + widthOf(stop) + (stop.lane === 'state' ? 4 : ROOM))
      seen.set(stop.lane, (seen.get(stop.lane) ?? 0) + 1)
    }
    if (time !== '') timed = x + DIGIT * (time.length + 1)
    placed.push({ at, x: Math.round(x), stops, ...(time === '' ? {} : { time }) })
  }
  return placed
}

/** Returns the clock time to write at a column, with the day where that is another; empty where no hole is before it. */
const timeAt = (at: number, before: number | undefined, jumps: readonly Jump[]): string =>
  before === undefined || isHole(at - before, isWithin(before, at, jumps))
    ? clockTime(at, before).replace(/\.\d+$/, '')
    : ''

const isHole = (milliseconds: number, isJump: boolean): boolean =>
  milliseconds >= BROKEN || (isJump && milliseconds >= WRITTEN)

/** Returns the row of a label: labels of a lane alternate above and below it, except for states and the clock. */
const rowOf = ({ lane }: Stop, seen: ReadonlyMap<Lane, number>): string =>
  lane === 'state' || lane === 'clock' ? lane : `${lane} ${(seen.get(lane) ?? 0) % 2}`

const stepFor = (milliseconds: number, isJump: boolean): number => {
  if (isHole(milliseconds, isJump)) return 92
  return milliseconds >= WRITTEN ? 46 + 14 * Math.log10(milliseconds / WRITTEN) : 26
}

const isWithin = (from: number, to: number, jumps: readonly Jump[]): boolean =>
  jumps.some(({ at, until }) => at <= from && to <= until)

const gapOf = (left: Column, right: Column, jumps: readonly Jump[]): Gap => {
  const milliseconds = Math.max(0, right.at - left.at)
  const isWritten = milliseconds >= WRITTEN
  const isJump = isWritten && isWithin(left.at, right.at, jumps)
  return { x1: left.x, x2: right.x, milliseconds, isWritten, isBroken: isHole(milliseconds, isJump), isJump }
}
