import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { parse, stringify } from 'yaml'
import { main } from '../../contracts/certify-command.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { withFailingFileOperation } from '../support/with-failing-file-operation.ts'
import { runCertifyInProcess } from './run-certify-in-process.ts'
import { SIMULATOR_PROFILE } from './run-suites.ts'

const world = vi.hoisted(() => ({ passedMs: 0, letPass: async (_ms: number): Promise<void> => undefined }))

/** Time that really passes is moved, except in signatures, which the simulator compares with its own wall clock. */
vi.mock('../../contracts/client/wall-clock.ts', async actual => {
  const { realTime, ...rest } = await actual<typeof import('../../contracts/client/wall-clock.ts')>()
  const moved = () => realTime() + world.passedMs
  return {
    ...rest,
    realTime: moved,
    nowIso: () => new Date(moved()).toISOString(),
    sleep: (ms: number) => world.letPass(ms),
  }
})

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let simulator: TestSimulator
let home: string
let folder: string
let profile: string

beforeAll(async () => {
  simulator = await startTestSimulator()
  world.letPass = async ms => {
    const seconds = Math.ceil(ms / 1000)
    world.passedMs += seconds * 1000
    const clock = `${simulator.pagesUrl}/control/organizations/${simulator.credentials.organizationId}/clock`
    const advance = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advance: `PT${seconds}S` }),
    }
    const response = await fetch(clock, advance)
    if (!response.ok) throw new Error(`the clock answered ${response.status}`)
  }
})

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'assay-resume-'))
  folder = join(home, 'report')
  profile = join(home, 'ours.yaml')
  const { control: _, secondOrganization: __, ...rest } = parse(readFileSync(SIMULATOR_PROFILE, 'utf8'))
  const organization = { kit: simulator.kitFolder }
  const target = { baseUrl: simulator.apiUrl, environment: 'sandbox' }
  writeFileSync(profile, stringify({ ...rest, target, organization, patience: 'P2D' }))
})
afterEach(() => rmSync(home, { recursive: true }))
afterAll(() => simulator.stop())

const PAYMENTS = ['IRS-03']
const TIMED = ['TOK-19', 'TOK-18', 'IDM-22', 'IDM-23', 'MCK-10', 'MCK-11']
const begin = (...more: string[]) =>
  runCertifyInProcess('run', '--profile', profile, '--only', TIMED.join(), '--report', folder, ...more)
const resume = (...more: string[]) => runCertifyInProcess('resume', folder, ...more)
const verdicts = () => {
  const { checks } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as {
    checks: { id: string; verdict: string }[]
  }
  return Object.fromEntries(
    checks.filter(({ id }) => [...PAYMENTS, ...TIMED].includes(id)).map(({ id, verdict }) => [id, verdict]),
  )
}
const transcript = () => readFileSync(join(folder, 'transcript.json'), 'utf8')
type Recorded = {
  exchanges: { request: { headers: Record<string, string> } }[]
  journeys: { name: string; steps: Record<string, number> }[]
}
const recorded = () => JSON.parse(transcript()) as Recorded
const callsWithBearerOf = (place: number) => {
  const { exchanges } = recorded()
  const bearerAt = (exchange?: Recorded['exchanges'][number]) => exchange?.request.headers.authorization
  return exchanges.filter(exchange => bearerAt(exchange) === bearerAt(exchanges[place]))
}
const pendingFile = () => join(folder, 'pending.json')
const spentCalls = (): number => JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')).spent.calls
const callsMade = () => simulator.controlPlane.journal.latest(simulator.kit.organizationId, 10_000).length
const all = (verdict: string, ids = TIMED) => Object.fromEntries(ids.map(id => [id, verdict]))

