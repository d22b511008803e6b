import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../../contracts/protocol/canonical-json.ts'
import { toCsv } from '../../simulator/support/csv.ts'
import { DAY, HOUR, MINUTE, parseDuration } from '../../simulator/support/duration.ts'
import { parseCsvRows } from '../support/parse-csv.ts'
import { propertyRuns } from './property-run-counts.ts'

const RUNS = propertyRuns(500)

/** The same value with the members of every object in another order. */
const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, turned(member)]),
  )
}

const json = fc.jsonValue().map(value => JSON.parse(JSON.stringify(value)) as unknown)

describe('D-20: canonical JSON', () => {
  test('the order of members does not matter', () => {
    fc.assert(
      fc.property(json, value => canonicalJson(turned(value)) === canonicalJson(value)),
      RUNS,
    )
  })

  test('different values have different texts', () => {
    fc.assert(
      fc.property(json, value => isDeepStrictEqual(JSON.parse(canonicalJson(value)), value)),
      RUNS,
    )
  })
})

describe('durations', () => {
  const count = fc.option(fc.nat(10_000), { nil: undefined })
  const milliseconds = fc.option(fc.nat(10_000_000), { nil: undefined })

  test('every duration of days, hours, minutes and seconds is parsed exactly', () => {
    fc.assert(
      fc.property(count, count, count, milliseconds, (days, hours, minutes, rest) => {
        const written = (number: number | undefined, unit: string) => (number === undefined ? '' : `${number}${unit}`)
        const time = written(hours, 'H') + written(minutes, 'M') + written(rest === undefined ? rest : rest / 1000, 'S')
        const text = `P${written(days, 'D')}${time && `T${time}`}`
        const sum = (days ?? 0) * DAY + (hours ?? 0) * HOUR + (minutes ?? 0) * MINUTE + (rest ?? 0)
        expect(parseDuration(text)).toBe(text === 'P' ? undefined : sum)
      }),
      RUNS,
    )
  })

  test('any other text is undefined or a non-negative number of milliseconds', () => {
    const texts = fc.oneof(fc.string(), fc.stringMatching(/^P?[\dDTHMS.,-]{0,12}$/))
    fc.assert(
      fc.property(texts, text => {
        const read = parseDuration(text)
        return read === undefined || (read >= 0 && Number.isInteger(read))
      }),
      RUNS,
    )
  })
})

describe('D-78: CSV', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', "'", ',', 'a', '1', ' ') }),
  )
  const tables = fc
    .integer({ min: 1, max: 4 })
    .chain(width => fc.array(fc.array(fc.oneof(text, fc.integer()), { minLength: width, maxLength: width })))

  test('every cell is read back unchanged, and none is a formula', () => {
    fc.assert(
      fc.property(tables, table => {
        const [, ...read] = parseCsvRows(toCsv(['header'], table))
        const cells = table.flat()
        const found = read.flat()
        expect(
          found.map((cell, index) => (typeof cells[index] === 'number' ? Number(cell) : cell.replace(/^'/, ''))),
        ).toEqual(cells)
        expect(
          found.filter((cell, index) => typeof cells[index] === 'string' && /^(?!-\d+(\.\d+)?$)[=+\-@\t\r]/.test(cell)),
        ).toEqual([])
      }),
      RUNS,
    )
  })
})
