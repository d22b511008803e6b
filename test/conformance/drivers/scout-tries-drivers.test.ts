import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { startTestSimulator, type TestSimulator } from '../../support/caller-stopped-simulator.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { outcomesShownLater } from '../lawful-payment-servers.ts'
import { runCertifyInProcess } from '../run-certify-in-process.ts'
import { NO_MOCKS, writeProfileWithoutControl } from './certify-without-control.ts'

let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator({ settleAfter: 200 })
})

afterAll(() => simulator.stop())

const FAST = { settlement: { withinSeconds: 1 } }

const scout = async (more: Readonly<Record<string, unknown>>, target = simulator) => {
  const file = writeProfileWithoutControl(target, { ...FAST, ...more })
  const { out } = await runCertifyInProcess('scout', '--profile', file, '--tier', '3', '--json')
  const { found, open } = JSON.parse(out) as { found: { line: string; evidence: string }[]; open: string[] }
  return { file, open, found: Object.fromEntries(found.map(({ line, evidence }) => [line, evidence])) }
}

test('scout tries each driver that the profile names, and says what came of it', async () => {
  const codes = { approve: '990001', decline: '990200' }
  const { found } = await scout({ shopper: { codes } })
  expect(found).toMatchObject({
    'shopper.codes.approve': 'a payment of BLIK that it was to approve is AUTHENTICATED',
    'shopper.codes.decline': 'a payment of BLIK that it was to decline is DECLINED',
    'shopper.mock.approve': expect.stringMatching(/^a payment of BLIK that it was to approve is A/),
  })
})

test('scout leaves open a driver that does something else, and one that does nothing', async () => {
  const codes = { approve: '990200', decline: '990202' }
  const { found, open } = await scout({ ...NO_MOCKS, shopper: { codes, withinSeconds: 1 } })
  expect(Object.keys(found)).not.toContain('shopper.codes.approve')
  expect(open).toContain('shopper.codes.approve: a payment of BLIK that it was to approve is DECLINED')
  expect(open).toContainEqual(
    expect.stringMatching(/^shopper\.codes\.decline: payment \S+ still waits for its shopper after 1 s: /),
  )
})

test('scout confirms no mock by which a payment still waits, and names its line', async () => {
  const late = await startTestSimulator({ settleAfter: 200 }, dataDir =>
    outcomesShownLater(true)(dataDir, { count: 0 }),
  )
  const mock = { approve: 'OK', decline: 'BLIK_DECLINED_IN_APP' }
  const { found, open } = await scout({ shopper: { mock, withinSeconds: 1 } }, late).finally(() => late.stop())
  for (const line of ['shopper.mock.approve', 'shopper.mock.decline']) {
    expect(Object.keys(found)).not.toContain(line)
    const told = open.filter(text => text.startsWith(`${line}: `))
    expect(told).toEqual([expect.stringContaining(` still waits for its shopper after 1 s: correct ${line} or raise `)])
  }
})

test('scout awaits the outcome of a mock that shows a moment after initiate', async () => {
  const late = await startTestSimulator({ settleAfter: 200 }, dataDir => outcomesShownLater()(dataDir, { count: 0 }))
  const mock = { approve: 'OK', decline: 'BLIK_DECLINED_IN_APP' }
  const { found } = await scout({ shopper: { mock } }, late).finally(() => late.stop())
  expect(found).toMatchObject({
    'shopper.mock.approve': 'a payment of BLIK that it was to approve is AUTHENTICATED',
    'shopper.mock.decline': 'a payment of BLIK that it was to decline is DECLINED',
  })
})

test('scout says which abilities are open, and which lines would give them', async () => {
  const { open } = await scout(NO_MOCKS)
  expect(open).toContainEqual(
    expect.stringMatching(/^shopper\.decline: nothing gives it .* the line shopper\.codes\.decline: /),
  )
  expect(open).toContainEqual(
    expect.stringMatching(/^time: a run really waits 15 s at most: more with the line patience of /),
  )
})

test('scout asks for no line of an ability that the profile says to lack', async () => {
  const opened = async (capabilities: object) =>
    (await scout({ ...NO_MOCKS, capabilities })).open.filter(line => /^(faults\.|keys\.register:)/.test(line))
  expect((await opened({})).length).toBeGreaterThan(2)
  expect(await opened({ providerFaults: false, keyRegistration: false })).toEqual([])
})

test('without control scout learns the states as far as test codes lead', async () => {
  const file = writeProfileWithoutControl(simulator, {
    ...FAST,
    shopper: { codes: { approve: '990001', decline: '990200', lapse: '990202' }, withinSeconds: 1 },
  })
  const { states, fields: _, ...scarce } = parse(readFileSync(file, 'utf8'))
  writeFileSync(file, stringify(scarce))
  const { code } = await runCertifyInProcess('scout', '--profile', file, '--tier', '3', '--write')
  expect(code).toBe(0)
  const learned = parse(readFileSync(file, 'utf8'))
  const { expired: _late, ...reachable } = states
  expect(learned.states).toEqual(reachable)
  expect(learned.fields.status.state).toBe('/lifecycle/state')
})

test('scout takes the state, not the message, from a new profile without control, and learns the fields of events', async () => {
  const file = join(temporaryFolder(), 'new.yaml')
  await runCertifyInProcess('init', file, '--base-url', simulator.apiUrl, '--kit', simulator.kitFolder)
  appendFileSync(file, '\nshopper: { withinSeconds: 1 }\n')
  const { out } = await runCertifyInProcess('scout', '--profile', file, '--tier', '3', '--json')
  const { found } = JSON.parse(out) as { found: { line: string; value: unknown }[] }
  expect(Object.fromEntries(found.map(({ line, value }) => [line, value]))).toMatchObject({
    'fields.status.state': '/lifecycle/state',
    'states.waiting': ['AWAITING_SHOPPER'],
    'states.captured': ['PARTIALLY_CAPTURED', 'CAPTURED'],
    'fields.events.list': '/timeline',
    'fields.events.state': '/lifecycle/state',
    'fields.events.captured': '/paymentDetails/capturedAmount',
    'fields.events.refunded': '/paymentDetails/refundedAmount',
  })
})
