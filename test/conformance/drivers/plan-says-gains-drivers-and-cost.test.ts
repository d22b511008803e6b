import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunPlan } from '../../../contracts/commands/plan-types.ts'
import { readProfile } from '../../../contracts/harness/profile/read-profile.ts'
import { startTestSimulator, type TestSimulator } from '../../support/caller-stopped-simulator.ts'
import { targetOptions } from '../run-certify-child-process.ts'
import { runCertifyInProcess } from '../run-certify-in-process.ts'
import { SIMULATOR_PROFILE } from '../run-suites.ts'
import { NO_MOCKS, writeProfileWithoutControl } from './certify-without-control.ts'

let simulator: TestSimulator

beforeAll(async () => {
  simulator = await startTestSimulator()
})

afterAll(() => simulator.stop())

const plan = async (more: Readonly<Record<string, unknown>>, ...options: string[]): Promise<RunPlan> => {
  const file = writeProfileWithoutControl(simulator, { ...NO_MOCKS, ...more })
  return JSON.parse((await runCertifyInProcess('plan', '--profile', file, ...options, '--json')).out)
}

const codes = { approve: '990001' }

test('plan says what one more line would gain, as planning with that line confirms', async () => {
  const without = await plan({})
  const gain = without.gains.find(({ line }) => line === 'shopper.codes.approve')
  expect(gain?.checks).toBeGreaterThan(5)
  expect(without.gains[0]?.checks).toBeGreaterThanOrEqual(gain?.checks ?? 0)
  const withCode = await plan({ shopper: { codes } })
  expect(withCode.runs).toHaveLength(without.runs.length + (gain?.checks ?? 0))
  expect(withCode.gains.map(({ line }) => line)).not.toContain('shopper.codes.approve')
})

test('plan lists patience once, by the longest step that gains, and says what shorter ones gain', async () => {
  const shopper = { shopper: { codes } }
  const without = await plan(shopper)
  const [gain, ...more] = without.gains.filter(({ line }) => line.startsWith('patience'))
  expect(more).toEqual([])
  const steps = [...(gain?.shorter ?? []), ...(gain ? [gain] : [])]
  expect(steps.length).toBeGreaterThan(2)
  expect(steps.map(({ checks }) => checks)).toEqual(
    [...new Set(steps.map(({ checks }) => checks))].sort((a, b) => a - b),
  )
  for (const { line, checks } of steps) {
    const { runs } = await plan({ ...shopper, patience: line.replace('patience: ', '') })
    expect(runs).toHaveLength(without.runs.length + checks)
  }
  const file = writeProfileWithoutControl(simulator, { ...NO_MOCKS, ...shopper })
  const { out } = await runCertifyInProcess('plan', '--profile', file)
  expect(out.match(/^ {2}patience: .* testable.*$/gm)).toEqual([
    expect.stringMatching(/^ {2}patience: P\S+ makes \d+ checks testable \(P\S+ \d+(, P\S+ \d+)*\)$/),
  ])
})

test('plan names for each check the driver that would act, and what it costs', async () => {
  const { journeys, cost } = await plan({ shopper: { codes } }, '--only', 'LIF-02')
  expect(journeys.find(({ checks }) => checks.includes('LIF-02'))).toMatchObject({
    drivers: ['shopper.codes.approve'],
    payments: 1,
    humanActs: 0,
  })
  expect(journeys.reduce((sum, { calls }) => sum + calls, 0)).toBe(cost.calls)
})

const driversOf = ({ journeys }: RunPlan, id: string) => journeys.find(({ checks }) => checks.includes(id))?.drivers

const page = { command: 'sh ./pay-on-our-page.sh' }

test.each([
  ['a mock', { capabilities: {} }, {}, 'shopper.mock.approve'],
  ['a person', {}, { ask: true }, 'shopper.ask'],
])(
  'plan names %s, and not the page of IRIS, for a payment that is captured by hand',
  async (_who, lines, driver, line) => {
    const planned = await plan({ ...lines, shopper: { ...page, ...driver } }, '--only', 'LIF-04,BLK-01,IRS-05')
    expect(driversOf(planned, 'LIF-04')).toEqual([line])
    expect(driversOf(planned, 'IRS-05')).toEqual(expect.arrayContaining(['shopper.command']))
  },
)