test('8, R7: what ends after 30 min, 2 h and 24 h is opened in one run and looked at in later ones, at both bounds', async () => {
  const every = [...PAYMENTS, ...TIMED]
  const run = await begin('--only', every.join())
  expect(run).toMatchObject({ code: 5, err: '' })
  expect(run.out).toMatch(/^7 checks wait: run assay certify resume \S+ after 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC$/m)
  expect(run.out).toContain(`${pendingFile()} holds secrets`)
  expect(statSync(pendingFile()).mode & 0o777).toBe(0o600)
  expect(verdicts()).toEqual(all('inconclusive', every))

  await world.letPass(25 * MINUTE)
  const first = await resume()
  expect(first).toMatchObject({ code: 5, err: '' })
  expect(verdicts()).toEqual({ ...all('inconclusive'), ...all('pass', PAYMENTS) })

  await world.letPass(HOUR + 25 * MINUTE)
  const second = await resume()
  expect(second).toMatchObject({ code: 5, err: '' })
  expect(second.out).toMatch(
    /^4 checks wait: run assay certify resume \S+ between 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d and .* UTC$/m,
  )
  expect(verdicts()).toEqual({ ...all('inconclusive'), ...all('pass', [...PAYMENTS, 'TOK-18', 'TOK-19']) })
  expect((await runCertifyInProcess('verify', folder)).code).toBe(0)

  await world.letPass(21 * HOUR + 50 * MINUTE)
  const third = await resume()
  expect(verdicts()).toMatchObject(all('pass', ['IDM-22', 'MCK-10', 'MCK-11']))
  expect(third.out).toMatch(/^1 check waits/m)
  await world.letPass(HOUR + 50 * MINUTE)
  const last = await resume()
  expect({ ...last, out: '' }).toEqual({ code: 0, err: '', out: '' })
  expect(verdicts()).toEqual(all('pass', every))
  expect(existsSync(pendingFile())).toBe(false)
  expect((await runCertifyInProcess('verify', folder)).code).toBe(0)
  expect((await resume()).err).toMatch(/^Nothing waits in /)
})

test('too early nothing is called or changed; the time is said again', async () => {
  await begin()
  const before = [
    transcript(),
    readFileSync(pendingFile(), 'utf8'),
    readFileSync(join(folder, 'certificate.jws'), 'utf8'),
  ]
  const { code, out, err } = await resume()
  expect({ code, out }).toEqual({ code: 5, out: '' })
  expect(err).toMatch(/^It is too early: run assay certify resume \S+ between 20\S+ \S+ and 20\S+ \S+ UTC\.\n$/)
  const after = [
    transcript(),
    readFileSync(pendingFile(), 'utf8'),
    readFileSync(join(folder, 'certificate.jws'), 'utf8'),
  ]
  expect(after).toEqual(before)
})

test('a JUnit file that cannot be written is refused before any call', async () => {
  await begin('--only', 'TOK-18')
  await world.letPass(2 * HOUR)
  const before = transcript()
  expect(await resume('--junit', '/dev/null/x.xml')).toMatchObject({ code: 2, out: '' })
  expect(transcript()).toBe(before)
})

test('too late for a lower bound is inconclusive, never a failure, and waits no more', async () => {
  await begin('--only', 'MCK-11', '--strict')
  await world.letPass(48 * HOUR)
  const { code, out } = await resume()
  expect(code).toBe(5)
  expect(verdicts()).toMatchObject({ 'TOK-19': 'inconclusive', 'TOK-18': 'blocked', 'MCK-10': 'inconclusive' })
  expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')).summary).toMatchObject({ strict: true })
  expect(out).toMatch(/it had to be looked at by 20\S+Z, and that is over: run it again/)
  expect(existsSync(pendingFile())).toBe(false)
})

test('calls made before are in the transcript once, and equal secrets keep equal numbers', async () => {
  await begin()
  const first = JSON.parse(transcript()) as { exchanges: object[] }
  await world.letPass(HOUR + 55 * MINUTE)
  await resume()
  const second = recorded()
  expect(second.exchanges.slice(0, first.exchanges.length)).toEqual(first.exchanges)
  const signatures = second.exchanges.flatMap(({ request }) => request.headers.signature ?? [])
  expect(new Set(signatures).size).toBe(signatures.length)
  const { steps = {} } = second.journeys.find(({ name }) => name === 'limits in time') ?? {}
  expect(second.exchanges[steps['TOK-18'] ?? -1]?.request.headers.authorization).toMatch(
    /^Bearer \[hidden \d+, \d+ characters\]$/,
  )
  expect(callsWithBearerOf(steps['TOK-18'] ?? -1)).toHaveLength(1)
  const { scenarios } = JSON.parse(readFileSync(pendingFile(), 'utf8')) as {
    scenarios: { log: { calls: { exchange: { request: { headers: Record<string, string> } } }[] } }[]
  }
  const secrets = scenarios.flatMap(({ log }) =>
    log.calls.map(({ exchange }) => exchange.request.headers.authorization ?? ''),
  )
  for (const secret of secrets.filter(text => text.startsWith('Bearer ')))
    expect(transcript()).not.toContain(secret.slice(7))
})

