import { describe, expect, test } from 'vitest'
import { PROVIDERS } from '../../contracts/protocol/providers-and-capabilities.ts'
import { DAY } from '../../simulator/support/duration.ts'
import { LIFETIMES } from '../../simulator/support/lifetimes.ts'
import { startBlik, stateOf } from '../support/create-test-payments.ts'
import { actionRequest, blikRequest, chargeRequest, PAYER } from '../support/payment-requests.ts'
import { openCore, SHOP, type SimulatorCore, START } from '../support/simulator-core.ts'

const KEPT = ['RECURRING', 'TOKEN_ONLY'] as const

/** Finalizes an approved RECURRING or TOKEN_ONLY payment; returns the response. */
const kept = async (core: SimulatorCore, transactionType: (typeof KEPT)[number], more: object = {}) => {
  const id = await startBlik(core, { transactionType, ...more })
  await core.decide(id, 'approve')
  return (await core.call('finalize', actionRequest(id))).body
}

const mandates = (core: SimulatorCore) => core.store.mandates(SHOP, 9)

describe('1, D-62: mandates created by finalize', () => {
  test('RECURRING captures as autoCapture says, and creates a mandate', async () => {
    const core = await openCore()
    const { transactionId, payerDetails, status } = await kept(core, 'RECURRING')
    expect([status, await stateOf(core, transactionId)]).toEqual(['APPROVED', 'CAPTURED'])
    expect(payerDetails).toEqual({
      payerId: PAYER,
      paymentToken: expect.stringMatching(/^[\w-]{66}\.[\w-]{308}\.[\w-]{88}$/),
    })
    expect(await mandates(core)).toEqual([
      {
        paymentToken: payerDetails.paymentToken,
        organizationId: SHOP,
        processingAccountId: 'shop-account-1',
        payerId: PAYER,
        providerId: 'BLIK',
        createdAt: START,
        expiresAt: START + 365 * DAY,
      },
    ])
  })

  test('RECURRING without autoCapture is only authorized; its cancel returns the token and keeps the mandate', async () => {
    const core = await openCore()
    const { transactionId, payerDetails } = await kept(core, 'RECURRING', { autoCapture: false })
    expect(await stateOf(core, transactionId)).toBe('AUTHORIZED')
    expect((await core.call('cancel', actionRequest(transactionId))).body.payerDetails).toEqual(payerDetails)
    expect((await core.call('charge', chargeRequest(payerDetails))).http).toBe(200)
  })

  test('TOKEN_ONLY creates a mandate and moves no money', async () => {
    const core = await openCore()
    const request = blikRequest(await core.code(), { transactionType: 'TOKEN_ONLY' })
    const { amount: _, ...paymentDetails } = request.paymentDetails
    const { transactionId } = (await core.call('initiate', { ...request, paymentDetails })).body
    await core.decide(transactionId, 'approve')
    const { body } = await core.call('finalize', actionRequest(transactionId))
    expect(body).toMatchObject({ status: 'APPROVED', statusInfo: { reasonCode: '-1' } })
    expect(body.paymentDetails).toEqual({ ...paymentDetails, autoCapture: true })
    core.pass(30 * DAY)
    expect(await core.jobs.runDue(SHOP)).toBe(0)
    const events = (await core.events(transactionId)).body
    expect(events.lifecycle).toEqual({ state: 'TOKENIZED', stage: 'success', final: true })
    expect(events.paymentDetails).toMatchObject({ capturedAmount: 0, refundedAmount: 0, captures: [] })
    expect(events.paymentDetails).not.toHaveProperty('amount')
    expect(events.payerDetails).toEqual(body.payerDetails)
    expect(events.timeline.map(({ type }: { type: string }) => type)).toEqual([
      'payment.initiated',
      'payment.authenticated',
      'payment.tokenized',
    ])
  })

  test('an amount sent with TOKEN_ONLY is returned and never captured', async () => {
    const core = await openCore()
    const { transactionId, paymentDetails } = await kept(core, 'TOKEN_ONLY', { amount: 500 })
    expect(paymentDetails.amount).toBe(500)
    for (const call of ['capture', 'cancel', 'refund', 'finalize'])
      expect([call, (await core.call(call, actionRequest(transactionId))).http]).toEqual([call, 422])
  })

  test.each(['on', 'off'])('the token is returned with the lifecycle %s', async lifecycle => {
    const core = await openCore({ showLifecycle: lifecycle === 'on' })
    const { transactionId, payerDetails } = await kept(core, 'TOKEN_ONLY')
    const { body } = await core.events(transactionId)
    expect(body.payerDetails).toEqual(payerDetails)
    expect('lifecycle' in body).toBe(lifecycle === 'on')
    expect((await core.status(transactionId)).body).toMatchObject({ status: 'APPROVED' })
  })

  test.each(KEPT)('%s creates no mandate when the shopper declines or does not decide', async transactionType => {
    const core = await openCore()
    const [declined, late] = [await startBlik(core, { transactionType }), await startBlik(core, { transactionType })]
    await core.decide(declined, 'decline')
    core.pass(PROVIDERS.BLIK.window.longest)
    for (const id of [declined, late]) expect((await core.call('finalize', actionRequest(id))).http).toBe(422)
    expect(await mandates(core)).toEqual([])
  })

  test('I3: a replayed finalize creates one mandate, ONE_TIME with a payerId none', async () => {
    const core = await openCore()
    const id = await startBlik(core, { transactionType: 'RECURRING' })
    await core.decide(id, 'approve')
    const first = await core.call('finalize', actionRequest(id), { key: 'k' })
    expect(await core.call('finalize', actionRequest(id), { key: 'k' })).toEqual({ ...first, replayed: true })
    const request = blikRequest(await core.code())
    const payerDetails = { ...request.payerDetails, payerId: PAYER }
    const once = (await core.call('initiate', { ...request, payerDetails })).body.transactionId
    await core.decide(once, 'approve')
    expect((await core.call('finalize', actionRequest(once))).body.payerDetails).toEqual({ payerId: PAYER })
    expect(await mandates(core)).toHaveLength(1)
  })
})

describe('7.5 code 3004: a bank without recurring payments', () => {
  const codeOfSuchABank = async (core: SimulatorCore) =>
    (await core.shopper.createCode(SHOP, { recurring: false })).code

  test.each(KEPT)('%s is declined with 8003, and the code still pays once', async transactionType => {
    const core = await openCore()
    const code = await codeOfSuchABank(core)
    const { http, body } = await core.call('initiate', blikRequest(code, { transactionType }))
    expect([http, body.status, body.statusInfo.reasonCode]).toEqual([200, 'DECLINED', '8003'])
    expect(body.providerDetails.providerStatusInfo.reasonCode).toBe('3004')
    expect(await stateOf(core, body.transactionId)).toBe('DECLINED')
    expect((await core.call('initiate', blikRequest(code))).body.status).toBe('PENDING')
  })

  test('its expired code is declined with 3001', async () => {
    const core = await openCore()
    const code = await codeOfSuchABank(core)
    core.pass(LIFETIMES.blikCode)
    const { body } = await core.call('initiate', blikRequest(code, { transactionType: 'RECURRING' }))
    expect(body.providerDetails.providerStatusInfo.reasonCode).toBe('3001')
  })
})
