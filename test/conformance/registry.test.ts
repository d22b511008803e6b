import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Check, Journey } from '../../contracts/harness/check.ts'
import { choose, registryOf, UsageError } from '../../contracts/harness/registry.ts'
import { JOURNEYS } from '../../contracts/suites/all.ts'

const registry = registryOf(JOURNEYS)
const checks = [...registry.values()]

const journey = (...members: Partial<Check>[]): Journey<never> => ({
  name: 'made up',
  tier: 1,
  play: async () => undefined,
  checks: members.map(check => ({ id: 'AAA-01', clause: '1', title: 'made up', judge: () => undefined, ...check })),
})

test('every check has an id of the catalogue, a clause and a title of its own', () => {
  expect(checks.filter(({ id }) => !/^[A-Z]{3,4}-\d{2}$/.test(id))).toEqual([])
  expect(checks.filter(({ clause }) => !/^(\d|[REI]\d)/.test(clause))).toEqual([])
  expect(new Set(checks.map(({ title }) => title)).size).toBe(checks.length)
})

test('every decision that a check leans on is written down', () => {
  const written = readFileSync(join(import.meta.dirname, '../../contracts/DECISIONS.md'), 'utf8')
  const cited = new Set(checks.flatMap(({ decisions = [] }) => decisions))
  expect([...cited].filter(decision => !written.includes(`## ${decision}\n`))).toEqual([])
})

test('what is named brings its controls along, and theirs', () => {
  expect([...choose(registry, ['IDM-16'])]).toEqual(['VAL-02', 'IDM-15', 'IDM-16'])
  expect([...choose(registry, ['brr'])].sort()).toEqual(['BRR-01', 'BRR-02', 'BRR-03', 'BRR-04', 'BRR-05', 'MTLS-01'])
  expect(choose(registry, []).size).toBe(registry.size)
  expect(() => choose(registry, ['SIG-99'])).toThrow(UsageError)
})

// biome-ignore format: a table reads by its columns
test.each([
  ['the same id twice',                   [{}, {}],                                                    /there twice/],
  ['a control that comes later',          [{ control: 'AAA-02' }, { id: 'AAA-02' }],                   /does not come before/],
  ['an assumed check without a decision', [{ basis: 'assumed' as const }],                             /name the decision/],
])('suites with %s do not start', (_what, members, sentence) => {
  expect(() => registryOf([journey(...members)])).toThrow(sentence)
})
