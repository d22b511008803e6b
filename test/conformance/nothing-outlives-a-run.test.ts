import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Exchange } from '../../contracts/client/http-exchange.ts'
import { withRetries } from '../../contracts/client/retry-policy.ts'
import type { CheckContext } from '../../contracts/suites/context/check-context.ts'
import { rateAndSizeLimits } from '../../contracts/suites/rate-and-size-limits.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { findFreePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeProfileWithoutControl } from './drivers/certify-without-control.ts'
import { startCertifyProcess } from './run-certify-child-process.ts'

let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator({ settleAfter: 200 })
})
afterAll(() => simulator.stop())

/** Runs `assay certify run` as a process of its own. */
const run = (lines: object, only: string) => {
  const profile = writeProfileWithoutControl(simulator, { patience: 'P2D', budgets: { seconds: 3 }, ...lines })
  const { child, told } = startCertifyProcess('run', '--profile', profile, '--only', only)
  onTestFinished(() => void child.kill('SIGKILL'))
  return told
}

test('a run that budgets.seconds ends while it waits for a webhook exits after its report', async () => {
  const address = `http://127.0.0.1:${await findFreePort()}`
  const { code, out } = await run({ webhooks: { receiver: address, public: address } }, 'EVT-01,EVT-05,GRD-52')
  expect(code).toBe(5)
  expect(out).toContain('budgets.seconds of the profile is spent: 3')
}, 25_000)

test('a run that budgets.seconds ends while a command prints webhooks exits after its report', async () => {
  const { code, out } = await run({ webhooks: { command: 'sleep 600' } }, 'EVT-01')
  expect(code).toBe(3)
  expect(out).toContain('budgets.seconds of the profile is spent: 3')
}, 20_000)

test('what a script of the profile has left under way does not keep a run alive', async () => {
  const script = join(temporaryFolder(), 'never-ending.mjs')
  writeFileSync(script, 'setInterval(() => undefined, 1000)\nexport default undefined\n')
  const lines = { shopper: { browser: script }, capabilities: { mocks: false, methods: ['IRIS'] } }
  const { code, out } = await run({ ...lines, budgets: {} }, 'IRS-04')
  expect(code).toBe(5)
  expect(out).toContain('has no default export')
}, 20_000)

test('a client that is closed does not wait for a retry', async () => {
  const busy = { response: { status: 429, headers: { 'retry-after': '5' } } } as unknown as Exchange
  let calls = 0
  const closed = new AbortController()
  const send = async () => {
    calls += 1
    return busy
  }
  const told = withRetries([429], send, closed.signal)
  closed.abort()
  expect(await told).toBe(busy)
  expect(calls).toBe(1)
})

test('7.1: a wait for Retry-After is one of the organization, which ends with the run', async () => {
  const limited = { response: { status: 429, headers: { 'retry-after': '50' } }, durationMs: 1 } as unknown as Exchange
  const organization = {
    merchant: { request: async () => limited },
    clock: { pause: () => Promise.reject(new Error('the run is over')) },
  }
  const context = {
    profile: { limits: { callsPerSecond: 1 } },
    secondOrganization: async () => organization,
  } as unknown as CheckContext
  const scenario = rateAndSizeLimits.find(({ name }) => name === 'more calls than the service takes')
  const keep = <Kept>(_step: string, made: Promise<Kept>) => made
  await expect(scenario?.play(context, keep as never, new Set())).rejects.toThrow('the run is over')
})
