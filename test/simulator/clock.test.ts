import { describe, expect, test } from 'vitest'
import { createClock, isoTime } from '../../simulator/clock.ts'
import { DAY, HOUR, MINUTE, parseDuration, SECOND } from '../../simulator/duration.ts'

describe('the clock', () => {
  test('an organization’s time is real time until it is moved, and runs on from there', () => {
    let real = 1_000
    const clock = createClock(() => real)
    expect([clock.now('a'), clock.offset('a')]).toEqual([1_000, 0])
    clock.setOffset('a', 500)
    real += 7
    expect([clock.now('a'), clock.now('b'), clock.real()]).toEqual([1_507, 1_007, 1_007])
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
  ])('%j is none', text => {
    expect(parseDuration(text)).toBeUndefined()
  })
})
