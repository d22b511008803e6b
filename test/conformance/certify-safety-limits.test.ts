import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import type { Transport } from '../../contracts/client/transport.ts'
import { CHECK_REGISTRY } from '../../contracts/commands/chosen-profile-and-checks.ts'
import { judgeDeployment } from '../../contracts/commands/judge-deployment.ts'
import { recordRegistrations } from '../../contracts/commands/record-key-and-webhook-registrations.ts'
import { probeDeployment } from '../../contracts/commands/run-scout-probes.ts'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { prepareReportFolder, REPORT_FILES } from '../../contracts/harness/report/report-folder.ts'
import { selectChecks } from '../../contracts/harness/run/check-registry.ts'
import { createStopSignal } from '../../contracts/harness/run/stop-signal.ts'
import { findRemainingResources } from '../../contracts/harness/safety/find-remaining-resources.ts'
import { createTransportGuard } from '../../contracts/harness/safety/stop-budget-and-ledger-guard.ts'
import {
  continueWriteLedger,
  createWriteLedger,
  parseWriteLedger,
  unreadableLines,
} from '../../contracts/harness/safety/write-ledger.ts'
import { createCheckContext } from '../../contracts/suites/context/check-context.ts'
import { createAuthorizedPayment } from '../../contracts/suites/given/create-payments.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { newKeyPair } from '../support/generate-keys-and-certificates.ts'
import { pollUntil } from '../support/poll-until.ts'
import { withFailingFileOperation } from '../support/with-failing-file-operation.ts'
import { startCertifyProcess, targetOptions } from './run-certify-child-process.ts'
import { runCertifyInProcess } from './run-certify-in-process.ts'
import { SIMULATOR_PROFILE, simulatorProfileAt } from './run-suites.ts'

const LIMIT = 120_000
const root = mkdtempSync(join(tmpdir(), 'assay-safety-'))
let simulator: TestSimulator
let profile: Profile

