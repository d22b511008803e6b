import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { parse, stringify } from 'yaml'
import { SUBCOMMANDS } from '../../contracts/certify-command.ts'
import { readProfile } from '../../contracts/harness/profile/read-profile.ts'
import { createCheckRegistry } from '../../contracts/harness/run/check-registry.ts'
import { CHECK_SCENARIOS } from '../../contracts/suites/index.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { withFailingFileOperation } from '../support/with-failing-file-operation.ts'
import { targetOptions } from './run-certify-child-process.ts'
import { runCertifyInProcess } from './run-certify-in-process.ts'
import { SIMULATOR_PROFILE } from './run-suites.ts'

const WORDS = [
  'init',
  'scout',
  'plan',
  'run',
  'show',
  'explain',
  'list',
  'diff',
  'regrade',
  'resume',
  'verify',
  'cleanup',
]

const folder = mkdtempSync(join(tmpdir(), 'assay-words-'))
const runFolder = join(folder, 'run')
let simulator: TestSimulator
let here: string[]

beforeAll(async () => {
  simulator = await startTestSimulator()
  here = ['--profile', SIMULATOR_PROFILE, ...targetOptions(simulator)]
  const { code } = await runCertifyInProcess(
    'run',
    ...here,
    '--only',
    'TOK,BRR,IDM-15,LIF-12,MCK-01',
    '--report',
    runFolder,
  )
  expect(code).toBe(0)
}, 60_000)

afterAll(async () => {
  rmSync(folder, { recursive: true })
  await simulator.stop()
})

test('--help names every subcommand, and every subcommand has its own help', async () => {
  const { out, code } = await runCertifyInProcess('--help')
  expect(code).toBe(0)
  for (const word of WORDS) expect(out).toMatch(new RegExp(`^ {2}assay certify ${word} +\\w`, 'm'))
  for (const word of WORDS) {
    const help = await runCertifyInProcess(word, '--help')
    expect(help).toMatchObject({ code: 0, err: '' })
    expect(help.out).toMatch(new RegExp(`^assay certify ${word}\\b.*\\n\\n(\\S.*\\n)+`))
    expect(help.out).toMatch(/^ {2}--help {14}this text$/m)
  }
})

test('list prints checks in order with their controls, without calls', async () => {
  const { out, code } = await runCertifyInProcess('list', '--only', 'IDM-16')
  expect(code).toBe(0)
  expect(out).toBe(
    [
      'VAL-02   T3  a valid IRIS payment is accepted and yields a redirect URL (E4)',
      'IDM-15   T3  initiate, same key and another amount: 409 (I4, 7.4.5)',
      'IDM-16   T3  that 409 carries a 3xxx code (I4)',
      '',
    ].join('\n'),
  )
  expect(JSON.parse((await runCertifyInProcess('list', '--only', 'IDM-16', '--json')).out)).toMatchObject([
    { id: 'VAL-02', tier: 3 },
    {},
    {},
  ])
})

test('a closed pipe ends the command without an error', () => {
  const assay = join(import.meta.dirname, '../../bin/assay.js')
  const line = `"${process.execPath}" "${assay}" certify list 2>&1 | head -1`
  expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' })).toMatch(/^TOK-01 .*\n$/)
})

// biome-ignore format: a table reads by its columns
test.each([
  ['SIG-43', 'a signing key that has expired, by control.url or expiredKey of the profile; untestable without it'],
  ['EVT-03', 'webhooks that reach this run, by control.url or webhooks.public or webhooks.command of the profile; untestable without it'],
  ['BLK-03', 'PT46S that pass, by control.url or patience of the profile; untestable without it'],
  ['LIF-25', 'limits.holdSeconds that pass, by control.url or patience of the profile; untestable without it'],
])('explain %s names lines that a profile takes: %s', async (id, need) => {
  const { out } = await runCertifyInProcess('explain', id)
  expect(out.split('\n')).toContain(`needs     ${need}`)
})

test('explain prints clause, basis, control and decisions', async () => {
  const { out } = await runCertifyInProcess('explain', 'sig-28')
  expect(out).toMatch(/^SIG-28 {2}created a day ago is refused\n\nclause {4}5\.2\nbasis {5}assumed; we assume it: /)
  expect(out).toMatch(/^control {3}TOK-01 .*; where it does not pass, this check is blocked$/m)
  expect(out).toMatch(/^leans on {2}D-25 The window of `created`$/m)
  expect((await runCertifyInProcess('explain', 'LIF-01')).out).toMatch(
    /^needs {5}the line fields\.initiate\.transactionId of the profile/m,
  )
  expect(await runCertifyInProcess('explain', 'SIG-99')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('There is no check "SIG-99"'),
  })
})

