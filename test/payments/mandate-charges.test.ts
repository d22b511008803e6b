import { describe, expect, test } from 'vitest'
import { DAY, SECOND } from '../../simulator/support/duration.ts'
import { nextDue } from '../store/run-unit-of-work.ts'
import { startBlik, stateOf } from '../support/create-test-payments.ts'
import { actionRequest, chargeRequest, irisRequest, PAYER } from '../support/payment-requests.ts'
import { openCore, type ResponseBody, SHOP, type SimulatorCore } from '../support/simulator-core.ts'

/** Creates a mandate of the payer; returns its payment token. */
const mandate = async (core: SimulatorCore): Promise<string> => {
  const id = await startBlik(core, { transactionType: 'TOKEN_ONLY' })
  await core.decide(id, 'approve')
  return (await core.call('finalize', actionRequest(id))).body.payerDetails.paymentToken
}

const UNKNOWN = {
  http: 422,
  reasonCode: '5010',
  message: 'There is no such mandate: let the payer consent to one first.',
}
const saying = (standing: string) => ({
  ...UNKNOWN,
  message: `The mandate is ${standing}: let the payer consent to a new one.`,
})
const refusalOf = ({ http, body }: { http: number; body: ResponseBody }) => ({ http, ...body.statusInfo })

type Made = { token: string; older: string }

// biome-ignore format: a table reads by its columns
const CASES: readonly [string, (made: Made) => object, object | undefined, ((core: SimulatorCore, made: Made) => unknown)?][] = [
  ['by the payer alone',                    () => ({ payerId: PAYER }),                                  undefined],
  ['by a token alone',                      ({ token }) => ({ paymentToken: token }),                    undefined],
  ['by an older token',                     ({ older }) => ({ paymentToken: older }),                    undefined],
  ['by both in agreement',                  ({ token }) => ({ payerId: PAYER, paymentToken: token }),    undefined],
  ['by a token of another payer',           ({ token }) => ({ payerId: 'payer-2', paymentToken: token }), UNKNOWN],
  ['by a payer who never consented',        () => ({ payerId: 'payer-2' }),                              UNKNOWN],
  ['by an invented token',                  () => ({ paymentToken: 'A'.repeat(22) }),                    UNKNOWN],
  ['by a payer and an invented token',      () => ({ payerId: PAYER, paymentToken: 'A'.repeat(22) }),    UNKNOWN],
  ['by a token in other letters',           ({ token }) => ({ paymentToken: swapCase(token) }),          UNKNOWN],
  ['by a revoked token',                    ({ token }) => ({ paymentToken: token }),                    saying('revoked'), revoke('token')],
  ['by the payer, the newest being revoked', () => ({ payerId: PAYER }),                                 undefined,         revoke('token')],
  ['by the payer, all being revoked',       () => ({ payerId: PAYER }),                                  UNKNOWN,           revoke('token', 'older')],
  ['by a token in its last millisecond',    ({ token }) => ({ paymentToken: token }),                    undefined,         later(365 * DAY - 1)],
  ['by a token a year later',               ({ token }) => ({ paymentToken: token }),                    saying('expired'), later(365 * DAY)],
  ['by the payer in the last millisecond',  () => ({ payerId: PAYER }),                                  undefined,         later(365 * DAY - 1)],
  ['by the payer a year later',             () => ({ payerId: PAYER }),                                  UNKNOWN,           later(365 * DAY)],
  ['by a token revoked and then expired',   ({ token }) => ({ paymentToken: token }),                    saying('revoked'), async (core, made) => { await revoke('token')(core, made); core.pass(365 * DAY) }],
]

function revoke(...which: (keyof Made)[]) {
  return async (core: SimulatorCore, made: Made) => {
    for (const name of which) await core.store.revokeMandate(SHOP, made[name], core.time.now)
  }
}

function later(milliseconds: number) {
  return (core: SimulatorCore) => core.pass(milliseconds)
}

const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, letter => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))

describe('2.3, D-63: which mandate a charge uses', () => {
  test.each(CASES)('%s', async (_name, payer, refusal, before) => {
    const core = await openCore()
    const older = await mandate(core)
    const made = { older, token: await mandate(core) }
    await before?.(core, made)
    const charged = await core.call('charge', chargeRequest(payer(made)))
    if (refusal) expect(refusalOf(charged)).toEqual(refusal)
    else expect(charged).toMatchObject({ http: 200, body: { status: 'APPROVED' } })
  })
})

