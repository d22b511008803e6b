import { describe, expect, test } from 'vitest'
import { PROVIDERS } from '../../contracts/protocol/providers-and-capabilities.ts'
import { DAY, MINUTE, SECOND } from '../../simulator/support/duration.ts'
import { LIFETIMES } from '../../simulator/support/lifetimes.ts'
import { nextDue } from '../store/run-unit-of-work.ts'
import { authorizeBlik, startBlik, startIris, stateOf } from '../support/create-test-payments.ts'
import { actionRequest, blikRequest } from '../support/payment-requests.ts'
import { openCore, SHOP, type SimulatorCore, START } from '../support/simulator-core.ts'

const consented = async (core: SimulatorCore) => {
  const id = await startIris(core)
  await core.decide(id, 'approve')
  return id
}
const captured = async (core: SimulatorCore) => {
  const id = await authorizeBlik(core)
  await core.call('capture', actionRequest(id))
  return id
}
const partlyCaptured = async (core: SimulatorCore) => {
  const id = await authorizeBlik(core)
  await core.call('capture', actionRequest(id, 400))
  return id
}

// biome-ignore format: a table reads by its columns
const BOUNDS: readonly [string, (core: SimulatorCore) => Promise<string>, number, string, string, object?][] = [
  ['R6: the shopper has 45 s for BLIK',       startBlik,     45 * SECOND, 'AWAITING_SHOPPER',   'EXPIRED'],
  ['R7: the shopper has 30 minutes for IRIS', startIris,     30 * MINUTE, 'AWAITING_SHOPPER',   'EXPIRED'],
  ['D-118: a consent waits a day',            consented,     DAY,         'AUTHENTICATED',      'EXPIRED'],
  ['D-118: a consent waits as configured',    consented,     2 * MINUTE,  'AUTHENTICATED',      'EXPIRED', { consentFor: 2 * MINUTE }],
  ['R3: a hold lasts 7 days',                 authorizeBlik, 7 * DAY,     'AUTHORIZED',         'EXPIRED'],
  ['R3: the rest of a part is held as long',  partlyCaptured, 7 * DAY,    'PARTIALLY_CAPTURED', 'SETTLED'],
  ['R4: settlement comes 2 s after capture',  captured,      2 * SECOND,  'CAPTURED',           'SETTLED'],
  ['R4: settlement comes when configured',    captured,      3 * DAY,     'CAPTURED',           'SETTLED', { settleAfter: 3 * DAY }],
]

describe.each(BOUNDS)('%s', (_name, begin, lifetime, before, after, rules = {}) => {
  test('a millisecond before the deadline the state is unchanged', async () => {
    const core = await openCore(rules)
    const id = await begin(core)
    core.pass(lifetime - 1)
    expect(await stateOf(core, id)).toBe(before)
  })

  test('at the deadline the state changes', async () => {
    const core = await openCore(rules)
    const id = await begin(core)
    core.pass(lifetime)
    expect(await stateOf(core, id)).toBe(after)
  })

  test('the event is dated at the deadline, however late the payment is read', async () => {
    const core = await openCore(rules)
    const id = await begin(core)
    core.pass(30 * DAY)
    const { timeline } = (await core.events(id)).body
    const event = timeline.findLast((past: { lifecycle: { state: string } }) => past.lifecycle.state === after)
    expect(Date.parse(event.at)).toBe(START + lifetime)
  })
})

describe('R6: the BLIK code', () => {
  test.each([
    [120 * SECOND - 1, 'PENDING'],
    [120 * SECOND, 'DECLINED'],
  ])('%i ms after its creation a payment is %s', async (age, status) => {
    const core = await openCore()
    const code = await core.code()
    core.pass(age)
    expect((await core.call('initiate', blikRequest(code))).body.status).toBe(status)
  })

  test('has its expiry time', async () => {
    const core = await openCore()
    expect((await core.shopper.createCode(SHOP)).expiresAt).toBe(START + LIFETIMES.blikCode)
  })

  test('a decision in the last millisecond of the window counts, one at its end does not', async () => {
    const core = await openCore()
    const [early, late] = [await startBlik(core), await startBlik(core)]
    core.pass(45 * SECOND - 1)
    expect((await core.decide(early, 'approve')).http).toBe(200)
    core.pass(1)
    expect((await core.decide(late, 'approve')).http).toBe(422)
    expect([await stateOf(core, early), await stateOf(core, late)]).toEqual(['AUTHENTICATED', 'EXPIRED'])
  })
})

test('R6, R7: the provider details hold the end of the shopper’s window', async () => {
  const core = await openCore()
  for (const [start, lifetime] of [
    [startBlik, PROVIDERS.BLIK.window.longest],
    [startIris, 30 * MINUTE],
  ] as const) {
    const { providerDetails } = (await core.events(await start(core))).body
    expect(Date.parse(providerDetails.registeredAt)).toBe(START)
    expect(Date.parse(providerDetails.expiresAt)).toBe(START + lifetime)
  }
})