test('explain prints what a decision asks, chooses and leaves out, and the checks that lean on it', async () => {
  const { out } = await runCertifyInProcess('explain', 'd-41')
  expect(out).toMatch(
    /^D-41 {2}The amount of a refund\n\nclause {4}1, R1, R5\nbasis {5}assumed; .*confirmed: \[D-41\]\n/,
  )
  expect(out).toMatch(/^question {2}What does a refund without an amount refund, .*\?\nchoice {4}Everything settled/m)
  expect(out).toMatch(
    /^ {10}or a settled part \(D-120\), and is approved at once\.\nwhy {7}R1 ties refunds to settlement; .*$/m,
  )
  expect(out).toMatch(/^otherwise 400\/4000\notherwise `ACCEPTED` first\n/m)
  const leaning = [...createCheckRegistry(CHECK_SCENARIOS).values()].filter(check => check.decisions?.includes('D-41'))
  expect(leaning.length).toBeGreaterThan(0)
  expect(out.split('\n').filter(line => line.startsWith('check '))).toEqual(
    leaning.map(({ id, title }) => `check     ${id} ${title}`),
  )
  expect((await runCertifyInProcess('explain', 'D-05')).out).toMatch(
    /^choice {4}See the table below\.\n {10}State +Status +Stage +Final\n {10}`AWAITING_SHOPPER` +`PENDING` +initiation\n/m,
  )
  expect(JSON.parse((await runCertifyInProcess('explain', 'D-41', '--json')).out)).toMatchObject({
    number: 'D-41',
    alternatives: ['400/4000', '`ACCEPTED` first'],
    checks: expect.arrayContaining([{ id: leaning[0]?.id, title: leaning[0]?.title }]),
  })
  expect(await runCertifyInProcess('explain', 'd-5')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^There is no decision "D-\d+": the nearest is D-05\.\n$/),
  })
})

test('show prints a saved run, or one check with its exchanges', async () => {
  const whole = await runCertifyInProcess('show', runFolder)
  expect(whole.code).toBe(0)
  expect(whole.out).toMatch(/\d+ checks: \d+ pass; \d+ of \d+ were not chosen\n$/)
  const one = await runCertifyInProcess('show', runFolder, 'IDM-15')
  expect(one.out).toMatch(/^pass\n {2}IDM-15 /)
  expect(one.out).toContain('< HTTP 409')
  expect(one.out).toContain('control   VAL-02\n           beside    POST /payments/initiate → 200')
  expect(await runCertifyInProcess('show', runFolder, 'SIG-01')).toMatchObject({
    code: 2,
    err: expect.stringContaining('judged no "SIG-01"'),
  })
  expect(await runCertifyInProcess('show', join(folder, 'nowhere'))).toMatchObject({
    code: 2,
    err: expect.stringContaining('cannot be read (ENOENT)'),
  })
})

test('plan prints which checks would run and the expected calls and payments, without calls', async () => {
  const calls = async () =>
    JSON.stringify(
      await (await fetch(`${simulator.pagesUrl}/control/organizations/demo-merchant/journal?limit=500`)).json(),
    )
  const before = await calls()
  const { out, code } = await runCertifyInProcess('plan', ...here, '--json')
  expect(code).toBe(0)
  expect(await calls()).toBe(before)
  const plan = JSON.parse(out)
  expect(plan.not).toContainEqual(expect.objectContaining({ id: 'ERR-14', verdict: 'withheld' }))
  expect(plan.runs).toContain('IDM-15')
  expect(plan.cost.calls).toBeGreaterThan(300)
  const reads = JSON.parse((await runCertifyInProcess('plan', ...here, '--tier', '1', '--json')).out)
  expect(reads.cost).toMatchObject({ writes: 0, payments: 0, amounts: {} })
  expect(await runCertifyInProcess('plan', ...here, '--tier', '1', '--only', 'ERR-14')).toMatchObject({ code: 0 })
  expect(await runCertifyInProcess('plan', ...here, '--tier', '1', '--only', 'MCK-01')).toMatchObject({
    code: 3,
    out: expect.stringContaining('0 checks would run, 1 would not'),
  })
})

