import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { certifySpeaking, deploymentOf } from '../dialect/generated/certify-generated.ts'
import { differences, verdictsIn, verdictsOf } from '../dialect/generated/verdicts-of-dialect.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { idsWithVerdict, runSuites, SIMULATOR_PROFILE, simulatorProfileAt } from './run-suites.ts'

const LIMIT = 120_000

/** Profiles of deployments of other dialects, and the verdicts that differ from those of our own. */
const DIALECTS: readonly [name: string, own: Record<string, string>][] = [
  ['snake-case', {}],
  ['bookkeeping', { 'SIG-38': 'not applicable' }],
  ['coarse-states', {}],
]

/** Seeds of generated dialects in which faults were found; `npm run dialects` tries any others. */
const SEEDS = [10, 11]

const fileOf = (name: string): string => join(import.meta.dirname, `dialects/${name}.yaml`)

const profileAt = (file: string, { apiUrl, pagesUrl, kitFolder }: TestSimulator) =>
  readProfile(file, { baseUrl: apiUrl, kit: kitFolder, control: pagesUrl })

/** Starts a simulator that speaks a dialect, and stops it afterwards. */
const withDialect = async <Result>(
  file: string,
  use: (simulator: TestSimulator) => Promise<Result>,
): Promise<Result> => {
  const simulator = await startTestSimulator({ dialect: file })
  try {
    return await use(simulator)
  } finally {
    await simulator.stop()
  }
}

let plain: Record<string, string>

beforeAll(async () => {
  const simulator = await startTestSimulator()
  plain = verdictsOf(await runSuites(simulatorProfileAt(simulator)))
  await simulator.stop()
}, LIMIT)

describe.each(DIALECTS)('11: a simulator that speaks %s', (name, own) => {
  test(
    'gets the verdicts of our own dialect under the profile of its dialect',
    () =>
      withDialect(fileOf(name), async simulator => {
        const results = await runSuites(profileAt(fileOf(name), simulator))
        expect(verdictsOf(results)).toEqual({ ...plain, ...own })
      }),
    LIMIT,
  )

  test(
    'makes no payment for who speaks our own, and is not failed for it',
    () =>
      withDialect(fileOf(name), async simulator => {
        const results = await runSuites(profileAt(SIMULATOR_PROFILE, simulator), NEED_A_PAYMENT)
        expect(idsWithVerdict(results, 'fail', 'harness error')).toEqual([])
        expect(idsWithVerdict(results, 'pass').filter(id => NEED_A_PAYMENT.includes(id))).toEqual([])
      }),
    LIMIT,
  )
})

test.each(SEEDS)(
  '11: a simulator that speaks the generated dialect %i gets the verdicts of our own',
  async seed => {
    const lines = deploymentOf(seed)
    expect(differences(verdictsOf(await certifySpeaking(lines)), verdictsIn(lines, plain))).toEqual([])
  },
  LIMIT,
)

test(
  '11: a simulator that speaks as the stand-in does, which knows nothing of us, is told from our own by no check',
  async () => {
    const file = join(temporaryFolder(), 'stranger.yaml')
    const lines = parse(readFileSync(join(import.meta.dirname, 'stand-in/stand-in-shapes.yaml'), 'utf8'))
    const { control, secondOrganization, webhooks, limits, notApplicable } = parse(
      readFileSync(fileOf('snake-case'), 'utf8'),
    )
    const { shopper: _, capabilities: __, patience: ___, ...stranger } = lines
    const target = { baseUrl: 'https://localhost', environment: 'sandbox' }
    const more = { control, secondOrganization, webhooks, limits, notApplicable, confirmed: 'all' }
    writeFileSync(file, stringify({ ...stranger, name: 'Stranger', target, organization: { kit: '.' }, ...more }))
    await withDialect(file, async simulator => {
      const results = verdictsOf(await runSuites(profileAt(file, simulator)))
      const unsaid = Object.fromEntries(
        UNSAID_BY_STRANGER.map(id => [id, expect.stringMatching(/^untestable: .*the line/)]),
      )
      expect(results).toEqual({ ...plain, ...unsaid })
    })
  },
  LIMIT,
)

/** Checks that need a line which the stand-in has nothing for: a status in events, and a mock of finalize. */
const UNSAID_BY_STRANGER = ['EVT-02', 'MCK-22']

test(
  '11: a service with 201, 422 for a decline, and no line that says so gets the same verdicts',
  async () => {
    const file = join(temporaryFolder(), 'unusual.yaml')
    writeFileSync(file, 'success: { initiate: [201], finalize: [201], capture: [201] }\ndecisions: { D-07: "422" }\n')
    const simulator = await startTestSimulator({ dialect: file })
    try {
      expect(verdictsOf(await runSuites(simulatorProfileAt(simulator)))).toEqual(plain)
    } finally {
      await simulator.stop()
    }
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
