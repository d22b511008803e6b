import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyConformanceCertificate } from '../../contracts/harness/report/conformance-certificate.ts'
import { PENDING_FILE, REPORT_FILES } from '../../contracts/harness/report/report-folder.ts'
import { inReportFolder } from '../../contracts/harness/report/report-folder-lock.ts'
import { sha256Digest } from '../../contracts/harness/report/suite-name-and-digest.ts'
import { createStopSignal } from '../../contracts/harness/run/stop-signal.ts'
import { createWriteLedger } from '../../contracts/harness/safety/write-ledger.ts'
import schema from '../../contracts/report.schema.json' with { type: 'json' }
import { main } from '../../fixtures/drill/command.ts'
import { createScriptedShopper, type Drill } from '../../fixtures/drill/scripted-and-prompted-shoppers.ts'
import { readBuiltInDrills } from '../../simulator/conduct/drill-files.ts'
import { ROOT } from '../architecture/read-source-files.ts'
import { runCertifyInProcess } from '../conformance/run-certify-in-process.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { pollUntil } from '../support/poll-until.ts'
import { runInProcess } from '../support/run-in-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startExampleShop } from './example-shop-driver.ts'
import { FAULTY_SHOPS } from './faulty-shops.ts'

let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

type Said = { code: number | null; stdout: string; stderr: string }

type Say = (argv: readonly string[]) => Promise<Said>

/** Runs `assay drill` in the process of the test. */
const say: Say = async argv => {
  const { out, err, code } = await runInProcess(main, ['--url', simulator.pagesUrl, ...argv])
  return { code, stdout: out, stderr: err }
}

/** Runs `assay drill` in a child process without a terminal. */
const sayInChild: Say = argv =>
  new Promise(resolve => {
    const env = { ...process.env, ASSAY_URL: simulator.pagesUrl }
    const child = spawn(process.execPath, ['bin/assay.js', 'drill', ...argv], { cwd: ROOT, env, stdio: 'pipe' })
    child.stdin.end()
    const said = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', text => (said.stdout += text))
    child.stderr.setEncoding('utf8').on('data', text => (said.stderr += text))
    child.once('close', code => resolve({ code, ...said }))
  })

/** Runs `assay drill` against the example shop or a faulty one, with the scripted shopper. */
const drilled = async (only: string, argv: readonly string[] = [], id?: string, run = say): Promise<Said> => {
  const shop = await startExampleShop(simulator, id === undefined ? {} : FAULTY_SHOPS[id]?.spoil)
  const pay = `SHOP_URL=${shop.url} node ${ROOT}/test/conduct/shopper-script.ts`
  const said = await run(['--run', pay, '--organization', shop.organization.id, '--only', only, ...argv])
  shop.close()
  return said
}

test('--report is refused where another command works, and where a run waits whose payments it would forget', async () => {
  const folder = temporaryFolder()
  const drill = () => say(['--passive', '--organization', simulator.kit.organizationId, '--report', folder])
  await inReportFolder(folder, async () =>
    expect(await drill()).toEqual({ code: 7, stdout: '', stderr: expect.stringMatching(/^Another command of assay /) }),
  )
  const ledger = join(folder, REPORT_FILES.ledger)
  createWriteLedger(ledger).record('us', { operation: 'charge', autoCapture: false })
  writeFileSync(join(folder, PENDING_FILE), 'waits')
  expect(await drill()).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining('holds a run that waits for ') })
  expect(readFileSync(ledger, 'utf8')).toContain('"charge"')
})

test('7.4, 5.3: the example shop passes every drill and rule, and the certificate verifies', {
  timeout: 120_000,
}, async () => {
  const folder = temporaryFolder()
  const { code, stdout, stderr } = await drilled(
    'lost_initiate,TOKEN_ENDED',
    ['--report', folder],
    undefined,
    sayInChild,
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^LOST_INITIATE +pass +A payment.*\n(?:.*\n)?TOKEN_ENDED +pass/)
  expect(stdout).toMatch(/^CND-01 {2}pass/m)
  expect(stdout).toMatch(/^\d+ rules: \d+ pass; \d+ of 23 not drilled\n.*report\.html\n$/m)
  expect(stdout).not.toContain('\u001b')
  expect(readdirSync(folder).sort()).toEqual(['certificate.jws', 'junit.xml', 'report.html', 'report.json'])
  const json = readFileSync(join(folder, 'report.json'), 'utf8')
  const validate = addFormats.default(new Ajv2020({ allErrors: true, strictTypes: false })).compile(schema)
  expect(validate(JSON.parse(json)) || validate.errors).toBe(true)
  const { certificate } = await verifyConformanceCertificate(readFileSync(join(folder, 'certificate.jws'), 'utf8'))
  expect(certificate).toMatchObject({
    suite: { name: 'assay conduct', checks: 23 },
    files: { 'report.json': sha256Digest(json) },
  })
  expect((await runCertifyInProcess('verify', folder)).code).toBe(0)
})

