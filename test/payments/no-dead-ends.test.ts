import { describe, expect, test } from 'vitest'
import { decisionChoices } from '../../contracts/dialect/decision-choices.ts'
import type { Payment } from '../../simulator/payments/payment.ts'
import { DAY, MINUTE } from '../../simulator/support/duration.ts'
import { nextDue } from '../store/run-unit-of-work.ts'
import { authorizeBlik, createPaymentIn, startBlik, startIris, stateOf } from '../support/create-test-payments.ts'
import { actionRequest, blikRequest, irisRequest, passthroughMock } from '../support/payment-requests.ts'
import { ACCOUNT, openCore, SHOP, type SimulatorCore } from '../support/simulator-core.ts'

type Started = readonly [string, (core: SimulatorCore) => Promise<string>]

const mocked =
  (scenario: string, type: string, request: () => object | Promise<object>) => async (core: SimulatorCore) => {
    await core.call('mockSet', passthroughMock(scenario, { type }))
    return (await core.call('initiate', await request())).body.transactionId as string
  }
const blik =
  (transactionType: Payment['transactionType']) =>
  (core: SimulatorCore): Promise<string> =>
    startBlik(core, { transactionType })

/** Every way by which a payment waits for its shopper: method, type of transaction, and who answers for the provider. */
const WAITING: readonly Started[] = [
  ['BLIK ONE_TIME', blik('ONE_TIME')],
  ['BLIK RECURRING', blik('RECURRING')],
  ['BLIK TOKEN_ONLY', blik('TOKEN_ONLY')],
  ['IRIS', core => startIris(core)],
  ['PASSTHROUGH', mocked('OK', 'PASSTHROUGH', () => irisRequest())],
  ['MOCK with a shopper', mocked('SHOPPER_NEVER_ACTS', 'MOCK', () => blikRequest('000000'))],
]

/** Lets the shopper of a payment consent, unless a mock has done so. */
const consent = (begin: Started[1]) => async (core: SimulatorCore) => {
  const id = await begin(core)
  if ((await stateOf(core, id)) === 'AWAITING_SHOPPER') await core.decide(id, 'approve')
  return id
}
const CONSENTED: readonly Started[] = [
  ...WAITING.slice(0, -1).map(([name, begin]) => [name, consent(begin)] as const),
  ['MOCK', mocked('OK', 'MOCK', () => blikRequest('000000'))],
]

describe('D-39: what is initiated can be canceled, and ends for good', () => {
  test.each([...WAITING, ...CONSENTED.map(([name, begin]) => [`${name}, consented`, begin] as const)])(
    '%s',
    async (_name, begin) => {
      const core = await openCore()
      const id = await begin(core)
      const canceled = await core.call('cancel', actionRequest(id))
      expect(canceled).toMatchObject({ http: 200, body: { status: 'CANCELED' } })
      expect(await nextDue(core.store, SHOP)).toBeUndefined()
      core.pass(2 * DAY)
      expect((await core.decide(id, 'approve')).http).toBe(422)
      expect((await core.call('finalize', actionRequest(id))).http).toBe(422)
      expect(await stateOf(core, id)).toBe('CANCELED')
    },
  )

  test.each(WAITING)('%s: the shopper sees that it was canceled, and nothing else', async (_name, begin) => {
    const core = await openCore()
    const id = await begin(core)
    await core.call('cancel', actionRequest(id))
    expect((await core.shopper.decide(SHOP, id, 'approve')).outcome).toBe('canceled')
  })

  test('a shopper who has consented sees that, whatever the shop does then', async () => {
    const core = await openCore()
    const id = await createPaymentIn(core, 'AUTHENTICATED')
    await core.call('cancel', actionRequest(id))
    expect((await core.shopper.view(SHOP, id)).outcome).toBe('approved')
  })

  test('also while the bank still processes the consent', async () => {
    const core = await openCore()
    const id = await startIris(core)
    await core.shopper.act(SHOP, id, 'approve', { after: 20_000 })
    expect((await core.call('cancel', actionRequest(id))).body.status).toBe('CANCELED')
    expect((await core.shopper.view(SHOP, id)).outcome).toBe('canceled')
    core.pass(MINUTE)
    expect(await stateOf(core, id)).toBe('CANCELED')
  })
})

describe('D-118: a consent that nobody finalizes ends', () => {
  test.each(CONSENTED)('%s: after a day, and not before', async (_name, begin) => {
    const core = await openCore()
    const id = await begin(core)
    core.pass(DAY - 1)
    expect(await stateOf(core, id)).toBe('AUTHENTICATED')
    core.pass(1)
    const late = await core.call('finalize', actionRequest(id))
    expect(late).toMatchObject({ http: 422, body: { statusInfo: { reasonCode: '5002' } } })
    expect((await core.status(id)).body).toMatchObject({ status: 'DECLINED', statusInfo: { reasonCode: '2000' } })
  })

  test('0 is no limit', async () => {
    const core = await openCore({ consentFor: 0 })
    const id = await createPaymentIn(core, 'AUTHENTICATED')
    core.pass(365 * DAY)
    expect((await core.call('finalize', actionRequest(id))).http).toBe(200)
  })

  test('a shopper cannot let a time pass that is no longer theirs', async () => {
    const core = await openCore()
    const id = await createPaymentIn(core, 'AUTHENTICATED')
    await expect(core.shopper.act(SHOP, id, 'lapse')).rejects.toThrow(/AUTHENTICATED/)
  })
})