test('a resumed run that is stopped repeats no call of which it has the response', async () => {
  await begin()
  await world.letPass(HOUR + 55 * MINUTE)
  const [before, letPass] = [transcript(), world.letPass]
  const [spent, made] = [spentCalls(), callsMade()]
  let waits = 0
  world.letPass = async ms => {
    waits += 1
    if (waits === 2) process.emit('SIGINT', 'SIGINT')
    else await letPass(ms)
  }
  const stopped = await resume().finally(() => {
    world.letPass = letPass
  })
  expect(stopped).toMatchObject({ code: 5, out: '' })
  expect(stopped.err).toMatch(/^stopped by SIGINT: the calls so far are kept, run assay certify resume \S+ again\.\n$/)
  expect(transcript()).toBe(before)
  await letPass(HOUR)
  expect((await resume()).err).toBe('')
  expect(verdicts()).toMatchObject(all('pass', ['TOK-18', 'TOK-19']))
  const { steps = {} } = recorded().journeys.find(({ name }) => name === 'limits in time') ?? {}
  expect(callsWithBearerOf(steps['TOK-19'] ?? -1)).toHaveLength(1)
  const keySetCalls = 2 // one of each resume, which no journal has
  expect(spentCalls() - spent).toBe(callsMade() - made + keySetCalls)
  expect((await runCertifyInProcess('verify', folder)).code).toBe(0)
})

test('a changed profile, a changed report, a damaged ledger and another suite are refused in one sentence', async () => {
  await begin()
  await world.letPass(HOUR + 55 * MINUTE)
  const refused = async (file: string, change: (text: string) => string) => {
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, change(text))
    const { code, err } = await resume()
    writeFileSync(file, text)
    expect(code).toBe(2)
    return err
  }
  const more = (text: string) => `${text}\n`
  expect(await refused(profile, more)).toBe(
    `${profile} has changed since the run began, and one run has one profile: undo the change, or begin another run.\n`,
  )
  expect(await refused(join(folder, 'transcript.json'), more)).toMatch(
    /transcript\.json has changed since the run began: /,
  )
  const newer = (text: string) => text.replace(/"version": "[^"]+"/, '"version": "99.0.0"')
  expect(await refused(join(folder, 'report.json'), newer)).toMatch(
    /^Another suite \(99\.0\.0\) than this one \(\S+\) began /,
  )
  const half = (text: string) => text.replace(/"line":\d+/, '"line":')
  expect(await refused(join(folder, 'ledger.jsonl'), half)).toMatch(
    /ledger\.jsonl cannot be read in line \d+: resumed, the run would neither count nor remove what was written there; undo /,
  )
  expect(await refused(pendingFile(), () => '{}')).toMatch(/pending\.json is not what this version writes: /)
  expect((await resume()).err).toBe('')
})

test('a run that waits can be resumed after an exploration was added to its report, unless it was changed before', async () => {
  await begin('--only', 'TOK-18')
  const explore = () =>
    runCertifyInProcess('explore', '--profile', profile, '--calls', '20', '--seed', '1', '--report', folder)
  const before = transcript()
  expect((await explore()).err).toBe('')
  expect((await resume()).err).toMatch(/^It is too early: /)
  writeFileSync(join(folder, 'transcript.json'), before.replace(/"durationMs":[\d.]+/, '"durationMs":1234567'))
  await explore()
  expect((await resume()).err).toMatch(/transcript\.json has changed since the run began: /)
  writeFileSync(join(folder, 'transcript.json'), before)
  await world.letPass(HOUR + 55 * MINUTE)
  const resumed = await resume()
  expect(resumed).toMatchObject({ err: '' })
  expect(verdicts()).toMatchObject({ 'TOK-18': 'pass' })
  expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')).explored).toMatchObject({ seed: 1 })
  expect((await runCertifyInProcess('verify', folder)).code).toBe(0)
})