test.each([
  ['test codes', { codes }, {}],
  ['a mock', {}, { capabilities: {} }],
])('plan has a person type new codes, and go through the page, beside %s', async (_beside, driver, lines) => {
  const ids = ['BLK-06', 'BLK-04', 'IRS-02'] as const
  const only = ['--only', ids.join(), '--tier', '4']
  const without = await plan({ shopper: { ask: true }, patience: 'PT3M' }, ...only)
  const beside = await plan({ ...lines, shopper: { ask: true, ...driver }, patience: 'PT3M' }, ...only)
  expect(verdictsOf(without, ...ids)).toEqual(['runs', 'runs', 'runs'])
  expect(verdictsOf(beside, ...ids)).toEqual(['runs', 'runs', 'runs'])
  expect(beside.cost.humanActs).toBeGreaterThanOrEqual(ids.length)
  for (const id of ids)
    expect(driversOf(beside, id)?.filter(line => line.startsWith('shopper.'))).toEqual(['shopper.ask'])
})

test('plan counts the acts of a person and the time that is really waited for', async () => {
  const { cost } = await plan({ shopper: { ask: true }, settlement: { withinSeconds: 5 } }, '--only', 'LIF-01')
  expect(cost.humanActs).toBeGreaterThanOrEqual(2)
  expect(cost.waitSeconds).toBeGreaterThanOrEqual(5)
})

test('plan counts the time of a shopper of whom no status tells that they acted, and says how to lower it', async () => {
  const { fields, states } = readProfile(SIMULATOR_PROFILE)
  const shopper = { codes, withinSeconds: 7 }
  const unseen = { shopper, fields, states: { ...states, authenticated: states?.waiting } }
  const only = ['--only', 'LIF-02']
  const costOf = async (lines: object) => (await plan({ ...lines }, ...only)).cost
  const [told, kept] = [await costOf({ shopper, fields, states }), await costOf(unseen)]
  expect([told.unseenSeconds, kept.unseenSeconds, kept.waitSeconds - told.waitSeconds]).toEqual([0, 7, 7])
  for (const driver of [{ mock: { approve: 'OK' } }, { ask: true }]) {
    const other = { ...unseen, shopper: { ...driver, withinSeconds: 7 } }
    expect((await costOf({ ...other, ...('mock' in driver && { capabilities: {} }) })).unseenSeconds).toBe(7)
  }
  const file = writeProfileWithoutControl(simulator, { ...NO_MOCKS, ...unseen })
  const { out } = await runCertifyInProcess('plan', '--profile', file, ...only)
  expect(out).toContain(
    'Of that 7 seconds are for shoppers, as no word of states.waiting is of that stage alone: lower',
  )
})

test('plan prints drivers, gains and cost as sentences', async () => {
  const file = writeProfileWithoutControl(simulator, { ...NO_MOCKS, shopper: { codes } })
  const { out } = await runCertifyInProcess('plan', '--profile', file)
  expect(out).toMatch(/^drivers that would act, each with its checks\n {2}\S+ \(\d+\)\n {11}\S/m)
  expect(out).toMatch(/^ {2}patience \(\d+\)$/m)
  expect(out).toMatch(/^ {2}shopper\.codes\.approve \(\d+\)$/m)
  expect(out).toMatch(/^one more line of the profile\n(?: {2}.*\n)*? {2}\S+.* makes \d+ checks? testable$/m)
  expect(out).toMatch(
    /It waits (\d+ seconds|\d+ minutes?) for time to pass, beside the time of its calls, and ends after 15 minutes \(budgets\.seconds\) at the latest\.\n$/,
  )
})