/** Opens the simulator with a method that captures once, and a payment of 1000 of which 400 are captured, by a mock if there is one. */
const captureOnce = async (chosen: Parameters<typeof decisionChoices>[0] = {}, mock?: object) => {
  const core = await openCore({ choices: decisionChoices(chosen) })
  await core.store.setCapabilities(SHOP, ACCOUNT, { BLIK: { multiplePartialCaptures: false } })
  const id = await authorizeBlik(core)
  if (mock) await core.call('mockSet', mock)
  const answer = await core.call('capture', actionRequest(id, 400))
  return { core, id, answer }
}

describe('D-119: the last possible capture releases the rest', () => {
  test('released: captured, settled and refunded without waiting for the hold', async () => {
    const { core, id, answer } = await captureOnce()
    expect(answer.body).toMatchObject({ status: 'APPROVED', paymentDetails: { amount: 400 } })
    expect(await stateOf(core, id)).toBe('CAPTURED')
    core.pass(2_000)
    expect(await stateOf(core, id)).toBe('SETTLED')
    expect((await core.call('refund', actionRequest(id))).body.paymentDetails.amount).toBe(400)
    expect(await stateOf(core, id)).toBe('REFUNDED')
  })

  test('released: the response is about the capture, and has what a mock says of it', async () => {
    const { answer } = await captureOnce()
    expect(answer.body.statusInfo).toEqual({ reasonCode: '-1', message: 'Captured in part' })
    const statusInfo = { reasonCode: '-1', message: 'As told' }
    const mock = { ...passthroughMock('OK', { type: 'MOCK' }), steps: { capture: { statusInfo } } }
    expect((await captureOnce({}, mock)).answer.body.statusInfo).toEqual(statusInfo)
  })

  test('held: the rest waits for the end of the hold', async () => {
    const { core, id } = await captureOnce({ 'D-119': 'held' })
    core.pass(2_000)
    expect(await stateOf(core, id)).toBe('PARTIALLY_CAPTURED')
    core.pass(7 * DAY)
    expect(await stateOf(core, id)).toBe('SETTLED')
  })

  test('a declined capture releases nothing', async () => {
    const { core, id } = await captureOnce()
    const other = await authorizeBlik(core)
    await core.arm({ operation: 'capture', kind: 'decline', code: '3003' })
    await core.call('capture', actionRequest(other, 400))
    expect([await stateOf(core, id), await stateOf(core, other)]).toEqual(['CAPTURED', 'AUTHORIZED'])
  })
})

describe('D-120: the settled part of a payment can be refunded', () => {
  test('settled-part: up to what has settled, and the next parts settle as before', async () => {
    const core = await openCore()
    const id = await createPaymentIn(core, 'PARTIALLY_CAPTURED')
    expect((await core.call('refund', actionRequest(id, 1))).http).toBe(422)
    core.pass(2_000)
    expect((await core.call('refund', actionRequest(id, 401))).http).toBe(422)
    expect((await core.call('refund', actionRequest(id, 400))).body.status).toBe('APPROVED')
    expect((await core.call('refund', actionRequest(id, 1))).http).toBe(422)
    await core.call('capture', actionRequest(id))
    expect((await core.call('refund', actionRequest(id, 1))).http).toBe(422)
    core.pass(2_000)
    expect(await stateOf(core, id)).toBe('PARTIALLY_REFUNDED')
    expect((await core.call('refund', actionRequest(id))).body.paymentDetails.amount).toBe(600)
    expect(await stateOf(core, id)).toBe('REFUNDED')
  })

  test('settled-payment: only once the whole payment has settled', async () => {
    const core = await openCore({ choices: decisionChoices({ 'D-120': 'settled-payment' }) })
    const id = await createPaymentIn(core, 'PARTIALLY_CAPTURED')
    core.pass(2_000)
    expect((await core.call('refund', actionRequest(id, 400))).http).toBe(422)
    core.pass(7 * DAY)
    expect((await core.call('refund', actionRequest(id, 400))).http).toBe(200)
  })

  test('a method that refunds in full only refuses the part of a capture', async () => {
    const core = await openCore()
    await core.store.setCapabilities(SHOP, ACCOUNT, { BLIK: { partialRefund: false } })
    const id = await createPaymentIn(core, 'PARTIALLY_CAPTURED')
    core.pass(2_000)
    expect((await core.call('refund', actionRequest(id, 300))).http).toBe(501)
    expect((await core.call('refund', actionRequest(id, 400))).http).toBe(200)
  })
})

test('D-98: no dispute opens while a refund is under way, which would never end', async () => {
  const core = await openCore({ choices: decisionChoices({ 'D-41': 'accepted-first' }), settleAfter: DAY })
  await core.call('mockSet', passthroughMock('DISPUTE_WON'))
  const id = await createPaymentIn(core, 'CAPTURED')
  core.pass(30 * DAY + 1)
  await core.call('refund', actionRequest(id, 300))
  core.pass(90 * DAY)
  expect(await stateOf(core, id)).toBe('PARTIALLY_REFUNDED')
})
