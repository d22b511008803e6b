import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { ABILITIES } from '../../../contracts/harness/profile/abilities-from-profile-lines.ts'
import { findProfileIssues, profileExample } from '../../../contracts/harness/profile/profile-validation.ts'
import { SIMULATOR_PROFILE } from '../run-suites.ts'

const example = readFileSync(join(SIMULATOR_PROFILE, '../example.yaml'), 'utf8')
const page = readFileSync(join(import.meta.dirname, '../../../docs/certify.md'), 'utf8')
const LINES = [...new Set(Object.values(ABILITIES).flatMap(([, ...lines]) => lines))]

test.each(LINES)('%s has an example in the schema, stands in the example profile and in the guide', line => {
  const [top = '', name = '', word = ''] = line.split('.')
  expect(profileExample(line)).toBeDefined()
  expect(example).toMatch(new RegExp(`^#? ?${top}:`, 'm'))
  if (name) expect(example).toMatch(new RegExp(`^(#? ) +(# )?${name}:`, 'm'))
  if (word) expect(example).toMatch(new RegExp(`^(#? ) +(# )? +${word}:`, 'm'))
  expect(page).toContain(name === '' ? `\`${top}\`` : `\`${top}.${name}\``)
})

test('the example profile with every comment of the drivers taken away is valid', () => {
  const block = /^# shopper:\n(?:#.*\n)+/m.exec(example)?.[0] ?? ''
  const shopper = block.replace(/^# ?/gm, '')
  const whole = { ...parse(example), ...parse(shopper), patience: 'PT10M' }
  expect(findProfileIssues(whole)).toEqual([])
  expect(Object.keys(whole.shopper)).toEqual(['codes', 'browser', 'command', 'mock', 'ask', 'withinSeconds'])
})
