import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDuration } from '../../hosted-pages/portal/layout/formatted-values.ts'
import { axisOf } from '../../hosted-pages/portal/timeline/timeline-axis.ts'
import { LANES, type Mark } from '../../hosted-pages/portal/timeline/timeline-mark-types.ts'
import { timelineFile } from '../../hosted-pages/portal/timeline/timeline-svg-file.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const call = (at: number): Mark =>
  ({
    lane: 'call',
    at,
    tone: 'good',
    callId: '',
    name: 'status',
    method: '',
    target: '',
    status: 200,
    durationMilliseconds: 1,
  }) as const
const state = (at: number): Mark => ({ lane: 'state', at, tone: 'good', name: 'payment.captured', state: 'CAPTURED' })
const jump = (at: number, until: number): Mark =>
  ({ lane: 'clock', at, until, tone: 'plain', way: 'advance', rate: 1, ran: 0 }) as const

const axis = (marks: readonly Mark[], now = marks.at(-1)?.at ?? 0) => axisOf(marks, now, mark => mark.lane)
const inColumns = (marks: readonly Mark[]) =>
  axis(marks).columns.map(({ stops }) => stops.flatMap(stop => (stop.kind === 'mark' ? [stop.index] : [])).join())

describe('the axis of a timeline', () => {
  test('marks within a moment share a column while their lanes descend', () => {
    expect(inColumns([call(0), state(3)])).toEqual(['0,1', ''])
    expect(inColumns([state(0), call(3)])).toEqual(['0', '1', ''])
    expect(inColumns([call(0), call(1)])).toEqual(['0', '1', ''])
    expect(inColumns([call(0), state(3_000)])).toEqual(['0', '1', ''])
  })

  test('time without marks is cut out and its length is written', () => {
    const { gaps } = axis([call(0), call(5_000), call(HOUR)])
    expect(gaps.map(({ milliseconds, isBroken, isWritten }) => [milliseconds, isBroken, isWritten])).toEqual([
      [5_000, false, true],
      [HOUR - 5_000, true, true],
      [0, false, false],
    ])
  })

  test('time that the clock jumped over differs from time that passed', () => {
    const { gaps } = axis([call(0), jump(60_000, 60_000 + HOUR), state(60_000 + HOUR), call(70_000 + HOUR)])
    expect(gaps.filter(({ isBroken }) => isBroken).map(({ milliseconds, isJump }) => [milliseconds, isJump])).toEqual([
      [60_000, false],
      [HOUR, true],
    ])
  })

  test('an hour takes no more room than a minute, and a second more than a moment', () => {
    const widthOf = (gap: number) => {
      const [first, second] = axis([call(0), state(gap)]).columns
      return (second?.x ?? 0) - (first?.x ?? 0)
    }
    expect(widthOf(HOUR)).toBe(widthOf(60_000))
    expect(widthOf(5_000)).toBeGreaterThan(widthOf(500))
    expect(widthOf(20_000)).toBeGreaterThan(widthOf(5_000))
  })

  test('planned marks come after the present', () => {
    const planned: Mark = { lane: 'state', at: 9_000, tone: 'plain', planned: true, name: 'settlement' }
    const kinds = axis([call(0), planned], 1_000).columns.flatMap(({ stops }) =>
      stops.map(({ kind, at }) => `${kind} ${at}`),
    )
    expect(kinds).toEqual(['mark 0', 'now 1000', 'mark 9000'])
  })

  const anyMarks = fc
    .array(
      fc.tuple(fc.integer({ min: 0, max: 200_000 }), fc.constantFrom(...LANES), fc.integer({ min: 0, max: 90_000 })),
      { maxLength: 40 },
    )
    .map(rows =>
      rows
        .sort(([a], [b]) => a - b)
        .map(
          ([at, lane, more]): Mark =>
            lane === 'clock' ? jump(at, at + more) : ({ ...state(at), lane, action: 'approve' } as Mark),
        ),
    )

  test('for any marks: columns from left to right and lanes from top to bottom are in order of time', () => {
    fc.assert(
      fc.property(anyMarks, marks => {
        const { columns } = axis(marks)
        const stops = columns.flatMap(({ stops }) => stops)
        const indexes = stops.flatMap(stop => (stop.kind === 'mark' ? [stop.index] : []))
        expect(indexes).toEqual(marks.map((_, at) => at))
        for (const { stops } of columns) {
          const lanes = stops.map(({ lane }) => LANES.indexOf(lane))
          expect(lanes).toEqual([...new Set(lanes)].sort((a, b) => a - b))
        }
        for (const [at, { x }] of columns.entries()) expect(x).toBeGreaterThan(columns[at - 1]?.x ?? 0)
      }),
    )
  })

  test('for any marks: no two labels of a row overlap', () => {
    fc.assert(
      fc.property(anyMarks, marks => {
        const ends = new Map<string, number>()
        for (const { x, stops } of axis(marks).columns)
          for (const { lane, label, above, kind } of stops) {
            if (kind !== 'mark') continue
            const row = lane === 'state' || lane === 'clock' ? lane : `${lane} ${above}`
            expect(x).toBeGreaterThanOrEqual(ends.get(row) ?? 0)
            ends.set(row, x + label.length * 6)
          }
      }),
    )
  })

  test('for any marks: no two times overlap, those with a date neither, and the last fits', () => {
    fc.assert(
      fc.property(anyMarks, fc.integer({ min: 0, max: DAY }), (marks, since) => {
        const later = marks.map(
          mark => ({ ...mark, at: mark.at + since, ...('until' in mark ? { until: mark.until + since } : {}) }) as Mark,
        )
        const { columns, width } = axis(later)
        let end = 0
        for (const { x, time } of columns) {
          if (time === undefined) continue
          expect(x).toBeGreaterThanOrEqual(end)
          end = x + time.length * 5.7 // pixels of a letter at 10 px
        }
        expect(width).toBeGreaterThanOrEqual(end)
      }),
    )
  })

  test('the first time has its date, and so has one behind a hole that ends on another day', () => {
    const times = axis([call(0), call(60_000), call(DAY)]).columns.map(({ time }) => time)
    expect(times).toEqual(['1970-01-01 00:00:00', '00:01:00', '1970-01-02 00:00:00', undefined])
  })
})

test('a duration is shown with its two largest units, or in tenths of seconds', () => {
  expect([0, 12, 999, 4_520, 45_000, 60_000, 5_400_000, 90_061_000, 604_800_000].map(formatDuration)).toEqual([
    '0 s',
    '12 ms',
    '999 ms',
    '4.5 s',
    '45 s',
    '1 min',
    '1 h 30 min',
    '1 d 1 h',
    '7 d',
  ])
})

test('the SVG file is well-formed, with its own styles and no external resources', () => {
  const marks = [call(0), state(2), jump(5_000, HOUR), { ...call(HOUR), name: '<script>&"' } as Mark]
  const view = {
    transactionId: 't',
    clientTransactionId: '<b>',
    providerId: 'BLIK',
    state: 'CAPTURED',
    status: 'APPROVED',
    amount: 1,
    currency: 'PLN',
    description: '',
    createdAt: 0,
    now: HOUR,
    marks,
  }
  const file = String(timelineFile(view))
  expect(file.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true)
  expect(file).toContain('<style>')
  expect(file).not.toMatch(/<script|<b>|url\(|@import|https?:\/\/(?!www\.w3\.org)/)
  expect(file).toContain('&lt;script&gt;&amp;&quot;')
})
