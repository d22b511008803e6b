import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../simulator/duration.ts'
import { createCatalogue } from '../../simulator/scenarios/catalogue.ts'
import { type Core, openCore } from '../support/core.ts'
import {
  act,
  arranged,
  blikRequest,
  chargeRequest,
  irisRequest,
  startBlik,
  startIris,
  stateOf,
} from '../support/payments.ts'
import { FEW } from './catalogue-of-three.ts'

const open = () => openCore({ scenarios: FEW })
const told = ({ body }: { body: { status: string; statusInfo: { reasonCode: string } } }) => [
  body.status,
  body.statusInfo.reasonCode,
]

/** A payment that settled, with this amount. */
const settled = async (core: Core, amount: number): Promise<string> => {
  const id = await startBlik(core, { amount })
  await core.decide(id, 'approve')
  await core.call('finalize', act(id))
  core.pass(2_000)
  return id
}

describe('E2: the order of precedence', () => {
  test('a mock, then the BLIK code, then the amount, then the provider as it is', async () => {
    const core = await open()
    const request = blikRequest('990000', { amount: 9_990_300 })
    expect(told(await core.call('initiate', { ...request, payerDetails: { oneTimeCode: '000000' } }))).toEqual([
      'DECLINED',
      '4000',
    ])
    expect(told(await core.call('initiate', request))).toEqual(['ACCEPTED', '-1'])
    await core.call('mockSet', arranged('BLIK_ONLY', { type: 'MOCK' }))
    expect(told(await core.call('initiate', request))).toEqual(['DECLINED', '4000'])
    const other = { ...request, clientTransactionId: 'order-9' }
    expect(told(await core.call('initiate', other))).toEqual(['ACCEPTED', '-1'])
  })

  test('an unknown magic code is declined and explains itself', async () => {
    const core = await open()
    const { body } = await core.call('initiate', blikRequest('994711'))
    expect([body.status, body.statusInfo.reasonCode]).toEqual(['DECLINED', '4000'])
    expect(body.statusInfo.message).toContain('none has the number 4711')
    expect(body.statusInfo.message).toContain('GET /control/scenarios')
  })

  test('an unknown magic amount is refused and explains itself, and so is one of another method', async () => {
    const core = await open()
    const { http, body } = await core.call('initiate', irisRequest({ amount: 9_994_711 }))
    expect([http, body.statusInfo.reasonCode]).toEqual([400, '4000'])
    expect(body.statusInfo.message).toContain('none has the number 4711')
    const iris = await core.call('initiate', irisRequest({ amount: 9_990_300 }))
    expect([iris.http, iris.body.statusInfo.message]).toEqual([
      400,
      'The scenario BLIK_ONLY is for BLIK payments only.',
    ])
  })

  test('production has no magic: the values are ordinary ones', async () => {
    const core = await openCore({ scenarios: createCatalogue([]) })
    expect((await core.call('initiate', irisRequest({ amount: 9_994_711 }))).body.status).toBe('PENDING')
  })
})