test('a run whose report could not be written as it was resumed can be resumed again', async () => {
  await begin('--only', 'TOK-18,MCK-11')
  const before = transcript()
  await world.letPass(HOUR + 55 * MINUTE)
  const full = await withFailingFileOperation('writeFileSync', 'certificate.jws', () => resume())
  expect(full).toMatchObject({ code: 2, err: expect.stringContaining('certificate.jws cannot be written (ENOSPC): ') })
  expect(transcript()).toBe(before)
  const halfway = await withFailingFileOperation('renameSync', 'transcript.json', () => resume())
  expect(halfway).toMatchObject({
    code: 2,
    err: expect.stringContaining('transcript.json cannot be written (ENOSPC): '),
  })
  expect((await resume()).err).toMatch(/^It is too early: /)
  expect(verdicts()).toMatchObject({ 'TOK-18': 'pass' })
  await world.letPass(21 * HOUR + 50 * MINUTE)
  await resume()
  await world.letPass(HOUR + 50 * MINUTE)
  const last = await withFailingFileOperation('renameSync', 'report.html', () => resume())
  expect(last.code).toBe(2)
  expect((await resume()).err).toMatch(/^Nothing waits in /)
  expect(existsSync(pendingFile())).toBe(false)
  writeFileSync(`${pendingFile()}.new`, 'secrets of a process that was killed')
  await resume()
  expect(existsSync(`${pendingFile()}.new`)).toBe(false)
  expect(verdicts()).toMatchObject({ 'MCK-11': 'pass' })
  expect((await runCertifyInProcess('verify', folder)).code).toBe(0)
})

test('every command that is printed to be copied quotes a folder of two words', async () => {
  const words = join(home, 'two words')
  const run = await begin('--only', 'TOK-18', '--report', words)
  expect(run.out).toContain(`run assay certify resume '${words}' `)
  expect((await runCertifyInProcess('resume', words)).err).toContain(`run assay certify resume '${words}' `)
  expect((await runCertifyInProcess('cleanup', words)).out).toContain(`for assay certify resume '${words}':`)
  expect((await runCertifyInProcess('show', words, 'SIG-01')).err).toContain(`"assay certify show '${words}' --json"`)
})

test('a resumed run that cannot save a call stops with one sentence, and can be resumed', async () => {
  await begin('--only', 'TOK-18,IDM-22')
  const before = transcript()
  await world.letPass(HOUR + 55 * MINUTE)
  const full = await withFailingFileOperation('writeFileSync', 'pending.json', () => resume())
  expect(full).toMatchObject({ code: 2, out: '' })
  expect(full.err).toMatch(/^\S.*pending\.json cannot be written \(ENOSPC\): free space on its disk[^\n]*\n$/)
  expect(transcript()).toBe(before)
  expect(await resume()).toMatchObject({ err: '' })
  expect(verdicts()).toMatchObject({ 'TOK-18': 'pass' })
})

test('regrade into the folder of a run that waits is refused, and the run can be resumed', async () => {
  await begin('--only', 'TOK-18')
  const other = join(home, 'other')
  expect(await runCertifyInProcess('regrade', folder, '--report', other)).toMatchObject({ err: '' })
  const files = () => [
    transcript(),
    readFileSync(pendingFile(), 'utf8'),
    readFileSync(join(folder, 'report.json'), 'utf8'),
  ]
  const before = files()
  for (const source of [folder, other])
    expect(await runCertifyInProcess('regrade', source, '--report', folder)).toMatchObject({
      code: 2,
      out: '',
      err: `${folder} holds a run that waits for assay certify resume: name another folder.\n`,
    })
  expect(files()).toEqual(before)
})

