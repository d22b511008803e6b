import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createAccessTokens } from '../../simulator/http/access-tokens.ts'
import { isoTime } from '../../simulator/support/clock.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../simulator/support/duration.ts'
import { createIds } from '../../simulator/support/ids.ts'
import { authorizeBlik, startBlik, startIris, stateOf } from '../support/create-test-payments.ts'
import { actionRequest, blikRequest, irisRequest } from '../support/payment-requests.ts'
import { ACCOUNT, openCore, SHOP, type SimulatorCore, START } from '../support/simulator-core.ts'

/** Starts a deadline; returns a function that reads the state it changes. */
type Begin = (core: SimulatorCore) => Promise<() => Promise<string>>

const payment =
  (begin: (core: SimulatorCore) => Promise<string>): Begin =>
  async core => {
    const id = await begin(core)
    return () => stateOf(core, id)
  }

const captured = async (core: SimulatorCore): Promise<string> => {
  const id = await authorizeBlik(core)
  await core.call('capture', actionRequest(id))
  return id
}

const rememberedKey: Begin = async core => {
  await core.call('initiate', irisRequest(), { key: 'one' })
  return async () => ((await core.call('initiate', irisRequest(), { key: 'one' })).replayed ? 'replayed' : 'new')
}

const phoneCode: Begin = async core => {
  const code = await core.code()
  return async () => (await core.call('initiate', blikRequest(code))).body.status
}

const accessToken: Begin = async core => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = { privateKey, publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString() }
  const tokens = createAccessTokens({ clock: core.clock, ids: createIds(), key })
  const { token } = await tokens.issue({ organizationId: SHOP }, ['payments:read'])
  return async () => ((await tokens.verify(token)).expiresAt > core.clock.now(SHOP) ? 'good' : 'expired')
}

const mock: Begin = async core => {
  await core.call('mockSet', { processingAccountId: ACCOUNT, key: { type: 'PAYER_ID', value: 'p' }, type: 'MOCK' })
  return async () => `${(await core.store.mocks(SHOP, core.clock.now(SHOP), 9)).length} mocks`
}

// biome-ignore format: a table reads by its columns
const DEADLINES: readonly [string, Begin, lifetime: number, before: string, after: string][] = [
  ['R6: the 45 s of a BLIK payment',     payment(startBlik),     45 * SECOND, 'AWAITING_SHOPPER', 'EXPIRED'],
  ['R6: the 120 s of a code',            phoneCode,             120 * SECOND, 'PENDING',          'DECLINED'],
  ['R7: the validity of an IRIS request', payment(startIris),    30 * MINUTE, 'AWAITING_SHOPPER', 'EXPIRED'],
  ['R3: the hold',                       payment(authorizeBlik),      7 * DAY, 'AUTHORIZED',       'EXPIRED'],
  ['R4: the settlement',                 payment(captured),       2 * SECOND, 'CAPTURED',         'SETTLED'],
  ['I3: an idempotency key',             rememberedKey,            24 * HOUR, 'replayed',         'new'],
  ['5.3: an access token',               accessToken,           7200 * SECOND, 'good',            'expired'],
  ['2.7: a mock',                        mock,                     24 * HOUR, '1 mocks',          '0 mocks'],
]

describe.each(DEADLINES)('%s follows the clock of the organization', (_name, begin, lifetime, before, after) => {
  test('real: on time', async () => {
    const core = await openCore()
    const look = await begin(core)
    core.pass(lifetime - 1)
    expect(await look()).toBe(before)
    const other = await openCore()
    const lookThere = await begin(other)
    other.pass(lifetime)
    expect(await lookThere()).toBe(after)
  })

  test('frozen: not by itself, on time when the clock is advanced', async () => {
    const core = await openCore()
    await core.control.freeze(SHOP, true)
    const look = await begin(core)
    core.pass(365 * DAY)
    expect(await look()).toBe(before)
    await core.control.advance(SHOP, lifetime)
    expect(await look()).toBe(after)
    expect(core.clock.now(SHOP)).toBe(START + lifetime)
  })

  test('scaled: earlier by the factor', async () => {
    const core = await openCore()
    await core.control.scale(SHOP, 50)
    const look = await begin(core)
    core.pass(Math.floor((lifetime - 1) / 50))
    expect(await look()).toBe(before)
    const other = await openCore()
    await other.control.scale(SHOP, 50)
    const lookThere = await begin(other)
    other.pass(lifetime / 50)
    expect(await lookThere()).toBe(after)
  })
})