describe('3 sequence 2: a charge without its shopper', () => {
  test('2.9, D-64: its response is that of initiate, already captured', async () => {
    const core = await openCore()
    const paymentToken = await mandate(core)
    const { body } = await core.call('charge', { ...chargeRequest({ paymentToken }), metadata: { month: '2' } })
    expect(body).toEqual({
      processingAccountId: 'shop-account-1',
      transactionId: expect.any(String),
      clientTransactionId: 'order-2',
      providerDetails: {
        providerId: 'BLIK',
        providerTransactionId: expect.any(String),
        registeredAt: '2026-01-05T12:00:00.000Z',
      },
      metadata: { month: '2' },
      status: 'APPROVED',
      statusInfo: { reasonCode: '-1', message: 'Captured' },
    })
    expect((await core.events(body.transactionId)).body).toMatchObject({ payerDetails: { payerId: PAYER } })
  })

  // biome-ignore format: a table reads by its columns
  test.each([
    ['left out',                 {},                                                  'CAPTURED'],
    ['true',                     { paymentDetails: { autoCapture: true } },           'CAPTURED'],
    ['false',                    { paymentDetails: { autoCapture: false } },          'AUTHORIZED'],
    ['false at the top (D-02)',  { autoCapture: false },                              'AUTHORIZED'],
    ['said twice, details win',  { autoCapture: false, paymentDetails: { autoCapture: true } }, 'CAPTURED'],
  ])('autoCapture %s', async (_said, said, state) => {
    const more: { autoCapture?: boolean; paymentDetails?: object } = said
    const core = await openCore()
    await mandate(core)
    const request = chargeRequest()
    const paymentDetails = { ...request.paymentDetails, ...more.paymentDetails }
    const { transactionId } = (await core.call('charge', { ...request, ...more, paymentDetails })).body
    expect(await stateOf(core, transactionId)).toBe(state)
  })

  test('R3, R4: it settles, is refunded, is held and expires like any other payment', async () => {
    const core = await openCore()
    await mandate(core)
    const charge = async (autoCapture: boolean) =>
      (await core.call('charge', chargeRequest({ payerId: PAYER }, { autoCapture }))).body.transactionId
    const [paid, held] = [await charge(true), await charge(false)]
    core.pass(2 * SECOND)
    expect((await core.call('refund', actionRequest(paid, 300))).http).toBe(200)
    core.pass(7 * DAY)
    expect([await stateOf(core, paid), await stateOf(core, held)]).toEqual(['PARTIALLY_REFUNDED', 'EXPIRED'])
  })

  test('R2, R5: it can be captured in parts and canceled, but not finalized', async () => {
    const core = await openCore()
    await mandate(core)
    const charge = async () =>
      (await core.call('charge', chargeRequest({ payerId: PAYER }, { autoCapture: false }))).body.transactionId
    const [first, second] = [await charge(), await charge()]
    expect((await core.call('finalize', actionRequest(first))).http).toBe(422)
    expect((await core.decide(first, 'approve')).http).toBe(422)
    expect((await core.call('capture', actionRequest(first, 400))).http).toBe(200)
    expect((await core.call('cancel', actionRequest(second))).body.status).toBe('CANCELED')
  })

  test('7.5: declined by the provider it holds nothing, and the mandate stays valid', async () => {
    const core = await openCore()
    await mandate(core)
    await core.arm({ operation: 'charge', kind: 'decline', code: '3003' })
    const { http, body } = await core.call('charge', chargeRequest())
    expect([http, body.status, body.statusInfo.reasonCode]).toEqual([200, 'DECLINED', '2000'])
    expect(body.providerDetails.providerStatusInfo.reasonCode).toBe('3003')
    expect(await stateOf(core, body.transactionId)).toBe('DECLINED')
    expect(await nextDue(core.store, SHOP)).toBeUndefined()
    expect((await core.call('charge', chargeRequest())).body.status).toBe('APPROVED')
  })

  test('I3: a replay under its key returns the first payment, also after the mandate was revoked', async () => {
    const core = await openCore()
    const paymentToken = await mandate(core)
    const first = await core.call('charge', chargeRequest({ paymentToken }), { key: 'k' })
    await core.store.revokeMandate(SHOP, paymentToken, core.time.now)
    expect(await core.call('charge', chargeRequest({ paymentToken }), { key: 'k' })).toEqual({
      ...first,
      replayed: true,
    })
    const other = await core.call('charge', chargeRequest({ paymentToken }, { amount: 2 }), { key: 'k' })
    expect(refusalOf(other)).toMatchObject({ http: 409, reasonCode: '3002' })
  })

  test('I3: the refusal of a missing mandate is replayed under its key', async () => {
    const core = await openCore()
    const early = await core.call('charge', chargeRequest(), { key: 'k' })
    await mandate(core)
    expect(await core.call('charge', chargeRequest(), { key: 'k' })).toEqual({ ...early, replayed: true })
    expect((await core.call('charge', chargeRequest())).http).toBe(200)
  })

  test('1: IRIS refuses charges with 501/8003', async () => {
    const core = await openCore()
    const { paymentDetails, providerDetails } = irisRequest()
    const request = { ...chargeRequest(), paymentDetails, providerDetails }
    expect(refusalOf(await core.call('charge', request))).toMatchObject({ http: 501, reasonCode: '8003' })
  })
})

describe('D-62: the mandate of another owner is refused like an unknown one', () => {
  const others = [
    ['another account', { processingAccountId: 'shop-account-2' }, SHOP],
    ['another organization', { processingAccountId: 'other-account-1' }, 'other'],
  ] as const

  test.each(others)('%s, by payer and by token', async (_whose, more, organizationId) => {
    const core = await openCore()
    const paymentToken = await mandate(core)
    for (const payer of [{ payerId: PAYER }, { paymentToken }, { payerId: PAYER, paymentToken }]) {
      const told = await core.call('charge', { ...chargeRequest(payer), ...more }, { organizationId })
      expect(refusalOf(told)).toEqual(UNKNOWN)
    }
  })

  test('an account of another organization is refused with 403 before the mandate is loaded', async () => {
    const core = await openCore()
    const paymentToken = await mandate(core)
    const told = await core.call('charge', chargeRequest({ paymentToken }), { organizationId: 'other' })
    expect(refusalOf(told)).toMatchObject({ http: 403, reasonCode: '4971' })
  })
})