test('plan estimates the calls and payments of a run closely', async () => {
  const only = ['--only', 'LIF,IDM']
  const plan = JSON.parse((await runCertifyInProcess('plan', ...here, ...only, '--json')).out)
  const run = JSON.parse((await runCertifyInProcess('run', ...here, ...only, '--json')).out)
  expect(Math.abs(plan.cost.calls - run.spent.calls)).toBeLessThan(run.spent.calls / 5)
  expect(Math.abs(plan.cost.payments - run.spent.payments)).toBeLessThan(run.spent.payments / 5)
})

test('init writes a profile with questions as comments, and never overwrites a file', async () => {
  const file = join(folder, 'ours.yaml')
  const known = ['--base-url', simulator.apiUrl, '--kit', simulator.kitFolder, '--control', simulator.pagesUrl]
  expect(await runCertifyInProcess('init', file, ...known)).toMatchObject({ code: 0, err: '' })
  const profile = readProfile(file)
  expect(profile).toMatchObject({
    target: { baseUrl: simulator.apiUrl },
    control: { url: simulator.pagesUrl },
    confirmed: [],
  })
  expect(profile.fields).toBeUndefined()
  expect(readFileSync(file, 'utf8')).toMatch(/^# fields:$/m)
  const odd = ["https://api.example/$`x'", 'https://api.example/$&']
  for (const [index, baseUrl] of odd.entries()) {
    const other = join(folder, `odd-${index}.yaml`)
    expect(await runCertifyInProcess('init', other, '--base-url', baseUrl)).toMatchObject({ code: 0, err: '' })
    expect(readProfile(other).target.baseUrl).toBe(baseUrl)
  }
  expect(await runCertifyInProcess('init', file)).toMatchObject({
    code: 2,
    err: expect.stringContaining('is there already'),
  })
  expect(await runCertifyInProcess('init', join(folder, 'b.yaml'), '--base-url', 'http://x')).toMatchObject({
    code: 2,
    err: expect.stringContaining('Nothing was written'),
  })
  expect(await runCertifyInProcess('init', join(folder, 'b.yaml'), '--kit', join(folder, 'no-kit'))).toEqual({
    code: 2,
    out: '',
    err: `${join(folder, 'no-kit')} cannot be read: start the simulator, which writes it, or name another kit.\n`,
  })
  expect(existsSync(join(folder, 'b.yaml'))).toBe(false)
})

test('control is not called by an address with a password, nor with a token that no header carries', async () => {
  const profile = join(folder, 'closed.yaml')
  const token = join(folder, 'token')
  const shipped = parse(readFileSync(SIMULATOR_PROFILE, 'utf8'))
  const closed = { url: 'http://localhost:9', token: `file:${token}` }
  writeFileSync(profile, stringify({ ...shipped, organization: { kit: simulator.kitFolder }, control: closed }))
  writeFileSync(token, 'two secret\n')
  const only = ['--only', 'BLK-01']
  for (const argv of [
    ['run', ...here, '--control', 'http://user:pw-secret@localhost:9'],
    ['run', '--profile', profile, '--base-url', simulator.apiUrl],
  ])
    expect(await runCertifyInProcess(...argv, ...only)).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(/^The (?!.*secret)[^\n]+\.\n$/),
    })
})

test('regrade judges a saved run by the current profile, without calls', async () => {
  const profile = join(folder, 'wrong.yaml')
  const right = parse(readFileSync(SIMULATOR_PROFILE, 'utf8'))
  writeFileSync(profile, stringify({ ...right, errors: { ...right.errors, reasonCode: '/nowhere' } }))
  expect(await runCertifyInProcess('regrade', runFolder)).toMatchObject({ code: 0, err: '' })
  const again = join(folder, 'again')
  const { code, out } = await runCertifyInProcess(
    'regrade',
    runFolder,
    '--profile',
    profile,
    '--report',
    again,
    '--json',
  )
  expect(code).toBe(5)
  const checks: { id: string; verdict: string }[] = JSON.parse(out).checks
  expect(checks.find(({ id }) => id === 'BRR-01')?.verdict).toBe('untestable')
  expect(checks.find(({ id }) => id === 'TOK-01')?.verdict).toBe('pass')
  expect(await runCertifyInProcess('verify', again)).toMatchObject({ code: 0 })
  const nowhere = ['--report', join(folder, 'unwritten'), '--junit', '/dev/null/x.xml']
  expect((await runCertifyInProcess('regrade', runFolder, ...nowhere)).code).toBe(2)
  expect(existsSync(join(folder, 'unwritten/report.json'))).toBe(false)
  const wider = await runCertifyInProcess('regrade', runFolder, '--only', 'SIG-01', '--json')
  expect(JSON.parse(wider.out).checks).toMatchObject([{ id: 'SIG-01', verdict: 'untestable' }])
})