describe('a scenario goes on where no call is made', () => {
  test('by amount the shopper still acts, and the bank says no', async () => {
    const core = await open()
    const id = await startBlik(core, { amount: 9_990_100 })
    await core.decide(id, 'approve')
    expect(told(await core.status(id))).toEqual(['DECLINED', '1001'])
    expect(told(await core.call('charge', chargeRequest()))).toEqual(['DECLINED', '5010'])
  })

  test('a shopper who declines has declined, whatever was arranged', async () => {
    const core = await open()
    const id = await startBlik(core, { amount: 9_990_100 })
    await core.decide(id, 'decline')
    expect(told(await core.status(id))).toEqual(['DECLINED', '2001'])
  })

  test('by code the shopper acts by the clock', async () => {
    const core = await open()
    const { body } = await core.call('initiate', blikRequest('990100'))
    expect(told({ body })).toEqual(['PENDING', '-1'])
    core.pass(2_000)
    expect(told(await core.status(body.transactionId))).toEqual(['DECLINED', '1001'])
  })

  test('7.5: a decision that never arrives: the consent changes nothing, the window ends it with 2000', async () => {
    const core = await open()
    const id = await startBlik(core, { amount: 9_990_200 })
    await core.decide(id, 'approve')
    expect(told(await core.status(id))).toEqual(['PENDING', '-1'])
    core.pass(45_000)
    expect(told(await core.status(id))).toEqual(['DECLINED', '2000'])
  })

  test('a bank that takes its time', async () => {
    const core = await open()
    const id = await startIris(core, { amount: 9_990_201 })
    await core.decide(id, 'approve')
    core.pass(19_999)
    expect(await stateOf(core, id)).toBe('AWAITING_SHOPPER')
    core.pass(1)
    expect(await stateOf(core, id)).toBe('AUTHENTICATED')
  })

  test('R4: a settlement that comes after three days', async () => {
    const core = await open()
    const id = await settled(core, 9_990_600)
    core.pass(3 * DAY - 2_001)
    expect(await stateOf(core, id)).toBe('CAPTURED')
    core.pass(1)
    expect(await stateOf(core, id)).toBe('SETTLED')
  })

  test('R1: a refund that is taken on holds its sum, and gives it back when it fails', async () => {
    const core = await open()
    const id = await settled(core, 9_990_601)
    const refund = await core.call('refund', act(id, 9_990_000))
    expect([refund.body.status, refund.body.statusInfo.message]).toEqual(['ACCEPTED', 'Accepted'])
    expect((await core.call('refund', act(id, 602))).http).toBe(422)
    core.pass(MINUTE)
    const { paymentDetails } = (await core.events(id)).body
    expect([paymentDetails.refundedAmount, paymentDetails.refunds[0].status]).toEqual([0, 'DECLINED'])
    expect(paymentDetails.refunds[0].statusInfo.reasonCode).toBe('8004')
    expect(await stateOf(core, id)).toBe('SETTLED')
    expect((await core.call('refund', act(id))).http).toBe(200)
  })

  test('R1: a refund that takes a minute is done then', async () => {
    const core = await open()
    const id = await settled(core, 9_990_602)
    await core.call('refund', act(id))
    expect(await stateOf(core, id)).toBe('SETTLED')
    expect((await core.call('refund', act(id))).http).toBe(422)
    core.pass(MINUTE)
    expect(await stateOf(core, id)).toBe('REFUNDED')
  })

  test.each([
    [9_990_603, 'REFUNDED'],
    [9_990_604, 'SETTLED'],
  ])('1: a dispute after the settlement: %s ends %s', async (amount, end) => {
    const core = await open()
    const id = await settled(core, amount)
    core.pass(DAY)
    expect(await stateOf(core, id)).toBe('DISPUTED')
    expect((await core.call('refund', act(id))).http).toBe(422)
    core.pass(DAY)
    expect(await stateOf(core, id)).toBe(end)
  })

  test('E4: a consent that is taken back after an hour', async () => {
    const core = await open()
    const { body } = await core.call('initiate', blikRequest('990500', { transactionType: 'RECURRING' }))
    await core.call('finalize', act(body.transactionId))
    core.pass(HOUR - 1)
    expect((await core.call('charge', chargeRequest())).http).toBe(200)
    core.pass(1)
    expect((await core.call('charge', chargeRequest())).http).toBe(422)
  })

  test('7.4.4: a fault of a later step is met once under each key', async () => {
    const core = await open()
    const id = await startBlik(core, { amount: 9_991_410, autoCapture: false })
    await core.decide(id, 'approve')
    await core.call('finalize', act(id))
    expect((await core.call('capture', act(id), { key: 'k' })).http).toBe(504)
    const again = await core.call('capture', act(id), { key: 'k' })
    expect([again.http, again.replayed]).toEqual([200, true])
  })
})
