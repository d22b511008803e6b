import { describe, expect, test } from 'vitest'
import { createScenarioCatalogue } from '../../simulator/scenarios/scenario-catalogue.ts'
import { DAY, HOUR, MINUTE } from '../../simulator/support/duration.ts'
import { startBlik, startIris, stateOf } from '../support/create-test-payments.ts'
import {
  actionRequest,
  blikRequest,
  chargeRequest,
  irisRequest,
  PAYER,
  passthroughMock,
} from '../support/payment-requests.ts'
import { openCore, SHOP, type SimulatorCore } from '../support/simulator-core.ts'
import { SAMPLE_CATALOGUE } from './sample-catalogue.ts'

const open = () => openCore({ scenarios: SAMPLE_CATALOGUE })
const told = ({ body }: { body: { status: string; statusInfo: { reasonCode: string } } }) => [
  body.status,
  body.statusInfo.reasonCode,
]

/** Creates a settled payment of an amount; returns its id. */
const settled = async (core: SimulatorCore, amount: number): Promise<string> => {
  const id = await startBlik(core, { amount })
  await core.decide(id, 'approve')
  await core.call('finalize', actionRequest(id))
  core.pass(2_000)
  return id
}

describe('E2: precedence', () => {
  test('a mock precedes a magic BLIK code, which precedes a magic amount', async () => {
    const core = await open()
    const request = blikRequest('990000', { amount: 9_990_300 })
    expect(told(await core.call('initiate', { ...request, payerDetails: { oneTimeCode: '000000' } }))).toEqual([
      'DECLINED',
      '4000',
    ])
    expect(told(await core.call('initiate', request))).toEqual(['ACCEPTED', '-1'])
    await core.call('mockSet', passthroughMock('BLIK_ONLY', { type: 'MOCK' }))
    expect(told(await core.call('initiate', request))).toEqual(['DECLINED', '4000'])
    const other = { ...request, clientTransactionId: 'order-9' }
    expect(told(await core.call('initiate', other))).toEqual(['ACCEPTED', '-1'])
  })

  test('an unknown magic code is declined with an explanation', async () => {
    const core = await open()
    const { body } = await core.call('initiate', blikRequest('994711'))
    expect([body.status, body.statusInfo.reasonCode]).toEqual(['DECLINED', '4000'])
    expect(body.statusInfo.message).toContain('none has the number 4711')
    expect(body.statusInfo.message).toContain('GET /control/scenarios')
  })

  test('an unknown magic amount and one of another method are ordinary amounts, as the journal explains', async () => {
    const core = await open()
    const unknown = await core.call('initiate', irisRequest({ amount: 9_994_711 }))
    expect(unknown).toMatchObject({ http: 200, body: { status: 'PENDING' } })
    expect(unknown.script?.ordinaryAmount).toMatch(/^9994711 selects no scenario, as none has the number 4711: .*GET/)
    const iris = await core.call('initiate', irisRequest({ amount: 9_990_300 }))
    expect(iris.http).toBe(200)
    expect(iris.script).toEqual({ ordinaryAmount: 'The scenario BLIK_ONLY is for BLIK payments only.' })
  })

  test('in production magic values are ordinary values', async () => {
    const core = await openCore({ scenarios: createScenarioCatalogue([]) })
    expect((await core.call('initiate', irisRequest({ amount: 9_994_711 }))).body.status).toBe('PENDING')
  })
})

