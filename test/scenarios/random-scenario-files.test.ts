import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { createCheckAgainstSchema } from '../../simulator/scenarios/check-scenario-file-against-schema.ts'
import { BUILT_IN_FOLDER } from '../../simulator/scenarios/open-scenario-catalogue.ts'
import { parseScenarioFile } from '../../simulator/scenarios/read-scenario-file.ts'
import { toScenario } from '../../simulator/scenarios/scenario-from-file-entry.ts'
import { SCENARIO_SCHEMA } from '../../simulator/scenarios/scenario-schema.ts'
import { formatDuration, parseDuration } from '../../simulator/support/duration.ts'

const checkShape = createCheckAgainstSchema()

const TEXTS = readdirSync(BUILT_IN_FOLDER)
  .filter(name => name.endsWith('.yaml') && name !== 'faults.yaml')
  .map(name => readFileSync(join(BUILT_IN_FOLDER, name), 'utf8'))

const MEMBERS = Object.values(SCENARIO_SCHEMA.$defs).flatMap(part =>
  'properties' in part ? Object.keys(part.properties) : [],
)

/** Asserts that a text is either read, or each error has a position in it and a sentence. */
const judge = (text: string): void => {
  const { entries, mistakes } = parseScenarioFile('any.yaml', text, checkShape)
  const lines = text.split(/\n/).length
  for (const { line, column, sentence } of mistakes) {
    expect(line).toBeGreaterThanOrEqual(1)
    expect(line).toBeLessThanOrEqual(lines)
    expect(column).toBeGreaterThanOrEqual(1)
    expect(sentence).toMatch(/^[^\n]+[.?]$/)
  }
  if (mistakes.length === 0) for (const { entry } of entries) expect(toScenario(entry).name).toBe(entry.name)
}

describe('an invalid scenario file gives a list of errors', () => {
  test('for any text', () => {
    fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string()), judge), { numRuns: 300 })
  })

  test('for a valid file with a piece removed or replaced', () => {
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

  test('for any values of known members', () => {
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

test('formatting a duration and parsing it gives the same duration', () => {
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
