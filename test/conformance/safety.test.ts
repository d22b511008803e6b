import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/exchange.ts'
import type { Transport } from '../../contracts/client/transport.ts'
import { measure } from '../../contracts/commands/measure.ts'
import { noting } from '../../contracts/commands/noting.ts'
import { REGISTRY } from '../../contracts/commands/target.ts'
import { createGuard } from '../../contracts/harness/guard.ts'
import { createLedger, linesOf } from '../../contracts/harness/ledger.ts'
import { leftovers } from '../../contracts/harness/leftovers.ts'
import type { Profile } from '../../contracts/harness/profile.ts'
import { choose } from '../../contracts/harness/registry.ts'
import { FILES, prepareFolder } from '../../contracts/harness/report-folder.ts'
import { createStop } from '../../contracts/harness/stop.ts'
import { authorized } from '../../contracts/suites/given.ts'
import { createWorld } from '../../contracts/suites/world.ts'
import { newPair } from '../support/identities.ts'
import { until } from '../support/poll.ts'
import { startTestSimulator, type TestSimulator } from '../support/simulator.ts'
import { at, start } from './assay.ts'
import { profileOf, SIMULATOR_PROFILE } from './certify.ts'
import { say } from './say.ts'

const LIMIT = 120_000
const root = mkdtempSync(join(tmpdir(), 'assay-safety-'))
let simulator: TestSimulator
let profile: Profile

beforeAll(async () => {
  simulator = await startTestSimulator()
  profile = profileOf(simulator)
})

afterAll(async () => {
  rmSync(root, { recursive: true })
  await simulator.stop()
})

const journal = async () =>
  JSON.stringify(
    await (await fetch(`${simulator.pagesUrl}/control/organizations/demo-merchant/journal?limit=500`)).json(),
  )

test.each([
  ['not typed', [], /^https:\S+ is production: say --confirm-host localhost:\d+ if you mean it\.\n$/],
  [
    'another',
    ['--confirm-host', 'localhost'],
    /^--confirm-host says localhost and the address is https:\S+: no call was made\.\n$/,
  ],
])('7: production, its host %s: exit code 7 and no call', async (_what, more, sentence) => {
  const file = join(root, 'production.yaml')
  writeFileSync(
    file,
    readFileSync(SIMULATOR_PROFILE, 'utf8').replace('environment: sandbox', 'environment: production'),
  )
  const before = await journal()
  const { code, out, err } = await say('run', '--profile', file, ...at(simulator), ...more)
  expect({ code, out }).toEqual({ code: 7, out: '' })
  expect(err).toMatch(sentence)
  expect(await journal()).toBe(before)
  const host = new URL(simulator.apiUrl).host
  const typed = await say(
    'run',
    '--profile',
    file,
    ...at(simulator),
    '--confirm-host',
    host,
    '--tier',
    '5',
    '--only',
    'TOK-02,LIF-01',
    '--json',
  )
  expect(JSON.parse(typed.out)).toMatchObject({
    tier: 2,
    checks: expect.arrayContaining([expect.objectContaining({ id: 'LIF-01', verdict: 'withheld' })]),
  })
})

/** Says that each write was carried out, and looks at the ledger while it is under way. */
const watching = (look: () => void): Transport => ({
  exchange: async request => {
    look()
    const body = Buffer.from(JSON.stringify({ transactionId: 'tx-1' }))
    return { request, answer: { status: 200, headers: {}, body }, durationMs: 1 } satisfies Exchange
  },
  session: async () => undefined,
  close: () => undefined,
})

const initiating = (amount: number) => ({
  method: 'POST',
  url: `${profile.target.baseUrl}/payments/initiate`,
  headers: {},
  body: Buffer.from(JSON.stringify({ paymentDetails: { amount, currency: 'PLN' } })),
})

test('7: a line stands in the ledger before each write, and none for a read', async () => {
  const file = join(root, 'ledger.jsonl')
  const seen: number[] = []
  const ledger = createLedger(file)
  const guard = createGuard(profile, { stop: createStop(), ledger, paced: false })
  const transport = guard.over(
    watching(() => seen.push(linesOf(readFileSync(file, { encoding: 'utf8', flag: 'a+' })).length)),
    'us',
  )
  await transport.exchange({ ...initiating(100), method: 'GET' })
  await transport.exchange(initiating(100))
  await transport.exchange(initiating(200))
  expect(seen).toEqual([0, 1, 3])
  const lines = linesOf(`${readFileSync(file, 'utf8')}{"line":9,"cut of`)
  expect(lines).toMatchObject([
    { line: 1, organization: 'us', operation: 'initiate', amount: 100, currency: 'PLN' },
    { of: 1, status: 200, transactionId: 'tx-1' },
    { line: 3, amount: 200 },
    { of: 3 },
  ])
})

test.each([
  ['amount', { amount: 250 }, 1],
  ['payments', { payments: 2 }, 2],
])('7: what budgets.%s does not allow is never sent', async (name, budgets, sent) => {
  const stop = createStop()
  let calls = 0
  const guard = createGuard({ ...profile, budgets }, { stop, ledger: createLedger(), paced: false })
  const transport = guard.over(
    watching(() => (calls += 1)),
    'us',
  )
  const all = await Promise.allSettled([0, 1, 2].map(() => transport.exchange(initiating(200))))
  expect(calls).toBe(sent)
  expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(3 - sent)
  expect(stop.cause).toMatchObject({ safety: true, reason: expect.stringContaining(`budgets.${name} of `) })
})