describe('a scenario applies to shopper, settlement, refund and dispute', () => {
  test('a magic amount declines after the shopper’s approval', async () => {
    const core = await open()
    const id = await startBlik(core, { amount: 9_990_100 })
    await core.decide(id, 'approve')
    expect(told(await core.status(id))).toEqual(['DECLINED', '1001'])
    expect(told(await core.call('charge', chargeRequest()))).toEqual(['DECLINED', '5010'])
  })

  test('a decline by the shopper precedes the scenario', async () => {
    const core = await open()
    const id = await startBlik(core, { amount: 9_990_100 })
    await core.decide(id, 'decline')
    expect(told(await core.status(id))).toEqual(['DECLINED', '2001'])
  })

  test('with a magic code the shopper’s decision comes by the clock', async () => {
    const core = await open()
    const { body } = await core.call('initiate', blikRequest('990100'))
    expect(told({ body })).toEqual(['PENDING', '-1'])
    core.pass(2_000)
    expect(told(await core.status(body.transactionId))).toEqual(['DECLINED', '1001'])
  })

  test('7.5: a lost decision: the approval has no effect, and the payment expires with 2000', async () => {
    const core = await open()
    const id = await startBlik(core, { amount: 9_990_200 })
    await core.decide(id, 'approve')
    expect(told(await core.status(id))).toEqual(['PENDING', '-1'])
    core.pass(45_000)
    expect(told(await core.status(id))).toEqual(['DECLINED', '2000'])
  })

  test('a bank that confirms after 20 seconds', async () => {
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

  test('R1: an accepted refund reserves its amount, and releases it when it fails', async () => {
    const core = await open()
    const id = await settled(core, 9_990_601)
    const refund = await core.call('refund', actionRequest(id, 9_990_000))
    expect([refund.body.status, refund.body.statusInfo.message]).toEqual(['ACCEPTED', 'Accepted'])
    expect((await core.call('refund', actionRequest(id, 602))).http).toBe(422)
    core.pass(MINUTE)
    const { paymentDetails } = (await core.events(id)).body
    expect([paymentDetails.refundedAmount, paymentDetails.refunds[0].status]).toEqual([0, 'DECLINED'])
    expect(paymentDetails.refunds[0].statusInfo.reasonCode).toBe('8004')
    expect(await stateOf(core, id)).toBe('SETTLED')
    expect((await core.call('refund', actionRequest(id))).http).toBe(200)
  })

  test('R1: an accepted refund is approved after a minute', async () => {
    const core = await open()
    const id = await settled(core, 9_990_602)
    await core.call('refund', actionRequest(id))
    expect(await stateOf(core, id)).toBe('SETTLED')
    expect((await core.call('refund', actionRequest(id))).http).toBe(422)
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
    expect((await core.call('refund', actionRequest(id))).http).toBe(422)
    core.pass(DAY)
    expect(await stateOf(core, id)).toBe(end)
  })

  test('E4: a mandate that is revoked after an hour', async () => {
    const core = await open()
    const { body } = await core.call('initiate', blikRequest('990500', { transactionType: 'RECURRING' }))
    await core.call('finalize', actionRequest(body.transactionId))
    core.pass(HOUR - 1)
    expect((await core.call('charge', chargeRequest())).http).toBe(200)
    core.pass(1)
    expect((await core.call('charge', chargeRequest())).http).toBe(422)
  })

  /** Gives consent to later charges with a magic value; returns the token. */
  const consent = async (core: SimulatorCore, request: object): Promise<string> => {
    const { body } = await core.call('initiate', request)
    if (body.status === 'PENDING') await core.decide(body.transactionId, 'approve')
    return (await core.call('finalize', actionRequest(body.transactionId))).body.payerDetails.paymentToken
  }

  test.each([
    ['code', async () => blikRequest('990505', { transactionType: 'RECURRING' })],
    ['code, TOKEN_ONLY', async () => blikRequest('990505', { transactionType: 'TOKEN_ONLY' })],
    [
      'amount',
      async (core: SimulatorCore) =>
        blikRequest(await core.code(), { transactionType: 'RECURRING', amount: 9_990_505 }),
    ],
  ] as const)('D-96: a step charge applies to the charges under the mandate: by %s', async (_, request) => {
    const core = await open()
    const paymentToken = await consent(core, await request(core))
    for (const payerDetails of [{ paymentToken }, chargeRequest().payerDetails])
      expect(told(await core.call('charge', { ...chargeRequest(), payerDetails }))).toEqual(['DECLINED', '1001'])
    await core.call('mockSet', passthroughMock('OK', { key: { type: 'PAYER_ID', value: PAYER } }))
    expect(told(await core.call('charge', chargeRequest()))).toEqual(['APPROVED', '-1'])
  })

  test('D-96: a magic amount of the charge precedes it, and a revoked mandate still forbids the charge', async () => {
    const core = await open()
    const paymentToken = await consent(core, blikRequest('990505', { transactionType: 'RECURRING' }))
    const { paymentDetails, ...rest } = chargeRequest()
    const ok = { ...rest, paymentDetails: { ...paymentDetails, amount: 9_990_000 } }
    expect(told(await core.call('charge', ok))).toEqual(['APPROVED', '-1'])
    await core.store.revokeMandate(SHOP, paymentToken, core.clock.now(SHOP))
    expect((await core.call('charge', { ...chargeRequest(), payerDetails: { paymentToken } })).http).toBe(422)
  })

  test('7.4.4: a fault of its step charge is triggered once under each key', async () => {
    const core = await open()
    await consent(core, blikRequest('991310', { transactionType: 'RECURRING' }))
    const statuses = []
    for (const key of ['a', 'a', 'b']) statuses.push((await core.call('charge', chargeRequest(), { key })).http)
    expect(statuses).toEqual([504, 200, 504])
  })

  test('a scenario without a step charge leaves them as they are', async () => {
    const core = await open()
    await consent(core, blikRequest('990601', { transactionType: 'RECURRING' }))
    const { body } = await core.call('charge', chargeRequest())
    core.pass(2_000)
    expect(told(await core.call('refund', actionRequest(body.transactionId)))).toEqual(['APPROVED', '-1'])
  })

  test('7.4.4: a fault of a later step is triggered once under each key', async () => {
    const core = await open()
    const id = await startBlik(core, { amount: 9_991_410, autoCapture: false })
    await core.decide(id, 'approve')
    await core.call('finalize', actionRequest(id))
    expect((await core.call('capture', actionRequest(id), { key: 'k' })).http).toBe(504)
    const again = await core.call('capture', actionRequest(id), { key: 'k' })
    expect([again.http, again.replayed]).toEqual([200, true])
  })
})
