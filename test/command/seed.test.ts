import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { connectSandbox } from '../../fixtures/sandbox.ts'
import { type Running, runningSimulator } from '../support/running.ts'
import { ROOT } from '../tidy/sources.ts'

const LONG = { timeout: 120_000 }
const TOKEN = 'sesame'

/** `assay seed` in a process of its own, beside whatever this machine has set. */
const seed = async (argv: readonly string[], environment: NodeJS.ProcessEnv = {}) => {
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

/** What the merchant of an organization finds, without what is never the same twice. */
const purchases = async ({ pagesUrl }: Running, id: string) => {
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
  const simulator = await runningSimulator({ controlToken: TOKEN })
  return { simulator, here: ['--url', simulator.pagesUrl, '--token', TOKEN] }
}

test(
  'a few days are lived: the clock goes on, and shoppers pay by both methods and end in more than one way',
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

test('the same seed brings the same purchases, another one others', LONG, async () => {
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

test(
  'an organization that is there goes on from where it stands, and every payment that is counted is there',
  LONG,
  async () => {
    const { simulator, here } = await started()
    const month = ['--organization', 'demo-merchant', '--days', '1', '--per-day', '6', ...here]
    const counts = [await seed(month), await seed(month)].map(({ stdout }) => Number(/has (\d+)/.exec(stdout)?.[1]))
    expect(await purchases(simulator, 'demo-merchant')).toHaveLength((counts[0] ?? 0) + (counts[1] ?? 0))
  },
)

test.each([
  [['--per-week', '3'], /^Unknown option '--per-week': "assay seed --help" tells the options\.\n$/],
  [['--days', 'many'], /^--days is "many": give a whole number from 1 to 999999\.\n$/],
  [['--seed', '0'], /^--seed is "0": give a whole number/],
])('%j is a wrong option: code 2 and one sentence', async (argv, sentence) => {
  expect(await seed(argv)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(sentence) })
})

test('without a sandbox, or without its token: code 1 and one sentence with the cure', LONG, async () => {
  const { simulator } = await started()
  const lost = await seed(['--url', 'http://127.0.0.1:9', '--days', '1'])
  expect(lost).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^No sandbox answers at .*assay serve.*\n$/),
  })
  const stranger = await seed(['--days', '1'], { ASSAY_URL: simulator.pagesUrl })
  expect(stranger).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/token.*\n$/) })
  const known = await seed(['--days', '1', '--per-day', '1'], {
    ASSAY_URL: simulator.pagesUrl,
    ASSAY_CONTROL_TOKEN: TOKEN,
  })
  expect(known).toMatchObject({ code: 0 })
})