test(
  '7: a run that has spent its budget ends with exit code 7 and tells what it judged so far',
  async () => {
    const target = {
      profile: { ...profile, budgets: { payments: 3 } },
      tier: 3 as const,
      only: [],
      chosen: choose(REGISTRY, ['TOK', 'VAL', 'LIF']),
    }
    const { report } = await measure(target)
    expect(report.stopped).toMatchObject({ safety: true })
    expect(report.spent?.payments).toBeLessThanOrEqual(4)
    expect(report.summary.exitCode).toBe(7)
    expect(report.checks).toHaveLength(target.chosen.size)
    expect(report.summary.counts).toMatchObject({ fail: 0, 'harness error': 0 })
    expect(report.summary.counts.inconclusive).toBeGreaterThan(5)
    expect(report.checks.find(({ id }) => id === 'TOK-01')?.verdict).toBe('pass')
  },
  LIMIT,
)

test('7: calls begin no faster than budgets.callsPerSecond', async () => {
  const guard = createGuard(
    { ...profile, budgets: { callsPerSecond: 50 } },
    { stop: createStop(), ledger: createLedger(), paced: true },
  )
  const transport = guard.over(
    watching(() => undefined),
    'us',
  )
  const startedAt = performance.now()
  for (let call = 0; call < 6; call += 1) await transport.exchange(initiating(1))
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(95)
})

/** So many calls are behind a few verdicts, and far from the end of a run. */
const ENOUGH_TO_JUDGE = 100

test(
  '7: Ctrl-C ends a run in good order: what was judged is told, exit code 5',
  async () => {
    const folder = join(root, 'interrupted')
    const { child, told } = start('run', '--profile', SIMULATOR_PROFILE, ...at(simulator), '--report', folder)
    const calls = () => simulator.operator.journal(simulator.kit.organizationId, ENOUGH_TO_JUDGE).length
    await until(calls, count => count === ENOUGH_TO_JUDGE)
    child.kill('SIGINT')
    const { code, out } = await told
    expect(code).toBe(5)
    expect(out).toContain('The run was stopped early: stopped by SIGINT\n')
    const report = JSON.parse(readFileSync(join(folder, FILES.report), 'utf8'))
    expect(report.stopped).toEqual({ reason: 'stopped by SIGINT' })
    expect(report.checks).toHaveLength(REGISTRY.size)
    expect(report.summary.counts.inconclusive).toBeGreaterThan(0)
    expect((await say('verify', folder)).code).toBe(0)
  },
  LIMIT,
)

test('7: cleanup cancels what a run that was cut off has left authorized, and takes away what it registered', async () => {
  const folder = join(root, 'cut-off')
  prepareFolder(folder)
  writeFileSync(join(folder, FILES.profile), JSON.stringify(profile))
  const ledger = createLedger(join(folder, FILES.ledger))
  const guard = createGuard(profile, { stop: createStop(), ledger, paced: false })
  const world = createWorld(profile, 3, { transport: guard.over, operator: noting(ledger) })
  const transactionId = await authorized(profile, world)
  const keyId = await world.operator.registerKey(newPair().pem)
  expect(leftovers(ledger.lines)).toMatchObject({
    payments: [{ transactionId, stage: 'authorized' }],
    keys: [{ id: keyId }],
  })

  const dry = await say('cleanup', folder, '--dry-run')
  expect(dry).toMatchObject({ code: 0, out: expect.stringContaining(`authorized, to be canceled: ${transactionId}`) })
  expect(dry.out).toContain(`signing key still registered: ${keyId}`)
  const done = await say('cleanup', folder)
  expect(done).toMatchObject({ code: 0, out: expect.stringContaining(`canceled: ${transactionId}\n`) })
  const { answer } = await world.merchant.request('status', { path: { transactionId } })
  expect(JSON.parse(answer?.body.toString() ?? '')).toMatchObject({ lifecycle: { state: 'CANCELED' } })
  const again = await say('cleanup', folder)
  expect(again.code).toBe(0)
  expect(again.out).not.toMatch(/canceled|registered|taken away/)
  world.close()
})

test(
  '7: a full run cleans up behind itself',
  async () => {
    const folder = join(root, 'clean')
    const { code } = await say(
      'run',
      '--profile',
      SIMULATOR_PROFILE,
      ...at(simulator),
      '--only',
      'LIF,SIG-33,EVT',
      '--report',
      folder,
    )
    expect(code).toBe(0)
    const left = leftovers(linesOf(readFileSync(join(folder, FILES.ledger), 'utf8')))
    expect(left.payments.filter(({ stage }) => stage === 'authorized')).toEqual([])
    expect({ keys: left.keys, webhooks: left.webhooks }).toEqual({ keys: [], webhooks: [] })
    expect(left.payments.length).toBeGreaterThan(5)
  },
  LIMIT,
)
