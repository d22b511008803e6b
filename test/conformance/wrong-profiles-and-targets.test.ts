import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Untestable } from '../../contracts/harness/judge/verdict-errors.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { summarizeRun } from '../../contracts/harness/report/run-summary.ts'
import { createCheckContext } from '../../contracts/suites/context/check-context.ts'
import { CHECK_SCENARIOS } from '../../contracts/suites/index.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { PARTS_REFUSING_EVERY_CALL } from './mutants/simulator-mutations.ts'
import { describeResultsExcept, idsWithVerdict, runSuites, simulatorProfileAt } from './run-suites.ts'

const LIMIT = 120_000
let simulator: TestSimulator
let good: Profile

beforeAll(async () => {
  simulator = await startTestSimulator()
  good = simulatorProfileAt(simulator)
})

afterAll(() => simulator.stop())

/** Checks that read states. */
const OF_STATES = ['LIF', 'BLK', 'IRS', 'IDM', 'RDS', 'SCP', 'GRD-16']

/** Wrong profiles: they must not make the service fail. */
// biome-ignore format: a table reads by its columns
const WRONG: [string, Partial<Profile>, only: string[], string[]][] = [
  ['points at another transactionId', { fields: { initiate: { transactionId: '/nowhere' } } }, [], ['VAL-01', 'MTLS-01']],
  ['points at another state',         { fields: { initiate: { transactionId: '/transactionId' }, status: { state: '/nowhere' } } }, OF_STATES, ['LIF-01', 'LIF-09']],
  ['points at another reasonCode',    { errors: { reasonCode: '/nowhere' } },                 [],        ['BRR-01', 'SCP-01', 'TOK-18']],
  ['has other state names',                 { states: { authorized: ['YES'] } }, OF_STATES, ['LIF-01', 'LIF-02']],
]

test.each(WRONG)(
  'a profile that %s leaves checks untestable or blocked',
  async (_what, wrong, only, untestable) => {
    const results = await runSuites({ ...good, ...wrong }, only)
    expect(idsWithVerdict(results, 'fail', 'differs', 'harness error')).toEqual([])
    expect(idsWithVerdict(results, 'untestable')).toEqual(expect.arrayContaining(untestable))
    expect(summarizeRun(results, results.length).exitCode).toBe(5)
  },
  LIMIT,
)

test('a refusal for a missing scope does not prove that the rest of the request was accepted', async () => {
  const results = await runSuites({ ...good, requests: { reports: { from: '/since' } } }, ['SCP-09', 'SCP-11'])
  expect(describeResultsExcept(results, 'pass')).toEqual([
    expect.stringMatching(/^SCP-11 untestable: .*are paths.reports and requests.reports of \S+ right\?$/),
    expect.stringContaining('SCP-09 blocked'),
  ])
})

test('an untestable check names the profile line to add', async () => {
  const { control: _, ...without } = good
  const results = await runSuites(without, ['IRS-03'])
  expect(results.at(-1)).toMatchObject({
    id: 'IRS-03',
    verdict: 'untestable',
    reason: expect.stringContaining(`add to ${good.file} the line patience: PT33M1S`),
  })
})

test(
  'without a control address no check blames it: what needs it is untestable and names the line',
  async () => {
    const { control: _, ...without } = { ...good, patience: 'PT1S' }
    const results = await runSuites(without)
    expect(results.filter(({ reason = '' }) => /is control\.\w+ of/.test(reason))).toEqual([])
    expect(idsWithVerdict(results, 'fail', 'differs', 'harness error', 'inconclusive')).toEqual([])
    const lines = new Map(results.map(({ id, line }) => [id, line]))
    for (const id of ['RDS-04', 'RDS-11']) expect(lines.get(id)).toBe('control.url')
    const open = results.filter(({ verdict }) => verdict === 'untestable')
    expect(open.filter(({ line }) => line === undefined).map(({ id, reason }) => `${id}: ${reason}`)).toEqual([])
  },
  LIMIT,
)

