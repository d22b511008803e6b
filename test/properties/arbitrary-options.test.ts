import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { OPTIONS, toConfigName, toEnvironmentName } from '../../simulator/options/options.ts'
import { readConfig } from '../../simulator/options/read-config.ts'
import { readProgramOptions } from '../../simulator/options/read-program-options.ts'
import { StartError } from '../../simulator/support/start-error.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { propertyRuns } from './property-run-counts.ts'

const RUNS = propertyRuns(300)

const name = fc.constantFrom(...Object.keys(OPTIONS))
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '0',
    '1.2',
    'none',
    'token',
    'production',
    'PT1S',
    'PT',
    'http://a',
    'a,b',
    '10.0.0.0/8',
    '-1',
    'on',
    '',
  ),
  fc.stringMatching(/^P\d{1,400}DT\d{1,3}S$/),
)

/** Asserts that options are read, or refused with a one-sentence error. */
const readOrTold = (argv: readonly string[], environment: Record<string, string> = {}): void => {
  try {
    expect(Object.keys(readConfig(argv, environment)).length).toBe(Object.keys(OPTIONS).length)
  } catch (error) {
    expect(error).toBeInstanceOf(StartError)
  }
}

describe('arbitrary options are read or refused with a sentence', () => {
  test('as flags', () => {
    const flag = fc.tuple(name, value).chain(([key, text]) => fc.constantFrom([`--${key}`, text], [`--${key}=${text}`]))
    const argv = fc.array(fc.oneof({ weight: 4, arbitrary: flag }, fc.array(fc.string(), { maxLength: 2 })))
    fc.assert(
      fc.property(argv, parts => readOrTold(parts.flat())),
      RUNS,
    )
  })

  test('as environment variables', () => {
    const variables = fc.dictionary(name.map(toEnvironmentName), value, { maxKeys: 4 })
    fc.assert(
      fc.property(variables, environment => readOrTold([], environment)),
      RUNS,
    )
  })

  test('by a program', () => {
    const options = fc.dictionary(fc.oneof(name.map(toConfigName), fc.string()), fc.oneof(value, fc.anything()))
    fc.assert(
      fc.property(options, given => {
        try {
          expect(Object.values(readProgramOptions(given))).not.toContain(undefined)
        } catch (error) {
          expect(error).toBeInstanceOf(StartError)
        }
      }),
      RUNS,
    )
  })

  test('as a file', () => {
    const file = join(temporaryFolder(), 'assay.yaml')
    const lines = fc
      .array(fc.tuple(name, fc.oneof(value, fc.constantFrom('[1]', '{a: b}', '&a', '*a', '!!binary x', '|'))))
      .map(entries => entries.map(([key, text]) => `${key}: ${text}\n`).join(''))
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json(), lines), text => {
        writeFileSync(file, text)
        readOrTold(['--config', file])
      }),
      RUNS,
    )
  })
})