test('cleanup leaves the authorization of a run that waits for its end, until nothing waits', async () => {
  writeFileSync(profile, `${readFileSync(profile, 'utf8').replace(/patience: .*/, 'patience: P9D')}`)
  const run = await runCertifyInProcess('run', '--profile', profile, '--only', 'LIF-26', '--report', folder)
  expect(run.out).toContain('run assay certify resume')
  const dry = await runCertifyInProcess('cleanup', folder, '--dry-run')
  const cleaned = await runCertifyInProcess('cleanup', folder)
  for (const { code, out } of [dry, cleaned]) {
    expect(code).toBe(0)
    expect(out).toContain(
      `1 scenario waits for assay certify resume ${folder}: what that needs is left, unless pending.json`,
    )
    expect(out).not.toContain('canceled: ')
  }
  rmSync(pendingFile())
  expect((await runCertifyInProcess('cleanup', folder)).out).toContain('canceled: ')
})

test('7: a run that would forget what a waiting run has left authorized is refused, and that run can be resumed', async () => {
  writeFileSync(profile, `${readFileSync(profile, 'utf8').replace(/patience: .*/, 'patience: P9D')}`)
  const into = (...only: string[]) =>
    runCertifyInProcess('run', '--profile', profile, '--only', only.join(), '--report', folder)
  await into('LIF-26')
  const before = [transcript(), readFileSync(pendingFile(), 'utf8')]
  expect(await into('TOK-01')).toEqual({
    code: 2,
    out: '',
    err: `${folder} holds a run that waits for assay certify resume, and its ledger.jsonl alone names what that left: resume it, or remove pending.json and run assay certify cleanup ${folder}, or name another folder.\n`,
  })
  expect([transcript(), readFileSync(pendingFile(), 'utf8')]).toEqual(before)
  expect((await resume()).err).toMatch(/^It is too early: /)
  rmSync(pendingFile())
  expect((await runCertifyInProcess('cleanup', folder)).out).toContain('canceled: ')
  expect(await into('TOK-01')).toMatchObject({ code: 0, err: '' })
})

test('a run into the folder of one that waits and left nothing authorized takes its place', async () => {
  await begin('--only', 'TOK-18')
  const run = await runCertifyInProcess('run', '--profile', profile, '--only', 'TOK-01', '--report', folder)
  expect(run).toMatchObject({ code: 0, err: '' })
  expect(existsSync(pendingFile())).toBe(false)
})

test('of resumes that wait for the same time, as by a scheduler, one plays on and the others are refused', async () => {
  await begin('--only', 'TOK-18')
  await world.letPass(HOUR + 55 * MINUTE)
  const [others, letPass]: [number[], typeof world.letPass] = [[], world.letPass]
  world.letPass = async ms => {
    others.push(await main(['resume', folder]))
    await letPass(ms)
  }
  const { code, err } = await resume().finally(() => {
    world.letPass = letPass
  })
  expect({ code, others }).toEqual({ code: 5, others: others.map(() => 7) })
  expect(err).toMatch(/^(Another command of assay works in .*\n)+$/)
  const { steps = {} } = recorded().journeys.find(({ name }) => name === 'limits in time') ?? {}
  expect(callsWithBearerOf(steps['TOK-18'] ?? -1)).toHaveLength(1)
  expect(verdicts()).toMatchObject({ 'TOK-18': 'pass' })
})

test('a run into the folder of one that was killed removes what that wrote with secrets', async () => {
  mkdirSync(folder)
  writeFileSync(`${pendingFile()}.new`, 'secrets of a process that was killed')
  await runCertifyInProcess('run', '--profile', profile, '--only', 'TOK-01', '--report', folder)
  expect(existsSync(`${pendingFile()}.new`)).toBe(false)
})

test('without --report what takes longer than a run sleeps is untestable, and the cure is named', async () => {
  const { code, out } = await runCertifyInProcess('run', '--profile', profile, '--only', 'MCK-11')
  expect(code).toBe(5)
  expect(out).toMatch(
    /untestable \(1\)\n {2}MCK-10 .*\n +it waits until \S+Z, longer than a run sleeps: add --report DIR, and /,
  )
})
