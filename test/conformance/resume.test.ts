import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { parse, stringify } from 'yaml'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
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

/** The checks of tokens and keys, apart from those of payments, which a deployment without control cannot have. */
vi.mock('../../contracts/suites/index.ts', async actual => {
  const { CHECK_SCENARIOS } = await actual<typeof import('../../contracts/suites/index.ts')>()
  const { fetchToken } = await import('../../contracts/suites/given/harmless-calls.ts')
  const { repeatCall } = await import('../../contracts/suites/given/repeat-call.ts')
  const { irisPayment } = await import('../../contracts/suites/given/request-bodies.ts')
  const { initiate, readTransactionId } = await import('../../contracts/suites/given/payments.ts')
  const alone: (typeof CHECK_SCENARIOS)[number]['play'] = async (context, keep) => {
    const { merchant, clock, account } = await context.organizationForTime()
    const organization = await context.organizationForTime()
    const begun = await initiate(organization, { will: 'wait', method: 'IRIS' })
    const path = { transactionId: readTransactionId(context.profile, begun) }
    const bearer = await fetchToken(organization)
    await clock.pass('PT1H59M50S', { within: 'PT9S' })
    await keep('token just short', merchant.request('status', { path }, bearer))
    await clock.pass('PT11S')
    await keep('token too old', merchant.request('status', { path }, bearer))
    const keyed = { json: irisPayment(account), idempotencyKey: crypto.randomUUID() }
    const first = await keep('key first', merchant.request('initiate', keyed, await fetchToken(organization)))
    await clock.pass('PT23H59M', { within: 'PT50S' })
    await keep('key at 23 h 59 min', merchant.request('initiate', repeatCall(first), await fetchToken(organization)))
    await clock.pass('PT2M')
    await keep('key after 24 h', merchant.request('initiate', repeatCall(first), await fetchToken(organization)))
  }
  return {
    CHECK_SCENARIOS: CHECK_SCENARIOS.map(scenario => {
      if (scenario.name !== 'limits in time') return scenario
      const checks = scenario.checks.filter(({ id }) => /TOK|IDM/.test(id))
      return { ...scenario, needs: ['time.PT24H', 'fields.initiate.transactionId'], checks, play: alone }
    }),
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

const TIMED = ['TOK-19', 'TOK-18', 'IDM-22', 'IDM-23', 'MCK-10', 'MCK-11']
const begin = (...more: string[]) =>
  runCertifyInProcess('run', '--profile', profile, '--only', TIMED.join(), '--report', folder, ...more)
const resume = (...more: string[]) => runCertifyInProcess('resume', folder, ...more)
const verdicts = () => {
  const { checks } = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as {
    checks: { id: string; verdict: string }[]
  }
  return Object.fromEntries(checks.filter(({ id }) => TIMED.includes(id)).map(({ id, verdict }) => [id, verdict]))
}
const transcript = () => readFileSync(join(folder, 'transcript.json'), 'utf8')
const pendingFile = () => join(folder, 'pending.json')
const all = (verdict: string, ids = TIMED) => Object.fromEntries(ids.map(id => [id, verdict]))

test('8: what ends after 2 h and 24 h is opened in one run and looked at in later ones, at both bounds', async () => {
  const run = await begin()
  expect(run).toMatchObject({ code: 5, err: '' })
  expect(run.out).toMatch(
    /^6 checks wait: run assay certify resume \S+ between 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d and .* UTC$/m,
  )
  expect(run.out).toContain(`${pendingFile()} holds secrets`)
  expect(statSync(pendingFile()).mode & 0o777).toBe(0o600)
  expect(verdicts()).toEqual(all('inconclusive'))

  await world.letPass(HOUR + 55 * MINUTE)
  const second = await resume()
  expect(second).toMatchObject({ code: 5, err: '' })
  expect(second.out).toMatch(/^4 checks wait/m)
  expect(verdicts()).toEqual({ ...all('inconclusive'), ...all('pass', ['TOK-18', 'TOK-19']) })
  expect((await runCertifyInProcess('verify', folder)).code).toBe(0)

  await world.letPass(21 * HOUR + 50 * MINUTE)
  const third = await resume()
  expect(verdicts()).toMatchObject(all('pass', ['MCK-10', 'MCK-11']))
  expect(third.out).toMatch(/^2 checks wait/m)
  await world.letPass(2 * HOUR)
  const last = await resume()
  expect({ ...last, out: '' }).toEqual({ code: 0, err: '', out: '' })
  expect(verdicts()).toEqual(all('pass'))
  expect(existsSync(pendingFile())).toBe(false)
  expect((await runCertifyInProcess('verify', folder)).code).toBe(0)
  expect((await resume()).err).toMatch(/^Nothing waits in /)
})
