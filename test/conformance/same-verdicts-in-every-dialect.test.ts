import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import type { CheckResult } from '../../contracts/harness/judge/check.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { summarizeRun } from '../../contracts/harness/report/run-summary.ts'
import { certifySpeaking, deploymentOf } from '../dialect/generated/certify-generated.ts'
import { differences, OF_READS_WITH_BODY, verdictsIn, verdictsOf } from '../dialect/generated/verdicts-of-dialect.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import {
  describeResultsExcept,
  idsWithVerdict,
  runSuites,
  SIMULATOR_PROFILE,
  simulatorProfileAt,
} from './run-suites.ts'

const LIMIT = 120_000

/** Profiles of deployments of other dialects, the verdicts that differ from those of our own, and what is spoken that no line says. */
const DIALECTS: readonly [name: string, own: Record<string, string>, unsaid: object][] = [
  ['snake-case', {}, {}],
  ['bookkeeping', { 'SIG-38': 'not applicable' }, {}],
  [
    'coarse-states',
    Object.fromEntries([...OF_READS_WITH_BODY, 'IDM-42'].map(id => [id, 'not applicable'])), // a decline is a refusal there
    { success: { initiate: [201], finalize: [201], capture: [201] }, decisions: { 'D-07': '422' } },
  ],
]

/** Seeds of generated dialects in which faults were found, and of variety; `npm run dialects` tries any others. */
const SEEDS = [[10, 'odd']] as const

const fileOf = (name: string): string => join(import.meta.dirname, `dialects/${name}.yaml`)

const profileAt = (file: string, { apiUrl, pagesUrl, kitFolder }: TestSimulator) =>
  readProfile(file, { baseUrl: apiUrl, kit: kitFolder, control: pagesUrl })

let results: CheckResult[]
let plain: Record<string, string>

beforeAll(async () => {
  const simulator = await startTestSimulator({ variety: '4711' })
  results = await runSuites(simulatorProfileAt(simulator))
  plain = verdictsOf(results)
  await simulator.stop()
}, LIMIT)

test('9: the simulator with variety passes all checks', () => {
  expect(describeResultsExcept(results, 'pass', 'observed', 'not applicable', 'withheld')).toEqual([])
  expect(summarizeRun(results, results.length).exitCode).toBe(0)
})

test.each(DIALECTS)(
  '11: a simulator that speaks %s gets the verdicts of our own by its profile, and makes no payment for who speaks our own',
  async (name, own, unsaid) => {
    const file = join(temporaryFolder(), 'spoken.yaml')
    writeFileSync(file, stringify({ ...parse(readFileSync(fileOf(name), 'utf8')), ...unsaid }))
    const simulator = await startTestSimulator({ dialect: file })
    try {
      expect(verdictsOf(await runSuites(profileAt(fileOf(name), simulator)))).toEqual({ ...plain, ...own })
      const strangers = await runSuites(profileAt(SIMULATOR_PROFILE, simulator), NEED_A_PAYMENT)
      expect(idsWithVerdict(strangers, 'fail', 'harness error')).toEqual([])
      expect(idsWithVerdict(strangers, 'pass').filter(id => NEED_A_PAYMENT.includes(id))).toEqual([])
    } finally {
      await simulator.stop()
    }
  },
  LIMIT,
)

test.each(SEEDS)(
  '9, 11: a simulator that speaks the generated dialect %i with variety gets the verdicts of our own',
  async (seed, variety) => {
    const lines = deploymentOf(seed)
    const results = await certifySpeaking(lines, { variety })
    expect(differences(verdictsOf(results), verdictsIn(lines, plain))).toEqual([])
  },
  LIMIT,
)

/** Checks that cannot pass without an initiated payment. */
const NEED_A_PAYMENT = [
  'VAL-01',
  'VAL-03',
  'LIF-01',
  'LIF-07',
  'IDM-08',
  'IDM-15',
  'RDS-01',
  'RDS-02',
  'MCK-01',
  'MAP-01',
  'RSP-01',
]