test('a report that cannot be written hides neither the verdicts, nor JUnit, nor a failure', async () => {
  const junit = join(folder, 'beside.xml')
  const broken = await startTestSimulator({ signatureAge: 1000 * 86_400_000 })
  const full = (file: string, ...argv: string[]) =>
    withFailingFileOperation('writeFileSync', file, () =>
      runCertifyInProcess(...argv, '--report', join(folder, 'full')),
    )
  const run = (at: TestSimulator, only: string) =>
    full('report.html', 'run', '--profile', SIMULATOR_PROFILE, ...targetOptions(at), '--only', only, '--junit', junit)
  const unwritten = (name: string) =>
    expect.stringMatching(new RegExp(`${name} cannot be written \\(ENOSPC\\): [^\n]+\n$`))
  expect(await run(simulator, 'TOK-02')).toMatchObject({
    code: 2,
    out: expect.stringContaining('1 check: 1 pass'),
    err: unwritten('report.html'),
  })
  expect(readFileSync(junit, 'utf8')).toContain('TOK-02')
  expect(await run(broken, 'SIG-28')).toMatchObject({ code: 1, err: unwritten('report.html') })
  expect(readFileSync(junit, 'utf8')).toContain('<failure')
  await broken.stop()
  rmSync(junit)
  expect(await full('report.html', 'regrade', runFolder, '--junit', junit)).toMatchObject({
    code: 2,
    out: expect.stringContaining(' pass'),
    err: unwritten('report.html'),
  })
  expect(existsSync(junit)).toBe(true)
  expect(await full('transitions.csv', 'explore', ...here, '--calls', '20')).toMatchObject({
    code: 2,
    out: expect.stringMatching(/^Seed 1: \d+ calls /m),
    err: unwritten('transitions.csv'),
  })
})

test('regrade into the folder that it reads leaves it as it was where it cannot be written', async () => {
  const files = ['report.json', 'ledger.jsonl', 'certificate.jws']
  const texts = () => files.map(name => readFileSync(join(runFolder, name), 'utf8'))
  const before = texts()
  const regrade = () => runCertifyInProcess('regrade', runFolder, '--report', runFolder)
  expect((await withFailingFileOperation('writeFileSync', 'coverage.csv', regrade)).code).toBe(2)
  expect(texts()).toEqual(before)
  expect(await regrade()).toMatchObject({ code: 0, err: '' })
  expect(texts()[1]).toBe(before[1])
  expect((await runCertifyInProcess('verify', runFolder)).code).toBe(0)
})

test('diff exits with 8 where a check got worse, and not where one got better', async () => {
  const worse = join(folder, 'worse')
  const broken = await startTestSimulator({ signatureAge: 1000 * 86_400_000 })
  const options = ['--profile', SIMULATOR_PROFILE, '--only', 'SIG-28,TOK-02']
  const [good, bad] = [join(folder, 'good'), worse]
  await runCertifyInProcess('run', ...options, ...targetOptions(simulator), '--report', good)
  await runCertifyInProcess('run', ...options, ...targetOptions(broken), '--report', bad)
  await broken.stop()
  const regression = await runCertifyInProcess('diff', good, bad)
  expect(regression.code).toBe(8)
  expect(regression.out).toMatch(/regressions \(1\)\n {2}SIG-28 {3}pass → fail .*\n {11}expected a refusal/)
  expect(await runCertifyInProcess('diff', bad, good)).toMatchObject({
    code: 0,
    out: expect.stringContaining('better (1)'),
  })
  expect(await runCertifyInProcess('diff', good, good)).toMatchObject({
    code: 0,
    out: expect.stringContaining('Every verdict is the same.'),
  })
  expect(await runCertifyInProcess('diff', good, join(folder, 'nowhere'))).toMatchObject({
    code: 2,
    err: expect.stringContaining('neither the folder'),
  })
})

test('diff runs the checks against two addresses', async () => {
  const { code, out } = await runCertifyInProcess(
    'diff',
    simulator.apiUrl,
    runFolder,
    ...here,
    '--only',
    'TOK,BRR,IDM-15,LIF-12,MCK-01',
  )
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('Every verdict is the same.') })
})