const verdictsOf = ({ runs, not }: RunPlan, ...ids: string[]) =>
  ids.map(id => (runs.includes(id) ? 'runs' : not.find(it => it.id === id)?.verdict))

test('plan withholds what takes longer than the patience that the user set, an authorization that expires too', async () => {
  const ids = ['TOK-18', 'IDM-22', 'LIF-25', 'LIF-26'] as const
  const shopper = { shopper: { codes } }
  expect(verdictsOf(await plan(shopper), ...ids)).toEqual(Array(4).fill('untestable'))
  expect(verdictsOf(await plan({ ...shopper, patience: 'PT1M' }), ...ids)).toEqual(Array(4).fill('withheld'))
  expect(verdictsOf(await plan(shopper, '--patience', 'P8D'), ...ids)).toEqual(Array(4).fill('runs'))
})

test('what nothing can do is said by a capability, and a driver that is named acts nevertheless', async () => {
  const shopper = { shopper: { codes } }
  const ids = ['IDM-37', 'IDM-38', 'ERR-20', 'SIG-34', 'MTLS-13', 'IRS-06'] as const
  const undeclared = await plan(shopper)
  expect(verdictsOf(undeclared, ...ids)).toEqual([...Array(5).fill('untestable'), 'not applicable'])
  expect(undeclared.not.find(({ id }) => id === 'SIG-34')?.reason).toMatch(
    /; if nothing can, say capabilities\.keyRegistration: false$/,
  )
  const capabilities = { mocks: false, providerFaults: false, keyRegistration: false, certificateRevocation: false }
  const mocks = { faults: { at: '/fault', error: 'BROKEN' } }
  const denied = await plan({ ...shopper, capabilities, mocks })
  expect(verdictsOf(denied, ...ids)).toEqual(['runs', ...Array(5).fill('not applicable')])
  expect(denied.not.find(({ id }) => id === 'ERR-20')?.reason).toMatch(/ says capabilities\.providerFaults: false$/)
  expect(denied.gains.map(({ line }) => line)).not.toContain('mocks.faults.locked')
})

const SPENT_BY_WEBHOOKS: [string, readonly string[]][] = [
  ['all of them', ['EVT', 'GRD-52', 'GRD-53', 'GRD-54']],
  ['content and signature', ['EVT-01', 'EVT-02', 'EVT-03']],
  ['a duplicate', ['EVT-04']],
  ['a receiver that fails', ['EVT-05']],
  ['a decline', ['EVT-06']],
  ['a lapse', ['EVT-07']],
  ['every step', ['GRD-52', 'GRD-53', 'GRD-54']],
]

test.each(SPENT_BY_WEBHOOKS)('plan says what a run of the checks of webhooks costs: %s', async (_what, only) => {
  const options = ['--profile', SIMULATOR_PROFILE, ...targetOptions(simulator), '--only', only.join()]
  const { cost } = JSON.parse((await runCertifyInProcess('plan', ...options, '--json')).out) as RunPlan
  const { spent } = JSON.parse((await runCertifyInProcess('run', ...options, '--json')).out)
  expect(cost.payments).toBeGreaterThan(0)
  expect([cost.payments, cost.amounts]).toEqual([spent.payments, spent.amounts])
  expect(cost.writes).toBeLessThanOrEqual(spent.writes) // which counts its clean-up too
})

test('plan counts the payments of webhooks that come without control, opens no receiver and runs no command', async () => {
  const webhooks = { command: 'exit 9' }
  const only = ['--only', 'EVT-01,GRD-52']
  const { cost, runs } = await plan({ shopper: { codes }, webhooks }, ...only)
  expect(runs).toEqual(expect.arrayContaining(['EVT-01', 'GRD-52']))
  expect(cost).toMatchObject({ payments: 10, amounts: { PLN: 8000 } })
  const receiver = { receiver: 'http://127.0.0.1:1', public: 'https://tunnel.example.com' }
  const public_ = await plan({ shopper: { codes }, webhooks: receiver }, ...only, '--only', 'EVT-05')
  expect(public_.cost.payments).toBe(11)
})
