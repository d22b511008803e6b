import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { connectSandbox } from '../../fixtures/connect-sandbox.ts'
import { main } from '../../fixtures/seed/command.ts'
import { ROOT } from '../architecture/read-source-files.ts'
import { runInProcess } from '../support/run-in-process.ts'
import { type ScopedSimulator, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const LONG = { timeout: 120_000 }
const TOKEN = 'sesame'

/** Runs `assay seed` in this process; returns its output and exit code. */
const seed = async (argv: string[]) => {
  const { code, out: stdout, err: stderr } = await runInProcess(main, argv)
  return { code, stdout, stderr }
}

/** Runs it as a child process, with its `ASSAY_` settings and none of the machine. */
const seedInChild = async (argv: readonly string[], environment: NodeJS.ProcessEnv) => {
  const env = { ...process.env, ASSAY_URL: '', ASSAY_CONTROL_TOKEN: '', ...environment }
  const words = [join(ROOT, 'bin/assay.js'), 'seed', ...argv]
  const told = await promisify(execFile)(process.execPath, words, { env }).catch(error => error)
  return { code: told.code ?? 0, stdout: String(told.stdout), stderr: String(told.stderr) }
}

type Found = {
  clientTransactionId: string
  providerDetails: object
  paymentDetails: object
  lifecycle?: { state: string }
}

/** Payments that the merchant of an organization finds, without members that differ in each run. */
const purchases = async ({ pagesUrl }: ScopedSimulator, id: string) => {
  const organization = await connectSandbox({ url: pagesUrl, token: TOKEN }).organization(id)
  const merchant = organization.merchant()
  const found = await merchant.search({ limit: 100 })
  merchant.close()
  if (!found.ok) throw new Error(`search was refused: ${found.refusal?.statusInfo?.message}`)
  const rows = (found.body.payments as Found[]).map(row => ({
    order: row.clientTransactionId,
    ...row.providerDetails,
    ...row.paymentDetails,
    state: row.lifecycle?.state ?? '',
  }))
  return rows.sort((a, b) => a.order.localeCompare(b.order))
}

const started = async () => {
  const simulator = await startScopedSimulator({ controlToken: TOKEN })
  return { simulator, here: ['--url', simulator.pagesUrl, '--token', TOKEN] }
}

test(
  'seeding moves the clock by the days and makes payments by both methods that end in several states',
  LONG,
  async () => {
    const { simulator, here } = await started()
    const { code, stdout } = await seed(['--days', '2', '--per-day', '20', ...here])
    const rows = await purchases(simulator, 'demo-shop')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(`^demo-shop has ${rows.length} payments more; its clock shows .*Z\\.\n$`),
    })
    expect(rows.length).toBeGreaterThanOrEqual(24)
    const shown = Date.parse(/shows (\S+)\.\n/.exec(stdout)?.[1] ?? '')
    expect(Math.round((shown - Date.now()) / 86_400_000)).toBe(2)
    expect(new Set(rows.map(row => (row as { providerId?: string }).providerId))).toEqual(new Set(['BLIK', 'IRIS']))
    expect(new Set(rows.map(({ state }) => state)).size).toBeGreaterThan(2)
  },
)

test('the same seed makes the same payments, another seed makes others', LONG, async () => {
  const { simulator, here } = await started()
  const days = ['--days', '2', '--per-day', '8']
  for (const [id, number] of [
    ['one', '7'],
    ['twin', '7'],
    ['other', '8'],
  ] as const)
    expect(await seed(['--organization', id, '--seed', number, ...days, ...here])).toMatchObject({ code: 0 })
  const one = await purchases(simulator, 'one')
  expect(one.length).toBeGreaterThan(8)
  expect(await purchases(simulator, 'twin')).toEqual(one)
  expect(await purchases(simulator, 'other')).not.toEqual(one)
})

test('seeding an existing organization adds to its payments, and every counted payment is found', LONG, async () => {
  const { simulator, here } = await started()
  const month = ['--organization', 'demo-merchant', '--days', '1', '--per-day', '6', ...here]
  const counts = [await seed(month), await seed(month)].map(({ stdout }) => Number(/has (\d+)/.exec(stdout)?.[1]))
  expect(await purchases(simulator, 'demo-merchant')).toHaveLength((counts[0] ?? 0) + (counts[1] ?? 0))
})

test('purchases that are refused are no payments: the command counts them apart, with exit code 1', LONG, async () => {
  const { simulator, here } = await started()
  const organization = await connectSandbox({ url: simulator.pagesUrl, token: TOKEN }).create('some')
  await organization.faults.next({ operation: 'initiate', kind: 'internal', times: 1000 })
  const { code, stdout, stderr } = await seed(['--organization', 'some', '--days', '1', '--per-day', '1', ...here])
  expect(await purchases(simulator, 'some')).toEqual([])
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: expect.stringMatching(/^some has 0 payments more;/),
    stderr: expect.stringMatching(/^Purchases that were refused: [12]; the journal of some shows why\.\n$/),
  })
})

test('a call without a response ends the command with one sentence', LONG, async () => {
  const { simulator, here } = await started()
  const organization = await connectSandbox({ url: simulator.pagesUrl, token: TOKEN }).create('cut')
  await organization.faults.next({ operation: 'initiate', kind: 'reset', done: 'no', times: 100 })
  expect(await seed(['--organization', 'cut', '--days', '1', ...here])).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^POST \S+ → .*: does the sandbox still run, without a fault that is armed\?\n$/),
  })
})

test('a sandbox that stops while it responds ends the command with one sentence', LONG, async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
    response.write('{"organizations"', () => response.socket?.end())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await seedInChild(['--url', url], {})).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^No sandbox responds at .*\n$/),
  })
})

test.each([
  [['--per-week', '3'], /^Unknown option '--per-week': "assay seed --help" lists the options\.\n$/],
  [['--days', 'many'], /^--days is "many": give a whole number from 1 to 999999\.\n$/],
  [['--seed', '0'], /^--seed is "0": give a whole number/],
])('wrong options %j give exit code 2 and one sentence', async (argv, sentence) => {
  expect(await seed(argv)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(sentence) })
})

test('an unreachable sandbox and a missing token give exit code 1 and one sentence with the remedy', LONG, async () => {
  const { simulator } = await started()
  const lost = await seed(['--url', 'http://127.0.0.1:2', '--days', '1'])
  expect(lost).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^No sandbox responds at .*assay serve.*\n$/),
  })
  const stranger = await seedInChild(['--days', '1'], { ASSAY_URL: simulator.pagesUrl })
  expect(stranger).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/token.*\n$/) })
  const known = await seedInChild(['--days', '1', '--per-day', '1'], {
    ASSAY_URL: simulator.pagesUrl,
    ASSAY_CONTROL_TOKEN: TOKEN,
  })
  expect(known).toMatchObject({ code: 0 })
})