test('7.4: a broken rule exits with 1, and the reports show the calls that prove it', {
  timeout: 120_000,
}, async () => {
  const folder = temporaryFolder()
  const { code, stdout } = await drilled('NEVER_ARRIVED', ['--report', folder], 'CND-01')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^NEVER_ARRIVED +fail .*\n +CND-01 initiate was sent again under a new key\.$/m)
  const { checks, again } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))
  const [broken] = checks.filter(({ verdict }: { verdict: string }) => verdict === 'fail')
  expect(broken).toMatchObject({ id: 'CND-01', journey: 'NEVER_ARRIVED', exchange: { response: { status: 200 } } })
  expect(broken.control.exchange.response.status).toBe(504)
  const [first, second] = [broken.control, broken].map(one => one.exchange.request.headers['idempotency-key'])
  expect(first).not.toBe(second)
  expect(again).toContain('--only {journey}')
  const page = readFileSync(join(folder, 'report.html'), 'utf8')
  expect(page).toContain('--only NEVER_ARRIVED')
  expect(page).toContain('The call before: POST /payments/initiate → 504')
  expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toMatch(/<testcase name="CND-01 [^>]*>\s*<failure /)
})

test('the report shows the webhook that proves a breach', { timeout: 120_000 }, async () => {
  const folder = temporaryFolder()
  expect((await drilled('WEBHOOK_FORGED', ['--report', folder], 'CND-11')).code).toBe(1)
  const { checks } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))
  const broken = checks.find(({ id }: { id: string }) => id === 'CND-11')
  expect(broken.exchange.request.url).toMatch(/\/webhooks$/)
  expect(broken.exchange.response.status).toBe(204)
})

test('rules not exercised exit with 3 where none was exercised, with 5 where some passed, and name their drills', {
  timeout: 120_000,
}, async () => {
  const idle = await say(['--run', 'echo went home; exit 4', '--only', 'DECLINED'])
  expect(idle.code).toBe(3)
  expect(idle.stdout).toMatch(/The command ended with 4 and said last:\n +\| went home\n/)
  expect(idle.stdout).toMatch(
    /CND-02 {2}not exercised .*\n +nothing that was seen gave an occasion; drills for it: DECLINED/,
  )
  const shop = await startExampleShop(simulator)
  await shop.drill('PLAIN_PAYMENT')
  const passive = await say(['--passive', '--organization', shop.organization.id])
  expect(passive.code).toBe(5)
  expect(passive.stdout).toMatch(/CND-20 {2}pass/)
  expect(passive.stdout).toMatch(/^23 rules: \d+ pass, \d+ not exercised\n$/m)
  shop.close()
})

test('--list prints every drill with its rules', async () => {
  const { code, stdout } = await say(['--list'])
  expect(code).toBe(0)
  expect(stdout.trim().split('\n')).toEqual(
    readBuiltInDrills().map(({ name, title, rules }) => `${name.padEnd(22)} ${title} (${rules.join(', ')})`),
  )
})

test('--help lists every option', async () => {
  const { code, stdout } = await say(['--help'])
  expect(code).toBe(0)
  for (const option of ['run', 'organization', 'only', 'list', 'passive', 'report', 'sign-key', 'url', 'token', 'help'])
    expect(stdout).toContain(`  --${option}`)
})