describe('clock modes', () => {
  test('are reported with the time and the next job', async () => {
    const core = await openCore()
    expect(await core.control.look(SHOP)).toEqual({ now: START, mode: 'real', scale: 1, next: null })
    const id = await startBlik(core)
    const next = { at: START + 45_000, name: 'shopper-window', transactionId: id }
    expect(await core.control.freeze(SHOP, true)).toEqual({ now: START, mode: 'frozen', scale: 0, next, ran: 0 })
    core.pass(HOUR)
    expect(await core.control.scale(SHOP, 60)).toEqual({ now: START, mode: 'scaled', scale: 60, next, ran: 0 })
    expect(await core.control.freeze(SHOP, false)).toEqual({ now: START, mode: 'real', scale: 1, next, ran: 0 })
  })

  test('stay the same through advance, next and drain', async () => {
    const core = await openCore()
    await core.control.freeze(SHOP, true)
    const [blik, iris] = [await startBlik(core), await startIris(core)]
    expect(await core.control.advance(SHOP, 44_999)).toMatchObject({ now: START + 44_999, mode: 'frozen', ran: 0 })
    const first = { at: START + 45_000, name: 'shopper-window', transactionId: blik }
    expect(await core.control.advanceToNext(SHOP)).toMatchObject({ now: START + 45_000, ran: 1, reached: first })
    expect(await stateOf(core, blik)).toBe('EXPIRED')
    const drained = { now: START + 30 * MINUTE, mode: 'frozen', next: null, ran: 1 }
    expect(await core.control.drain(SHOP)).toMatchObject(drained)
    expect(await stateOf(core, iris)).toBe('EXPIRED')
    expect(await core.control.drain(SHOP)).toMatchObject({ ...drained, ran: 0 })
    const nothing = { now: drained.now, mode: 'frozen', scale: 0, next: null, ran: 0, reached: null }
    expect(await core.control.advanceToNext(SHOP)).toEqual(nothing)
  })

  test('concurrent advances add up', async () => {
    const core = await openCore()
    await core.control.freeze(SHOP, true)
    await startBlik(core)
    await Promise.all([core.control.advance(SHOP, MINUTE), core.control.advance(SHOP, HOUR)])
    expect(core.clock.now(SHOP)).toBe(START + MINUTE + HOUR)
  })

  test('moving to a past instant is refused with the current time', async () => {
    const core = await openCore()
    await core.control.goTo(SHOP, START + DAY)
    expect(core.clock.now(SHOP)).toBe(START + DAY)
    await expect(core.control.goTo(SHOP, START)).rejects.toThrow(`The clock is at ${isoTime(START + DAY)}`)
    expect(core.clock.now(SHOP)).toBe(START + DAY)
  })

  test('the clock stops at 9999-01-01, and later jobs do not run', async () => {
    const core = await openCore()
    const end = Date.UTC(9999, 0)
    await expect(core.control.goTo(SHOP, end + 1)).rejects.toThrow('No clock goes beyond 9999-01-01T00:00:00.000Z')
    await core.control.goTo(SHOP, end)
    await startBlik(core)
    expect(await core.control.drain(SHOP)).toEqual({ now: end, mode: 'real', scale: 1, next: null, ran: 0 })
    expect(await core.control.advanceToNext(SHOP)).toMatchObject({ reached: null })
  })

  test('of one organization do not affect others', async () => {
    const core = await openCore()
    await core.control.freeze(SHOP, true)
    core.pass(5)
    expect([core.clock.now(SHOP), core.clock.now('other')]).toEqual([START, START + 5])
  })
})
