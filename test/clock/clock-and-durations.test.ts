import { describe, expect, test } from 'vitest'
import { createClock, isoTime, LAST_INSTANT, REAL_TIME_SETTING } from '../../simulator/support/clock.ts'
import { DAY, HOUR, MINUTE, parseDuration, SECOND } from '../../simulator/support/duration.ts'

const START = Date.UTC(2026, 0, 5, 12)

const open = () => {
  const time = { now: START, passed: 0 }
  const clock = createClock(
    () => time.now,
    () => time.passed,
  )
  const pass = (milliseconds: number) => {
    time.now += milliseconds
    time.passed += milliseconds
  }
  return { time, clock, pass }
}

describe('the clock', () => {
  test('follows real time until it is moved, and runs on from there', () => {
    const { time, clock } = open()
    expect([clock.now('a'), clock.setting('a')]).toEqual([START, REAL_TIME_SETTING])
    clock.adjust('a', { at: START + 500 })
    time.now += 7
    expect([clock.now('a'), clock.now('b'), clock.real()]).toEqual([START + 507, START + 7, START + 7])
  })

  test('stands while frozen, also after a jump, and resumes from there', () => {
    const { time, clock } = open()
    clock.adjust('a', { rate: 0 })
    time.now += HOUR
    expect(clock.now('a')).toBe(START)
    clock.adjust('a', { at: START + 9 })
    time.now += HOUR
    expect(clock.now('a')).toBe(START + 9)
    clock.adjust('a', { rate: 1 })
    time.now += 3
    expect(clock.now('a')).toBe(START + 12)
  })

  test('runs faster by its scale, in whole milliseconds, and changes scale without a jump', () => {
    const { time, clock } = open()
    clock.adjust('a', { rate: 60 })
    time.now += SECOND
    expect(clock.now('a')).toBe(START + MINUTE)
    clock.adjust('a', { rate: 0.3 })
    expect(clock.now('a')).toBe(START + MINUTE)
    time.now += 5
    expect(clock.now('a')).toBe(START + MINUTE + 1)
  })

  test('does not go back when real time is set back', () => {
    const { time, clock, pass } = open()
    clock.adjust('a', { rate: 2 })
    pass(10)
    expect([clock.now('a'), clock.now('b')]).toEqual([START + 20, START + 10])
    time.now -= DAY
    expect([clock.now('a'), clock.now('b'), clock.real()]).toEqual([START + 20, START + 10, START + 10 - DAY])
    pass(5)
    expect([clock.now('a'), clock.now('b')]).toEqual([START + 30, START + 15])
  })

  test('counts the time before real time was set back, also if it was not read in between', () => {
    const { time, clock, pass } = open()
    expect(clock.now('a')).toBe(START)
    pass(2 * HOUR)
    time.now -= 3 * HOUR
    expect(clock.now('a')).toBe(START + 2 * HOUR)
    pass(HOUR)
    time.now -= HOUR
    expect(clock.now('a')).toBe(START + 3 * HOUR)
  })

  test('follows real time when it leaps ahead, as after suspend', () => {
    const { time, clock, pass } = open()
    time.now += HOUR
    pass(1)
    expect(clock.now('a')).toBe(START + HOUR + 1)
  })

  test('does not stay ahead after the process halted during a read', () => {
    const { time, pass } = open()
    let halt = 20
    const clock = createClock(
      () => time.now,
      () => {
        const { passed } = time
        pass(halt)
        return passed
      },
    )
    clock.now('a')
    halt = 0
    pass(SECOND)
    expect(clock.now('a')).toBe(time.now)
  })

  test('equals the machine’s clock unless that is set back', () => {
    const clock = createClock()
    for (let look = 0; look < 1_000; look += 1) {
      const before = Date.now()
      const now = clock.now('a')
      expect(now).toBeGreaterThanOrEqual(before)
      expect(now - Date.now()).toBeLessThanOrEqual(1)
    }
  })

  test('with an anchor in the future counts from now', () => {
    const { time, clock } = open()
    clock.set('a', { anchorReal: START + DAY, anchorVirtual: START + HOUR, rate: 1 })
    expect(clock.now('a')).toBe(START + HOUR)
    time.now += 8
    expect(clock.now('a')).toBe(START + HOUR + 8)
  })

  test('computes the real time until an instant', () => {
    const { clock } = open()
    expect([clock.realUntil('a', START), clock.realUntil('a', START - 1), clock.realUntil('a', START + 7)]).toEqual([
      0, 0, 7,
    ])
    clock.adjust('a', { rate: 60 })
    expect([clock.realUntil('a', START + MINUTE), clock.realUntil('a', START + 61)]).toEqual([SECOND, 2])
    clock.adjust('a', { rate: 0 })
    expect([clock.realUntil('a', START), clock.realUntil('a', START + 1)]).toEqual([0, undefined])
  })

  test('computes the real time since an instant, at most since the clock was set', () => {
    const { time, clock } = open()
    time.now += MINUTE
    expect([clock.realSince('a', START), clock.realSince('a', START + DAY)]).toEqual([MINUTE, 0])
    clock.adjust('a', { at: START + DAY, rate: 60 })
    time.now += SECOND
    expect([clock.realSince('a', START), clock.realSince('a', START + DAY + 30 * SECOND)]).toEqual([SECOND, 500])
    clock.adjust('a', { rate: 0 })
    expect(clock.realSince('a', START)).toBeUndefined()
  })

  test('stops at 9999-01-01', () => {
    const { time, clock } = open()
    clock.adjust('a', { at: LAST_INSTANT - 1, rate: 1_000_000 })
    expect(clock.realUntil('a', LAST_INSTANT)).toBe(1)
    time.now += DAY
    expect(isoTime(clock.now('a'))).toBe('9999-01-01T00:00:00.000Z')
    expect(clock.realUntil('a', LAST_INSTANT + 1)).toBeUndefined()
  })

  test('2.7: times are written as ISO 8601 in UTC with milliseconds', () => {
    expect(isoTime(Date.UTC(2026, 10, 21, 10))).toBe('2026-11-21T10:00:00.000Z')
  })
})

describe('durations', () => {
  // biome-ignore format: a table reads by its columns
  test.each([
    ['PT45S',        45 * SECOND],
    ['PT0.05S',      50],
    ['PT0.5S',       500],
    ['PT2.125S',     2_125],
    ['PT0S',         0],
    ['PT30M',        30 * MINUTE],
    ['PT24H',        DAY],
    ['P7D',          7 * DAY],
    ['P1DT2H3M4.5S', DAY + 2 * HOUR + 3 * MINUTE + 4_500],
    ['PT100M',       100 * MINUTE],
    ['P3000000D',    3_000_000 * DAY],
  ])('%s is %i ms', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds)
  })

  test.each([
    '',
    'P',
    'PT',
    'P1DT',
    '45',
    '45S',
    'PT45',
    'pt45s',
    'PT-45S',
    '-PT45S',
    'PT1S1M',
    'P1W',
    'P1M',
    'PT1,5S',
    'PT.5S',
    'PT0.0005S',
    ' PT1S',
    'PT1S\n',
    'P999999999D',
    'P3000001D',
  ])('%j is not a duration', text => {
    expect(parseDuration(text)).toBeUndefined()
  })
})