beforeAll(async () => {
  simulator = await startTestSimulator()
  profile = simulatorProfileAt(simulator)
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
  ['missing', [], /^https:\S+ is production: say --confirm-host localhost:\d+ if you mean it\.\n$/],
  [
    'another',
    ['--confirm-host', 'localhost'],
    /^--confirm-host says localhost and the address is https:\S+: no call was made\.\n$/,
  ],
])('7: a production run with --confirm-host %s: exit code 7 and no call', async (_what, more, sentence) => {
  const file = join(root, 'production.yaml')
  writeFileSync(
    file,
    readFileSync(SIMULATOR_PROFILE, 'utf8').replace('environment: sandbox', 'environment: production'),
  )
  const before = await journal()
  const { code, out, err } = await runCertifyInProcess('run', '--profile', file, ...targetOptions(simulator), ...more)
  expect({ code, out }).toEqual({ code: 7, out: '' })
  expect(err).toMatch(sentence)
  expect(await journal()).toBe(before)
  const host = new URL(simulator.apiUrl).host
  const typed = await runCertifyInProcess(
    'run',
    '--profile',
    file,
    ...targetOptions(simulator),
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

/** A transport that accepts every write and calls `look` during each exchange. */
const watching = (look: () => void): Transport => ({
  exchange: async request => {
    look()
    const body = Buffer.from(JSON.stringify({ transactionId: 'tx-1' }))
    return { request, response: { status: 200, headers: {}, body }, durationMs: 1 } satisfies Exchange
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

test('7: the ledger has a line before each write is sent, and none for a read', async () => {
  const file = join(root, 'ledger.jsonl')
  const seen: number[] = []
  const ledger = createWriteLedger(file)
  const guard = createTransportGuard(profile, { stop: createStopSignal(), ledger, paced: false })
  const transport = guard.wrap(
    watching(() => seen.push(parseWriteLedger(readFileSync(file, { encoding: 'utf8', flag: 'a+' })).length)),
    'us',
  )
  await transport.exchange({ ...initiating(100), method: 'GET' })
  await transport.exchange(initiating(100))
  await transport.exchange(initiating(200))
  expect(seen).toEqual([0, 1, 3])
  const lines = parseWriteLedger(`${readFileSync(file, 'utf8')}{"line":9,"cut of`)
  expect(lines).toMatchObject([
    { line: 1, organization: 'us', operation: 'initiate', amount: 100, currency: 'PLN' },
    { of: 1, status: 200, transactionId: 'tx-1' },
    { line: 3, amount: 200 },
    { of: 3 },
  ])
})

test('7: a write whose line the ledger cannot take is not sent, and the run stops; one of the clean-up is', async () => {
  const file = join(root, 'full.jsonl')
  const stop = createStopSignal()
  const ledger = createWriteLedger(file, { onUnwritten: reason => stop.stop({ reason }) })
  const guard = createTransportGuard(profile, { stop, ledger, paced: false })
  let calls = 0
  const transport = guard.wrap(
    watching(() => (calls += 1)),
    'us',
  )
  await transport.exchange(initiating(100))
  await withFailingFileOperation('appendFileSync', 'full.jsonl', async () => {
    await expect(transport.exchange(initiating(100))).rejects.toThrow(
      /full\.jsonl cannot be written \(ENOSPC\): .* disk/,
    )
    expect(calls).toBe(1)
    const cancel = { ...initiating(100), url: `${profile.target.baseUrl}/payments/cancel`, forCleanup: true as const }
    await transport.exchange(cancel)
    ledger.record('us', { operation: 'registerKey', id: 'key' })
  })
  expect(calls).toBe(2)
  expect(findRemainingResources(ledger.lines)).toMatchObject({ keys: [{ id: 'key' }], unknown: [] })
  expect(parseWriteLedger(readFileSync(file, 'utf8'))).toMatchObject([{ line: 1 }, { of: 1, status: 200 }])
})

test('7: no key and no webhook is registered once the run was stopped', async () => {
  const stop = createStopSignal()
  const context = createCheckContext(profile, 3, { control: recordRegistrations(createWriteLedger(), stop) })
  stop.stop({ reason: 'the disk is full' })
  await expect(context.control.registerKey(newKeyPair().pem)).rejects.toThrow('the disk is full')
  await expect(context.control.subscribe('http://127.0.0.1:9', [])).rejects.toThrow('the disk is full')
  context.close()
})

test('7: an outcome that the ledger cannot take stops the run, and half of a line does not stay', async () => {
  const file = join(root, 'half.jsonl')
  const stop = createStopSignal()
  const ledger = createWriteLedger(file, { onUnwritten: reason => stop.stop({ reason }) })
  const became = ledger.record('us', { operation: 'initiate' })
  const becomes = async () => became({ status: 200, transactionId: 'tx' })
  await withFailingFileOperation('appendFileSync', 'half.jsonl', becomes, { leaving: '{"of":1,"sta' })
  expect(stop.cause?.reason).toContain('half.jsonl cannot be written (ENOSPC)')
  expect(ledger.lines.at(-1)).toMatchObject({ of: 1, transactionId: 'tx' })
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(2)
})

test('7: cleanup cancels on a full disk too, and says once that it cannot write its ledger', async () => {
  const folder = join(root, 'full at cleanup')
  prepareReportFolder(folder, profile)
  const ledger = createWriteLedger(join(folder, REPORT_FILES.ledger))
  const guard = createTransportGuard(profile, { stop: createStopSignal(), ledger, paced: false })
  const world = createCheckContext(profile, 3, { transport: guard.wrap, control: recordRegistrations(ledger) })
  const ids = [await createAuthorizedPayment(profile, world), await createAuthorizedPayment(profile, world)]
  world.close()
  const done = await withFailingFileOperation('appendFileSync', REPORT_FILES.ledger, () =>
    runCertifyInProcess('cleanup', folder),
  )
  for (const id of ids) expect(done.out).toContain(`canceled: ${id}\n`)
  expect(done.err).toMatch(/^\S.*ledger\.jsonl cannot be written \(ENOSPC\): free space on its disk[^\n]*\n$/)
})

test.each([
  ['amount', { amount: 250 }, 1],
  ['payments', { payments: 2 }, 2],
])('7: calls beyond budgets.%s are not sent', async (name, budgets, sent) => {
  const stop = createStopSignal()
  let calls = 0
  const guard = createTransportGuard({ ...profile, budgets }, { stop, ledger: createWriteLedger(), paced: false })
  const transport = guard.wrap(
    watching(() => (calls += 1)),
    'us',
  )
  const all = await Promise.allSettled([0, 1, 2].map(() => transport.exchange(initiating(200))))
  expect(calls).toBe(sent)
  expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(3 - sent)
  expect(stop.cause).toMatchObject({ safety: true, reason: expect.stringContaining(`budgets.${name} of `) })
})

test('7: a resumed run has no more of its budget because a negative amount was sent', async () => {
  const ledger = createWriteLedger()
  for (const amount of [-500, 200]) ledger.record('us', { operation: 'initiate', amount })({ status: 200 })
  const resumed = { ...profile, budgets: { amount: 300 } }
  const guard = createTransportGuard(resumed, { stop: createStopSignal(), ledger, paced: false })
  const transport = guard.wrap(
    watching(() => undefined),
    'us',
  )
  await expect(transport.exchange(initiating(200))).rejects.toThrow('budgets.amount')
})

test(
  '7: a run that exhausts its budget ends with exit code 7 and reports the verdicts so far',
  async () => {
    const target = {
      profile: { ...profile, budgets: { payments: 3 } },
      tier: 3 as const,
      only: [],
      chosen: selectChecks(CHECK_REGISTRY, ['TOK', 'VAL', 'LIF']),
    }
    const { report } = await judgeDeployment(target)
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

test('7: calls start no faster than budgets.callsPerSecond', async () => {
  const guard = createTransportGuard(
    { ...profile, budgets: { callsPerSecond: 50 } },
    { stop: createStopSignal(), ledger: createWriteLedger(), paced: true },
  )
  const transport = guard.wrap(
    watching(() => undefined),
    'us',
  )
  const startedAt = performance.now()
  for (let call = 0; call < 6; call += 1) await transport.exchange(initiating(1))
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(95)
})

test('7: a call that waits for its turn is given up when the run is stopped', async () => {
  const stop = createStopSignal()
  const budgets = { callsPerSecond: 0.001 }
  const guard = createTransportGuard({ ...profile, budgets }, { stop, ledger: createWriteLedger(), paced: true })
  const transport = guard.wrap(
    watching(() => undefined),
    'us',
  )
  await transport.exchange(initiating(1))
  const waiting = transport.exchange(initiating(1))
  stop.stop({ reason: 'stopped by SIGINT' })
  await expect(waiting).rejects.toThrow('stopped by SIGINT')
})

/** Number of calls after which some verdicts exist and the run is far from its end. */
const ENOUGH_TO_JUDGE = 100

test(
  '7: Ctrl-C ends a run with a report of the verdicts so far, exit code 5',
  async () => {
    const folder = join(root, 'interrupted')
    const { child, told } = startCertifyProcess(
      'run',
      '--profile',
      SIMULATOR_PROFILE,
      ...targetOptions(simulator),
      '--report',
      folder,
    )
    const calls = () => simulator.controlPlane.journal.latest(simulator.kit.organizationId, ENOUGH_TO_JUDGE).length
    await pollUntil(calls, count => count === ENOUGH_TO_JUDGE)
    child.kill('SIGINT')
    const { code, out } = await told
    expect(code).toBe(5)
    expect(out).toContain('The run was stopped early: stopped by SIGINT\n')
    const report = JSON.parse(readFileSync(join(folder, REPORT_FILES.report), 'utf8'))
    expect(report.stopped).toEqual({ reason: 'stopped by SIGINT' })
    expect(report.checks).toHaveLength(CHECK_REGISTRY.size)
    expect(report.summary.counts.inconclusive).toBeGreaterThan(0)
    expect((await runCertifyInProcess('verify', folder)).code).toBe(0)
  },
  LIMIT,
)

test(
  '7: a disk that is full ends a run, which still cancels what it authorized, and blames no check',
  async () => {
    const folder = join(root, 'full disk')
    const only = ['--only', 'LIF,IDM-11,IDM-13,GRD-55', '--report', folder]
    const ran = await withFailingFileOperation(
      'appendFileSync',
      REPORT_FILES.ledger,
      () => runCertifyInProcess('run', '--profile', SIMULATOR_PROFILE, ...targetOptions(simulator), ...only),
      { spared: 60 },
    )
    expect(ran.out).toMatch(
      /^The run was stopped early: .*ledger\.jsonl cannot be written \(ENOSPC\): free space on its disk/m,
    )
    expect(ran.out).not.toContain('harness error')
    expect(ran.err).not.toContain('stays: ')
    expect(ran.code).toBe(7)
    const cleaned = await withFailingFileOperation('appendFileSync', REPORT_FILES.ledger, () =>
      runCertifyInProcess('cleanup', folder),
    )
    expect(cleaned.out + cleaned.err).not.toContain('was not tried')
  },
  LIMIT,
)

const runInto = (folder: string) =>
  runCertifyInProcess(
    'run',
    '--profile',
    SIMULATOR_PROFILE,
    ...targetOptions(simulator),
    '--only',
    'RDS-12',
    '--report',
    folder,
  )
const refusal = (folder: string) =>
  `${folder} holds a run that was cut off, and its ledger.jsonl alone names what that left: run assay certify cleanup '${folder}' first, or name another folder.\n`

type Entries = Parameters<ReturnType<typeof createWriteLedger>['record']>[1][]

// biome-ignore format: a table reads by its columns
const LEFT: [string, Entries, string, boolean][] = [
  ['a charge without a response', [{ operation: 'charge', autoCapture: false }],        '',       true],
  ['a signing key',               [{ operation: 'registerKey', id: 'key' }],            '',       true],
  ['a webhook',                   [{ operation: 'subscribe', id: 'hook' }],             '',       true],
  ['what it cannot read',         [],                                                   'x\n',    true],
  ['a payment that expires',      [{ operation: 'initiate', key: 'k' }],                '',       false],
  ['a mock',                      [{ operation: 'mockSet' }],                           '{"line', false],
]

test.each(LEFT)(
  '7: a run that was cut off and left %s is overwritten only after cleanup',
  async (_what, entries, more, isRefused) => {
    const [folder, source] = [mkdtempSync(join(root, 'left by run-')), mkdtempSync(join(root, 'source-'))]
    prepareReportFolder(folder, profile)
    const file = join(folder, REPORT_FILES.ledger)
    const ledger = createWriteLedger(file)
    for (const entry of entries) ledger.record('us', entry)
    appendFileSync(file, more)
    const text = readFileSync(file, 'utf8')
    await runInto(source)
    const results = [await runCertifyInProcess('regrade', source, '--report', folder)]
    if (isRefused) results.push(await runInto(folder))
    for (const { code, err } of results)
      expect({ code, err }).toEqual(isRefused ? { code: 2, err: refusal(folder) } : { code: 0, err: '' })
    expect(readFileSync(file, 'utf8') === text).toBe(isRefused)
    if (!isRefused) return
    writeFileSync(join(folder, REPORT_FILES.report), 'a report')
    expect(await runInto(folder)).toMatchObject({ code: 0, err: '' })
  },
)

test('7: cleanup cancels authorized payments and removes registrations of an interrupted run', async () => {
  const folder = join(root, 'cut off')
  prepareReportFolder(folder, profile)
  const ledger = createWriteLedger(join(folder, REPORT_FILES.ledger))
  const guard = createTransportGuard(profile, { stop: createStopSignal(), ledger, paced: false })
  const world = createCheckContext(profile, 3, { transport: guard.wrap, control: recordRegistrations(ledger) })
  const transactionId = await createAuthorizedPayment(profile, world)
  const keyId = await world.control.registerKey(newKeyPair().pem)
  expect(findRemainingResources(ledger.lines)).toMatchObject({
    payments: [{ transactionId, stage: 'authorized' }],
    keys: [{ id: keyId }],
  })

  const dry = await runCertifyInProcess('cleanup', folder, '--dry-run')
  expect(dry).toMatchObject({ code: 0, out: expect.stringContaining(`authorized, to be canceled: ${transactionId}`) })
  expect(dry.out).toContain(`signing key still registered: ${keyId}`)
  expect(await runInto(folder)).toEqual({ code: 2, out: '', err: refusal(folder) })
  const explored = ['explore', '--profile', SIMULATOR_PROFILE, ...targetOptions(simulator), '--calls', '20']
  expect((await runCertifyInProcess(...explored, '--report', folder)).err).toBe('')
  const done = await runCertifyInProcess('cleanup', folder)
  expect(done).toMatchObject({ code: 0, out: expect.stringContaining(`canceled: ${transactionId}\n`) })
  const { response } = await world.merchant.request('status', { path: { transactionId } })
  expect(JSON.parse(response?.body.toString() ?? '')).toMatchObject({ lifecycle: { state: 'CANCELED' } })
  const again = await runCertifyInProcess('cleanup', folder)
  expect(again.code).toBe(0)
  expect(again.out).not.toMatch(/canceled|registered|taken away/)
  expect(await runInto(folder)).toMatchObject({ code: 0, err: '' })
  world.close()
})

const ENTRY = '{"line":1,"at":"2026-01-01T00:00:00Z","organization":"us","operation":"initiate","amount":100}'

// biome-ignore format: a table reads by its columns
test.each([
  ['no JSON',            'x',                               [1]],
  ['lines among others', `{"of":1}x\n${ENTRY}\n\n{"of"}\n`, [1, 4]],
  ['a cut-off last one', `${ENTRY}\n{"of":1,"sta`,           []],
])('7: cleanup names the lines of a ledger that it cannot read: %s', async (_what, text, unreadable) => {
  const folder = mkdtempSync(join(root, 'unreadable-'))
  writeFileSync(join(folder, REPORT_FILES.ledger), text)
  const { code, out } = await runCertifyInProcess('cleanup', folder, '--dry-run', '--json')
  expect([code, JSON.parse(out).unreadable]).toEqual([unreadable.length > 0 ? 5 : 0, unreadable])
  const { out: said } = await runCertifyInProcess('cleanup', folder, '--dry-run')
  const told = said.split('\n').filter(line => line.includes('cannot be read'))
  expect(told).toEqual(
    unreadable.length > 0
      ? [`lines of ledger.jsonl that cannot be read, whose writes may still be there: ${unreadable.join(', ')}`]
      : [],
  )
})

// biome-ignore format: a table reads by its columns
test.each([
  ['in the middle of its last line', `${ENTRY}\n{"of":1,"sta`,  0],
  ['before its last line end',       `${ENTRY}\n{"of":1,"status":200}`, 1],
  ['nowhere, with a line spoilt',    `spoilt\n${ENTRY.replace('1', '2')}\n`, 0],
])('7: a ledger that was cut off %s goes on in a line of its own', (_where, text, outcomes) => {
  const file = join(root, 'goes-on.jsonl')
  writeFileSync(file, text)
  const ledger = continueWriteLedger(file, text)
  ledger.record('us', { operation: 'cancel' })({ status: 200 })
  const again = readFileSync(file, 'utf8')
  expect(parseWriteLedger(again)).toEqual(ledger.lines)
  expect(ledger.lines).toHaveLength(3 + outcomes)
  expect(new Set(ledger.lines.flatMap(line => ('line' in line ? [line.line] : []))).size).toBe(2)
  expect(unreadableLines(again)).toEqual(text.startsWith('spoilt') ? [1] : [])
})

test(
  '7: a complete run leaves no authorized payments, keys or webhooks',
  async () => {
    const folder = join(root, 'clean')
    const { code } = await runCertifyInProcess(
      'run',
      '--profile',
      SIMULATOR_PROFILE,
      ...targetOptions(simulator),
      '--only',
      'LIF,SIG-33,EVT',
      '--report',
      folder,
    )
    expect(code).toBe(0)
    const left = findRemainingResources(parseWriteLedger(readFileSync(join(folder, REPORT_FILES.ledger), 'utf8')))
    expect(left.payments.filter(({ stage }) => stage === 'authorized')).toEqual([])
    expect({ keys: left.keys, webhooks: left.webhooks }).toEqual({ keys: [], webhooks: [] })
    expect(left.payments.length).toBeGreaterThan(5)
  },
  LIMIT,
)

test(
  '7: a run leaves no authorized payments where the service captures by hand and the profile says neither that nor the id of charges',
  async () => {
    const file = join(root, 'by-hand.yaml')
    writeFileSync(file, `${readFileSync(SIMULATOR_PROFILE, 'utf8')}decisions:\n  D-02: 'off'\n`)
    const other = await startTestSimulator({ dialect: file })
    try {
      const ours = simulatorProfileAt(other)
      const { charge: _, ...fields } = ours.fields ?? {}
      const target = { profile: { ...ours, fields }, tier: 3 as const, only: [] }
      await judgeDeployment({
        ...target,
        chosen: selectChecks(CHECK_REGISTRY, ['GRD-43', 'GRD-44', 'LIF-01', 'LIF-03', 'IDM-10']),
      })
      const world = createCheckContext(ours, 3)
      const listed = await world.merchant.request('search', { json: { status: 'APPROVED', limit: 100 } })
      const { payments } = JSON.parse(String(listed.response?.body)) as { payments: { transactionId: string }[] }
      const shown = await Promise.all(
        payments.map(({ transactionId }) => world.merchant.request('status', { path: { transactionId } })),
      )
      expect(shown.map(({ response }) => JSON.parse(String(response?.body)).lifecycle.state)).not.toContain(
        'AUTHORIZED',
      )
      world.close()
    } finally {
      await other.stop()
    }
  },
  LIMIT,
)

test(
  '7: a run that is stopped cancels what it has authorized',
  async () => {
    const [stop, ledgerFile] = [createStopSignal(), join(root, 'stopped.jsonl')]
    const authorized = () =>
      findRemainingResources(parseWriteLedger(readFileSync(ledgerFile, { encoding: 'utf8', flag: 'a+' })))
        .payments.filter(({ stage }) => stage === 'authorized')
        .map(({ transactionId }) => transactionId)
    const atStop: string[] = []
    const onResult = () => {
      if (stop.cause || authorized().length === 0) return
      atStop.push(...authorized())
      stop.stop({ reason: 'stopped by SIGINT' })
    }
    const target = { profile, tier: 3 as const, only: [], chosen: selectChecks(CHECK_REGISTRY, ['LIF']) }
    const { report, left } = await judgeDeployment(target, { stop, ledgerFile, onResult })
    expect(report.stopped).toEqual({ reason: 'stopped by SIGINT' })
    expect(atStop).not.toEqual([])
    const canceled = left.payments.filter(({ stage }) => stage === 'canceled').map(({ transactionId }) => transactionId)
    expect(canceled).toEqual(expect.arrayContaining(atStop))
    expect(authorized()).toEqual([])
  },
  LIMIT,
)

test(
  '7: the probes of scout share one budget of payments',
  async () => {
    const most = 4
    const calls: Exchange[] = []
    const { open } = await probeDeployment(
      { profile: { ...profile, budgets: { payments: most } }, tier: 3, only: [], chosen: new Set() },
      calls,
    )
    const started = calls.filter(({ request: { endpoint = '' } }) => ['initiate', 'charge'].includes(endpoint))
    expect(started).toHaveLength(most)
    expect(open.join()).toContain(`budgets.payments of ${profile.file} is spent: ${most}`)
  },
  LIMIT,
)
