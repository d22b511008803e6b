import { expect, test } from 'vitest'
import { certifyWith } from '../../contracts/certify-in-test-runner.ts'
import { toRejudgeTarget } from '../../contracts/commands/regrade.ts'
import type { Check, CheckScenario } from '../../contracts/harness/judge/check.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import type { RunReport } from '../../contracts/harness/report/run-report.ts'
import { createCheckRegistry, selectChecks } from '../../contracts/harness/run/check-registry.ts'
import { UsageError } from '../../contracts/harness/run/command-errors.ts'
import { readDecisions } from '../../contracts/read-decisions-table.ts'
import { CHECK_SCENARIOS } from '../../contracts/suites/index.ts'

const registry = createCheckRegistry(CHECK_SCENARIOS)
const checks = [...registry.values()]

const journey = (...members: Partial<Check>[]): CheckScenario<never> => ({
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

test('every decision that a check cites is in contracts/decisions.yaml', () => {
  const written = new Set(readDecisions().map(({ number }) => number))
  const cited = new Set(checks.flatMap(({ decisions = [] }) => decisions))
  expect([...cited].filter(decision => !written.has(decision))).toEqual([])
})

test('chosen checks include their controls transitively', () => {
  expect([...selectChecks(registry, ['IDM-16'])]).toEqual(['VAL-02', 'IDM-15', 'IDM-16'])
  expect([...selectChecks(registry, ['brr'])].sort()).toEqual([
    'BRR-01',
    'BRR-02',
    'BRR-03',
    'BRR-04',
    'BRR-05',
    'MTLS-01',
  ])
  expect(selectChecks(registry, []).size).toBe(registry.size)
  expect(() => selectChecks(registry, ['SIG-99'])).toThrow(UsageError)
})

// biome-ignore format: a table reads by its columns
test.each([
  ['the same id twice',                   [{}, {}],                                                    /there twice/],
  ['a control that comes later',          [{ control: 'AAA-02' }, { id: 'AAA-02' }],                   /does not come before/],
  ['an assumed check without a decision', [{ basis: 'assumed' as const }],                             /name the decision/],
])('suites with %s are refused', (_what, members, sentence) => {
  expect(() => createCheckRegistry([journey(...members)])).toThrow(sentence)
})

test('a report is judged again by the checks that its run chose, also where one stood in for another', () => {
  const profile = { capabilities: { methods: ['BLIK'] } } as unknown as Profile
  const report = { tier: 3, only: ['IDM-16'], profile: {} } as unknown as RunReport
  expect([...toRejudgeTarget(report, profile).chosen]).toEqual(['VAL-01', 'IDM-15', 'IDM-16'])
})

test('7: certifyWith defines no test against production unless its host is confirmed', () => {
  const target = { baseUrl: 'https://api.example', environment: 'production' }
  const profile = { target, file: 'p.yaml' } as unknown as Profile
  const names: string[] = []
  const runner = { describe: (name: string) => void names.push(name), it: () => undefined }
  expect(() => certifyWith({ profile, ...runner })).toThrow('say confirmHost api.example if you mean it')
  expect(() => certifyWith({ profile, confirmHost: 'other.example', ...runner })).toThrow('no call was made')
  expect(names).toEqual([])
  certifyWith({ profile, confirmHost: 'api.example', ...runner })
  expect(names.length).toBeGreaterThan(10)
})
