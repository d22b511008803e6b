import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Profile } from '../../contracts/harness/profile/profile.ts'
import { runPageScript } from '../../contracts/suites/drivers/run-shopper-browser-script.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { pollUntil } from '../support/poll-until.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startCertifyProcess, targetOptions } from './run-certify-child-process.ts'
import { SIMULATOR_PROFILE } from './run-suites.ts'

let simulator: TestSimulator

beforeEach(async () => {
  simulator = await startTestSimulator()
})

afterEach(() => simulator.stop())

const callsOf = (path: string) =>
  simulator.controlPlane.journal.latest(simulator.kit.organizationId, 999).filter(call => call.request.target === path)

const authorized = async () => {
  const { organizationId } = simulator.kit
  return (await simulator.controlPlane.payments.list(organizationId, { state: 'AUTHORIZED', limit: 99 })).payments
}

/** Runs a command in a process of its own, and sends it SIGINT once a payment is authorized. */
const interrupted = async (...argv: string[]) => {
  const file = join(temporaryFolder(), 'ours.yaml')
  writeFileSync(file, readFileSync(SIMULATOR_PROFILE, 'utf8'))
  const [command = '', ...more] = argv.map(part => (part === 'ours.yaml' ? file : part))
  const { child, told } = startCertifyProcess(command, ...more, '--tier', '3', ...targetOptions(simulator))
  await pollUntil(authorized, found => found.length > 0)
  child.kill('SIGINT')
  return told
}

test('7: Ctrl-C ends scout with what it has learned so far, and leaves nothing authorized', async () => {
  const { code, out } = await interrupted('scout', '--profile', 'ours.yaml')
  expect(code).toBe(5)
  expect(out).toMatch(/\nThe probes were stopped early: stopped by SIGINT\.\n$/)
  expect(await authorized()).toEqual([])
})

test('7: Ctrl-C ends the comparison of a profile with its deployment, which says so', async () => {
  const { code, out } = await interrupted('diff', 'ours.yaml')
  expect([code, callsOf('/payments/initiate').length > 0]).toEqual([5, true])
  expect(out).toMatch(/\nThe probes were stopped early: stopped by SIGINT\.\n$/)
  expect(await authorized()).toEqual([])
})

test('7: Ctrl-C ends the comparison of two deployments before anything is compared', async () => {
  const { code, out, err } = await interrupted('diff', simulator.apiUrl, simulator.apiUrl, '--profile', 'ours.yaml')
  expect([code, out, err]).toEqual([5, '', 'stopped by SIGINT: nothing was compared.\n'])
  expect(await authorized()).toEqual([])
})

test('7: a browser that plays the shopper leaves Ctrl-C to the command, which cleans up', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'shopper.mjs'), 'export default async ({ page }) => page.title()\n')
  const profile = {
    file: join(folder, 'ours.yaml'),
    target: {},
    shopper: { browser: 'shopper.mjs' },
  } as unknown as Profile
  const run = new AbortController()
  const before = ['SIGINT', 'SIGTERM'].map(signal => process.listenerCount(signal))
  await runPageScript(
    profile,
    { redirectUrl: `${simulator.pagesUrl}/`, outcome: 'approve', transactionId: 't' },
    run.signal,
  )
  const during = ['SIGINT', 'SIGTERM'].map(signal => process.listenerCount(signal))
  run.abort()
  expect(during).toEqual(before)
})