test('R7: an IRIS request expires after the configured validity, to the millisecond', async () => {
  const core = await openCore({ irisValidity: 5 * MINUTE })
  const id = await startIris(core)
  core.pass(5 * MINUTE - 1)
  expect(await stateOf(core, id)).toBe('AWAITING_SHOPPER')
  core.pass(1)
  expect(await stateOf(core, id)).toBe('EXPIRED')
})

test.each([
  [5, 'PENDING'],
  [30, 'PENDING'],
  [4.9, 'DMSP1109'],
  [30.1, 'DMSP1109'],
])('7.5, 8: with a validity of %s minutes IRIS responds %s', async (minutes, said) => {
  const core = await openCore({ irisValidity: minutes * MINUTE })
  const { status, providerDetails } = (await core.events(await startIris(core))).body
  expect([status, providerDetails.providerStatusInfo?.reasonCode]).toContain(said)
})

test('R3: the hold starts at finalize', async () => {
  const core = await openCore()
  const id = await startBlik(core, { autoCapture: false })
  await core.decide(id, 'approve')
  core.pass(DAY - 1)
  expect((await core.call('finalize', actionRequest(id))).http).toBe(200)
  core.pass(7 * DAY - 1)
  expect(await stateOf(core, id)).toBe('AUTHORIZED')
  core.pass(1)
  expect((await core.status(id)).body.statusInfo.reasonCode).toBe('2000')
})

test('R4: each capture settles on its own, and the payment when all captures have', async () => {
  const core = await openCore()
  const id = await authorizeBlik(core)
  await core.call('capture', actionRequest(id, 400))
  core.pass(1_500)
  await core.call('capture', actionRequest(id))
  const settled = async () => {
    const { captures } = (await core.events(id)).body.paymentDetails
    return captures.map((one: { statusInfo: { message: string } }) => one.statusInfo.message)
  }
  expect(await settled()).toEqual(['Approved', 'Approved'])
  core.pass(500)
  expect([await stateOf(core, id), await settled()]).toEqual(['CAPTURED', ['Settled', 'Approved']])
  core.pass(1_500)
  expect([await stateOf(core, id), await settled()]).toEqual(['SETTLED', ['Settled', 'Settled']])
})

test('R3, R4: draining the clock runs all jobs in order of due time', async () => {
  const core = await openCore()
  const ids = [await partlyCaptured(core), await captured(core), await startIris(core), await authorizeBlik(core)]
  const { now, ran } = await core.control.drain(SHOP)
  expect(now).toBe(START + 7 * DAY)
  expect(ran).toBe(5)
  const states = await Promise.all(ids.map(id => stateOf(core, id)))
  expect(states).toEqual(['SETTLED', 'SETTLED', 'EXPIRED', 'EXPIRED'])
  expect(await nextDue(core.store, SHOP)).toBeUndefined()
  expect(await core.control.drain(SHOP)).toMatchObject({ now, ran: 0 })
})

describe('a deadline that passes between the run of due jobs and a decision comes first', () => {
  /** Lets time pass when the due jobs of the next call have run, as where the clock is moved while it waits. */
  const passAfterDueJobs = ({ jobs, pass }: SimulatorCore, milliseconds: number): void => {
    const { runDue } = jobs
    jobs.runDue = async organizationId => {
      jobs.runDue = runDue
      const ran = await runDue(organizationId)
      pass(milliseconds)
      return ran
    }
  }
  const call = (operation: string) => (core: SimulatorCore, id: string) => core.call(operation, actionRequest(id))
  const approve = (core: SimulatorCore, id: string) => core.decide(id, 'approve')
  const CASES: readonly [
    string,
    (core: SimulatorCore) => Promise<string>,
    (core: SimulatorCore, id: string) => Promise<{ http: number }>,
    number,
    string[],
  ][] = [
    ['settlement before a refund', captured, call('refund'), 200, ['CAPTURED', 'SETTLED', 'REFUNDED']],
    ['the end of a hold before a capture', authorizeBlik, call('capture'), 422, ['AUTHORIZED', 'EXPIRED']],
    ['the end of a consent before finalize', consented, call('finalize'), 422, ['AUTHENTICATED', 'EXPIRED']],
    ['the end of a window before the shopper', startIris, approve, 422, ['AWAITING_SHOPPER', 'EXPIRED']],
    ['the end of a hold before a cancellation', authorizeBlik, call('cancel'), 422, ['AUTHORIZED', 'EXPIRED']],
  ]

  test.each(CASES)('%s', async (_name, begin, decide, http, last) => {
    const core = await openCore()
    const id = await begin(core)
    passAfterDueJobs(core, 30 * DAY)
    expect((await decide(core, id)).http).toBe(http)
    const { timeline } = (await core.events(id)).body
    const states = timeline.map((past: { lifecycle: { state: string } }) => past.lifecycle.state)
    expect(states.slice(-last.length)).toEqual(last)
    const times = timeline.map((past: { at: string }) => past.at)
    expect(times).toEqual(times.toSorted())
  })
})