test.each(['notApplicable', 'knownFailures'])('%s of a check that does not exist is refused', async line => {
  const profile = join(folder, 'unknown-check.yaml')
  const right = parse(readFileSync(SIMULATOR_PROFILE, 'utf8'))
  writeFileSync(profile, stringify({ ...right, [line]: { 'LIF-99': 'why' } }))
  const { code, err } = await runCertifyInProcess('plan', '--profile', profile, ...targetOptions(simulator))
  expect({ code, err }).toMatchObject({
    code: 2,
    err: expect.stringContaining(`${line}.LIF-99 is no check: "assay certify list" names them all.`),
  })
})

test('explain prints the lines by which a profile chooses otherwise', async () => {
  expect((await runCertifyInProcess('explain', 'D-68')).out).toContain(
    'profile   decisions: { D-68: "ignored" }  the header is ignored',
  )
})

test('diff of addresses at which nothing could be measured exits with 3, and says what was not judged', async () => {
  const kit = join(folder, 'unknown-key')
  cpSync(simulator.kitFolder, kit, { recursive: true })
  const file = join(kit, 'kit.json')
  const own = JSON.parse(readFileSync(file, 'utf8'))
  const signingKeys = own.signingKeys.map((key: object) => ({ ...key, keyId: 'nobody-knows-it' }))
  writeFileSync(file, JSON.stringify({ ...own, signingKeys }))
  const options = ['--profile', SIMULATOR_PROFILE, '--kit', kit, '--control', simulator.pagesUrl, '--only', 'RDS-12']
  const { code, out } = await runCertifyInProcess('diff', simulator.apiUrl, simulator.apiUrl, ...options)
  expect(code, out).toBe(3)
  expect(out).toMatch(
    /^A .+\n {3}Not judged: \d+ of the \d+ checks.*\nB .+\n {3}Not judged: .*\n\nEvery verdict is the same/,
  )
})

test('an unexpected error ends with its stack and exit code 4, as a bug of the suite', async () => {
  const broken = vi.spyOn(SUBCOMMANDS.list ?? expect.fail(), 'load').mockRejectedValue(new Error('out of luck'))
  const { code, out, err } = await runCertifyInProcess('list')
  broken.mockRestore()
  expect({ code, out, err }).toEqual({ code: 4, out: '', err: expect.stringMatching(/^Error: out of luck\n +at /) })
})

test('a profile named by a relative path is saved under its own, from which its kit is found', async () => {
  const profile = join(folder, 'relative.yaml')
  const kit = relative(folder, simulator.kitFolder)
  writeFileSync(profile, stringify({ ...parse(readFileSync(SIMULATOR_PROFILE, 'utf8')), organization: { kit } }))
  const report = join(folder, 'relative')
  const at = ['--base-url', simulator.apiUrl, '--control', simulator.pagesUrl, '--only', 'TOK-02', '--report', report]
  expect((await runCertifyInProcess('run', '--profile', relative('.', profile), ...at)).code).toBe(0)
  const saved = (name: string) => JSON.parse(readFileSync(join(report, name), 'utf8'))
  expect(saved('profile.json').file).toBe(profile)
  const { again } = saved('report.json')
  for (const named of [[], ['--profile', relative('.', profile)]]) {
    expect((await runCertifyInProcess('regrade', report, ...named, '--report', report)).code).toBe(0)
    expect(saved('report.json').again).toBe(again)
  }
})

test('a known failure that passes exits with 6', async () => {
  const profile = join(folder, 'stale.yaml')
  const right = parse(readFileSync(SIMULATOR_PROFILE, 'utf8'))
  writeFileSync(profile, stringify({ ...right, knownFailures: { 'TOK-02': 'ticket 12' } }))
  const { code, out } = await runCertifyInProcess(
    'run',
    '--profile',
    profile,
    ...targetOptions(simulator),
    '--only',
    'TOK-02,TOK-03',
  )
  expect(code).toBe(6)
  expect(out).toMatch(/stale \(1\)\n {2}TOK-02 .*\n {11}it passes now: remove it from knownFailures in .*"ticket 12"/)
})

test('an unreachable address ends every calling subcommand with one sentence and exit code 3', async () => {
  const nobody = ['--profile', SIMULATOR_PROFILE, '--kit', simulator.kitFolder]
  const sentence = expect.stringMatching(/^https:\/\/localhost:1 cannot be reached \(ECONNREFUSED.*\n$/)
  expect(await runCertifyInProcess('run', ...nobody, '--base-url', 'https://localhost:1')).toEqual({
    code: 3,
    out: '',
    err: sentence,
  })
  expect(await runCertifyInProcess('diff', 'https://localhost:1', runFolder, ...nobody)).toEqual({
    code: 3,
    out: '',
    err: sentence,
  })
})
