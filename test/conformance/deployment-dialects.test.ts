import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CheckResult } from '../../contracts/harness/judge/check.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { startTestSimulator } from '../support/caller-stopped-simulator.ts'
import { BOOKKEEPING_DIALECT } from './dialects/bookkeeping-dialect.ts'
import { COARSE_STATES_DIALECT } from './dialects/coarse-states-dialect.ts'
import type { DeploymentDialect } from './dialects/deployment-dialect.ts'
import { SNAKE_CASE_DIALECT } from './dialects/snake-case-dialect.ts'
import { startTranslatingProxy, type TranslatingProxy } from './dialects/translating-proxy.ts'
import { UNUSUAL_BUT_CONFORMANT_DIALECT } from './dialects/unusual-but-conformant-dialect.ts'
import { idsWithVerdict, runSuites, SIMULATOR_PROFILE, simulatorProfileAt } from './run-suites.ts'

const LIMIT = 120_000

const profileAt = (file: string, { apiUrl, pagesUrl, kitFolder }: TranslatingProxy): Profile =>
  readProfile(file, { baseUrl: apiUrl, kit: kitFolder, control: pagesUrl })

/** Verdict by check id, with the reason of an unusual one. */
const verdicts = (results: readonly CheckResult[]): Record<string, string> =>
  Object.fromEntries(
    results.map(({ id, verdict, reason, expected, got }) => [
      id,
      verdict === 'pass' || verdict === 'observed' || verdict === 'withheld' || verdict === 'not applicable'
        ? verdict
        : `${verdict}: ${reason ?? `expected ${expected}, got ${got}`}`,
    ]),
  )

/** Checks that cannot pass without an initiated payment. */
const needsAPayment = [
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

let plain: Record<string, string>

beforeAll(async () => {
  const simulator = await startTestSimulator()
  plain = verdicts(await runSuites(simulatorProfileAt(simulator)))
  await simulator.stop()
}, LIMIT)

/** The dialects, their profiles, and the verdicts that differ from the simulator's. */
const DIALECTS: readonly [name: string, file: string, tongue: DeploymentDialect, own: Record<string, string>][] = [
  [
    'snake case',
    join(import.meta.dirname, 'dialects/snake-case.yaml'),
    SNAKE_CASE_DIALECT,
    { 'RDS-03': 'known: a payment that is not there is 5000 here' },
  ],
  [
    'bookkeeping',
    join(import.meta.dirname, 'dialects/bookkeeping.yaml'),
    BOOKKEEPING_DIALECT,
    { 'SIG-38': 'not applicable' },
  ],
  ['coarse states', join(import.meta.dirname, 'dialects/coarse-states.yaml'), COARSE_STATES_DIALECT, {}],
]

describe.each(DIALECTS)('11: a deployment with the dialect %s', (_name, file, tongue, own) => {
  let wrapper: TranslatingProxy

  beforeAll(async () => {
    wrapper = await startTranslatingProxy(tongue)
  })

  afterAll(() => wrapper.stop())

  const right = () => profileAt(file, wrapper)

  test(
    'gets the same verdicts as the simulator under its own profile',
    async () => {
      const results = verdicts(await runSuites(right()))
      expect(results).toEqual({ ...plain, ...own })
    },
    LIMIT,
  )

  test(
    "neither passes nor fails payment checks under the simulator's profile",
    async () => {
      const results = await runSuites(profileAt(SIMULATOR_PROFILE, wrapper))
      expect(idsWithVerdict(results, 'fail', 'harness error')).toEqual([])
      expect(idsWithVerdict(results, 'pass').filter(id => needsAPayment.includes(id))).toEqual([])
    },
    LIMIT,
  )
})

test(
  '11: all conformant variations at once (201, 422 for a decline, more members, another order, slow) get the same verdicts',
  async () => {
    const wrapper = await startTranslatingProxy(UNUSUAL_BUT_CONFORMANT_DIALECT)
    try {
      expect(verdicts(await runSuites(profileAt(SIMULATOR_PROFILE, wrapper)))).toEqual(plain)
    } finally {
      await wrapper.stop()
    }
  },
  LIMIT,
)
