import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { formatDuration, parseDuration } from '../../simulator/duration.ts'
import { createCheckShape } from '../../simulator/scenarios/check-shape.ts'
import { scenarioOf } from '../../simulator/scenarios/entry.ts'
import { BUILT_IN } from '../../simulator/scenarios/load.ts'
import { readScenarios } from '../../simulator/scenarios/read-file.ts'
import { SCENARIO_SCHEMA } from '../../simulator/scenarios/schema.ts'

const checkShape = createCheckShape()

const TEXTS = readdirSync(BUILT_IN)
  .filter(name => name.endsWith('.yaml') && name !== 'faults.yaml')
  .map(name => readFileSync(join(BUILT_IN, name), 'utf8'))

const MEMBERS = Object.values(SCENARIO_SCHEMA.$defs).flatMap(part =>
  'properties' in part ? Object.keys(part.properties) : [],
)

/** Either a text is taken and every entry can be worked with, or each mistake has a place in it and a sentence. */
const judge = (text: string): void => {
  const { entries, mistakes } = readScenarios('any.yaml', text, checkShape)
  const lines = text.split(/\n/).length
  for (const { line, column, sentence } of mistakes) {
    expect(line).toBeGreaterThanOrEqual(1)
    expect(line).toBeLessThanOrEqual(lines)
    expect(column).toBeGreaterThanOrEqual(1)
    expect(sentence).toMatch(/^[^\n]+[.?]$/)
  }
  if (mistakes.length === 0) for (const { entry } of entries) expect(scenarioOf(entry).name).toBe(entry.name)
}

describe('no file, however broken, is more than a list of mistakes', () => {
  test('any text', () => {
    fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string()), judge), { numRuns: 300 })
  })

  test('a good file with a piece cut out, doubled or replaced', () => {
    const place = fc.nat({ max: 6_000 })
    const piece = fc.oneof(
      fc.string({ maxLength: 5 }),
      fc.constantFrom('\n', '  ', '- ', ': ', '{', '[', "'", '*a', '&a ', '!!x ', '? '),
    )
    const spoilt = fc
      .tuple(fc.constantFrom(...TEXTS), place, fc.nat({ max: 20 }), piece)
      .map(([text, at, length, instead]) => {
        const start = at % text.length
        return text.slice(0, start) + instead + text.slice(start + length)
      })
    fc.assert(fc.property(spoilt, judge), { numRuns: 150 })
  })

  test('any value of the right members', () => {
    const value = fc.letrec(tie => ({
      any: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom(
          'PT2S',
          'declined',
          'approved',
          'accepted',
          'OK',
          '3001',
          'TIMEOUT',
          'BANK_TIMEOUT',
          'timeout',
          'yes',
          'IRIS',
          'drop',
        ),
        fc.jsonValue({ maxDepth: 1 }),
        fc.dictionary(
          fc.oneof(fc.constantFrom(...MEMBERS), fc.string({ maxLength: 3 }), fc.constant('__proto__')),
          tie('any'),
          { maxKeys: 5 },
        ),
        fc.array(tie('any'), { maxLength: 3 }),
      ),
    })).any
    const entry = fc.tuple(fc.dictionary(fc.constantFrom(...MEMBERS), value), fc.boolean()).map(([members, named]) => ({
      ...(named ? { name: 'A', title: 'A.' } : {}),
      ...members,
    }))
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 3 }), scenarios => judge(stringify({ scenarios }))),
      { numRuns: 300 },
    )
  })
})

test('a duration is written as it is read', () => {
  fc.assert(
    fc.property(fc.nat({ max: 1_000_000_000_000 }), milliseconds => {
      expect(parseDuration(formatDuration(milliseconds))).toBe(milliseconds)
    }),
  )
  expect([0, 1, 1_500, 60_000, 3_600_000, 86_400_000, 90_061_000].map(formatDuration)).toEqual([
    'PT0S',
    'PT0.001S',
    'PT1.5S',
    'PT1M',
    'PT1H',
    'P1D',
    'P1DT1H1M1S',
  ])
})