test(
  '5.5, 7.1: a second organization that is the first judges nothing, and says which line names another',
  async () => {
    const needing = CHECK_SCENARIOS.filter(({ tier }) => tier < 5).flatMap(scenario =>
      scenario.checks.filter(({ needs = [] }) => [...needs, ...(scenario.needs ?? [])].includes('secondOrganization')),
    )
    const only = needing.map(({ id }) => id)
    const results = await runSuites({ ...good, secondOrganization: good.organization as { kit: string } }, only)
    const own = results.filter(({ id }) => only.includes(id))
    expect(own.map(({ id, verdict, line }) => `${id} ${verdict} ${line}`)).toEqual(
      only.map(id => `${id} untestable secondOrganization`),
    )
  },
  LIMIT,
)

test('without a control address its driver throws what would cure that, and makes no call', async () => {
  const { control: _, ...without } = good
  const world = createCheckContext(without, 3)
  try {
    for (const act of [
      () => world.control.oneTimeCode(),
      () => world.control.notification({}),
      () => world.control.kit(),
    ])
      await expect(act()).rejects.toMatchObject({ line: 'control.url', constructor: Untestable })
  } finally {
    world.close()
  }
})

test('a check based on an unconfirmed decision differs and does not fail', async () => {
  const oddOne = await startTestSimulator({ signatureAge: 1000 * 86_400_000 })
  try {
    const profile = simulatorProfileAt(oddOne)
    const [told] = (await runSuites({ ...profile, confirmed: [] }, ['SIG-28'])).slice(-1)
    expect(told).toMatchObject({ id: 'SIG-28', verdict: 'differs', reason: expect.stringContaining('D-25') })
    const [confirmed] = (await runSuites({ ...profile, confirmed: ['D-25'] }, ['SIG-28'])).slice(-1)
    expect(confirmed).toMatchObject({ id: 'SIG-28', verdict: 'fail' })
  } finally {
    await oddOne.stop()
  }
})

test('where the profile does not say that captures repeat the reference of their payment, the reason asks that', async () => {
  const dialect = join(temporaryFolder(), 'of-payment.yaml')
  writeFileSync(dialect, 'decisions:\n  D-48: of-payment\n')
  const strict = await startTestSimulator({ dialect })
  try {
    const results = await runSuites(simulatorProfileAt(strict), ['LIF-01'])
    expect(describeResultsExcept(results, 'pass')).toEqual([
      expect.stringMatching(
        /^LIF-01 untestable: .*paths\.capture, requests\.capture and decisions\.D-48 of \S+ right\?$/,
      ),
    ])
  } finally {
    await strict.stop()
  }
})

test('a server that refuses every call passes no check', async () => {
  const wall = await startTestSimulator({}, PARTS_REFUSING_EVERY_CALL)
  try {
    const results = await runSuites(simulatorProfileAt(wall))
    const aboutTls = ['MTLS-09', 'MTLS-10']
    expect(idsWithVerdict(results, 'pass').filter(id => !aboutTls.includes(id))).toEqual([])
    expect(describeResultsExcept(results, 'pass', 'not applicable').join()).toMatch(
      /no call at all was let in: is dialect of \S+ right\?/,
    )
    expect(summarizeRun(results, results.length).exitCode).toBeGreaterThan(0)
  } finally {
    await wall.stop()
  }
})

test('a service that closes every connection gets inconclusive results and no failure', async () => {
  const server = createServer(socket => socket.destroy()).listen(0)
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const results = await runSuites({ ...good, target: { ...good.target, baseUrl: `https://localhost:${port}` } }, [
    'TOK',
  ])
  server.close()
  expect(describeResultsExcept(results, 'inconclusive', 'blocked')).toEqual([])
  expect(summarizeRun(results, results.length).exitCode).toBe(3)
})

test('with one signing key only the checks of the other algorithms are untestable', async () => {
  const [p256] = simulator.kit.signingKeys
  const kit = join(temporaryFolder(), 'kit.json')
  writeFileSync(kit, JSON.stringify({ ...simulator.kit, signingKeys: [p256] }))
  const results = await runSuites({ ...good, organization: { kit } }, ['SIG'])
  expect(describeResultsExcept(results, 'pass', 'observed')).toEqual([
    expect.stringMatching(/^SIG-02 untestable: the credentials hold no ECDSA_SHA_384 key/),
    expect.stringMatching(/^SIG-03 untestable: the credentials hold no ECDSA_SHA_512 key/),
    expect.stringMatching(/^SIG-52 untestable: the credentials hold no ECDSA_SHA_384 key/),
    expect.stringMatching(/^SIG-53 untestable: the credentials hold no ECDSA_SHA_512 key/),
  ])
})