// biome-ignore format: a table reads by its columns
test.each<[argv: string[], code: number, told: RegExp]>([
  [['--frobnicate'],                            2, /^Unknown option '--frobnicate': "assay drill --help" lists the options\.\n$/],
  [['extra'],                                   2, /^Unexpected argument 'extra'/],
  [[],                                          2, /^There is no terminal for a shopper: give --run .* or --passive .*\.\n$/],
  [['--run', ' '],                              2, /^--run is empty: /],
  [['--run', 'true', '--passive'],              2, /^--passive drills nothing: /],
  [['--list', '--only', ' , '],                 2, /^--only " , " names nothing: /],
  [['--run', 'true', '--only', 'NO_SUCH'],      2, /^There is no drill NO_SUCH: "assay drill --list" names them all\.\n$/],
  [['--run', 'true', '--only', ''],             2, /^--only "" names nothing: name at least one drill, such as --only LOST_INITIATE\.\n$/],
  [['--run', 'no-such-command-here', '--only', 'DECLINED'], 2, /^--run cannot be started: .*no-such-command-here/],
  [['--run', 'true', '--organization', 'none'], 2, /^There is no organization none: /],
  [['--passive', '--sign-key', 'none.pem'],     2, /^There is no readable file none\.pem: /],
  [['--run', 'true', '--only', 'DECLINED', '--report', '/proc'], 2, /^\/proc cannot be written \(ENOENT\): name a folder that can be written to\.\n$/],
  [['--passive', '--url', 'http://127.0.0.1:2'], 3, /^No sandbox responds at http:\/\/127\.0\.0\.1:2 \(ECONNREFUSED\): start one /],
])('%j exits with %i and one sentence', async (argv, code, told) => {
  const { stderr, ...rest } = await say(argv)
  expect(rest).toEqual({ code, stdout: '' })
  expect(stderr).toMatch(told)
})

test('a --run command that cannot be started leaves no fault armed', async () => {
  await say(['--run', 'no-such-command-here', '--only', 'DECLINED'])
  const answer = await fetch(`${simulator.pagesUrl}/control/organizations/demo-merchant/faults`)
  expect((await answer.json()).faults).toEqual([])
})

test.each([
  ['Ctrl-C', 'SIGINT'],
  ['a terminal that is closed', 'SIGHUP'],
] as const)(
  '%s ends the --run command, disarms the drill and prints why it stopped',
  { timeout: 60_000 },
  async (_, signal) => {
    const marker = join(temporaryFolder(), 'started')
    const run = ['--run', `touch ${marker}; sleep 300`, '--only', 'DECLINED']
    const env = { ...process.env, ASSAY_URL: simulator.pagesUrl }
    const child = spawn(process.execPath, ['bin/assay.js', 'drill', ...run], { cwd: ROOT, env, stdio: 'pipe' })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', text => (said += text))
    const ended = new Promise(resolve => child.once('close', resolve))
    await pollUntil(() => existsSync(marker), Boolean)
    child.kill(signal)
    expect(await ended).toBe(3)
    expect(said).toContain(`The drills were stopped early: stopped by ${signal}.`)
    const answer = await fetch(`${simulator.pagesUrl}/control/organizations/demo-merchant/faults`)
    expect((await answer.json()).faults).toEqual([])
  },
)

test('a stop after a command that a signal ended throws nothing', async () => {
  const stop = createStopSignal()
  expect(await createScriptedShopper('kill -9 $$', {}, stop)(DRILL, 1)).toMatchObject({ code: 137 })
  stop.stop({ reason: 'stopped by SIGINT' })
  await stop.stopped
})

test('a command is over when it has ended, and what it left behind with its output ends with it', async () => {
  const stop = createStopSignal()
  const { code, said = '' } = (await createScriptedShopper('sleep 300 & echo $!', {}, stop)(DRILL, 1)) ?? {}
  expect(code).toBe(0)
  await pollUntil(
    () => isRunning(Number(said)),
    running => !running,
  )
})

test('a stop ends what a command has left behind with its output', async () => {
  const stop = createStopSignal()
  const file = join(temporaryFolder(), 'shell')
  const run = createScriptedShopper(`sleep 300 & echo $$ > ${file}.new; mv ${file}.new ${file}`, {}, stop)(DRILL, 1)
  const shell = Number(await pollUntil(() => existsSync(file) && readFileSync(file, 'utf8'), Boolean))
  await pollUntil(
    () => isRunning(shell),
    running => !running,
  )
  stop.stop({ reason: 'stopped by SIGINT' })
  expect(await run).toMatchObject({ code: 0 })
})

const DRILL = { name: 'DECLINED' } as Drill
const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
