import { describe, expect, test } from 'vitest'
import { DAY } from '../../simulator/duration.ts'
import { LIFETIMES } from '../../simulator/payments/deadlines.ts'
import { type Core, openCore, SHOP, START } from '../support/core.ts'
import { act, blikRequest, chargeRequest, PAYER, startBlik, stateOf } from '../support/payments.ts'

const KEPT = ['RECURRING', 'TOKEN_ONLY'] as const

/** A payment whose shopper has consented to be kept, finalized; tells its answer. */
const kept = async (core: Core, transactionType: (typeof KEPT)[number], more: object = {}) => {
  const id = await startBlik(core, { transactionType, ...more })
  await core.decide(id, 'approve')
  return (await core.call('finalize', act(id))).body
}

const mandates = (core: Core) => core.store.mandates(SHOP, 9)

describe('1, D-62: what finalize leaves behind', () => {
  test('RECURRING pays as autoCapture says, and makes a token', async () => {
    const core = await openCore()
    const { transactionId, payerDetails, status } = await kept(core, 'RECURRING')
    expect([status, await stateOf(core, transactionId)]).toEqual(['APPROVED', 'CAPTURED'])
    expect(payerDetails).toEqual({ payerId: PAYER, paymentToken: expect.stringMatching(/^[\w-]{22}$/) })
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

  test('RECURRING without autoCapture is authorized only; its cancel tells the token and leaves the mandate', async () => {
    const core = await openCore()
    const { transactionId, payerDetails } = await kept(core, 'RECURRING', { autoCapture: false })
    expect(await stateOf(core, transactionId)).toBe('AUTHORIZED')
    expect((await core.call('cancel', act(transactionId))).body.payerDetails).toEqual(payerDetails)
    expect((await core.call('charge', chargeRequest(payerDetails))).http).toBe(200)
  })

  test('TOKEN_ONLY makes a token and nothing else, for ever', async () => {
    const core = await openCore()
    const request = blikRequest(await core.code(), { transactionType: 'TOKEN_ONLY' })
    const { amount: _, ...paymentDetails } = request.paymentDetails
    const { transactionId } = (await core.call('initiate', { ...request, paymentDetails })).body
    await core.decide(transactionId, 'approve')
    const { body } = await core.call('finalize', act(transactionId))
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

  test('an amount sent with TOKEN_ONLY is told and never taken', async () => {
    const core = await openCore()
    const { transactionId, paymentDetails } = await kept(core, 'TOKEN_ONLY', { amount: 500 })
    expect(paymentDetails.amount).toBe(500)
    for (const call of ['capture', 'cancel', 'refund', 'finalize'])
      expect([call, (await core.call(call, act(transactionId))).http]).toEqual([call, 422])
  })

  test.each(['on', 'off'])('the token is told with the lifecycle %s', async lifecycle => {
    const core = await openCore({ showLifecycle: lifecycle === 'on' })
    const { transactionId, payerDetails } = await kept(core, 'TOKEN_ONLY')
    const { body } = await core.events(transactionId)
    expect(body.payerDetails).toEqual(payerDetails)
    expect('lifecycle' in body).toBe(lifecycle === 'on')
    expect((await core.status(transactionId)).body).toMatchObject({ status: 'APPROVED' })
  })

  test.each(KEPT)('%s that the shopper declines, or lets pass, leaves nothing', async transactionType => {
    const core = await openCore()
    const [declined, late] = [await startBlik(core, { transactionType }), await startBlik(core, { transactionType })]
    await core.decide(declined, 'decline')
    core.pass(LIFETIMES.blikWindow)
    for (const id of [declined, late]) expect((await core.call('finalize', act(id))).http).toBe(422)
    expect(await mandates(core)).toEqual([])
  })

  test('I3: finalize replayed makes one mandate, and ONE_TIME with a payerId none', async () => {
    const core = await openCore()
    const id = await startBlik(core, { transactionType: 'RECURRING' })
    await core.decide(id, 'approve')
    const first = await core.call('finalize', act(id), { key: 'k' })
    expect(await core.call('finalize', act(id), { key: 'k' })).toEqual({ ...first, replayed: true })
    const request = blikRequest(await core.code())
    const payerDetails = { ...request.payerDetails, payerId: PAYER }
    const once = (await core.call('initiate', { ...request, payerDetails })).body.transactionId
    await core.decide(once, 'approve')
    expect((await core.call('finalize', act(once))).body.payerDetails).toEqual({ payerId: PAYER })
    expect(await mandates(core)).toHaveLength(1)
  })
})

describe('7.5 code 3004: a bank without recurring payments', () => {
  const codeOfSuchABank = async (core: Core) => (await core.shopper.createCode(SHOP, { recurring: false })).code

  test.each(KEPT)('%s is declined with 8003, and the code still pays once', async transactionType => {
    const core = await openCore()
    const code = await codeOfSuchABank(core)
    const { http, body } = await core.call('initiate', blikRequest(code, { transactionType }))
    expect([http, body.status, body.statusInfo.reasonCode]).toEqual([200, 'DECLINED', '8003'])
    expect(body.providerDetails.providerStatusInfo.reasonCode).toBe('3004')
    expect(await stateOf(core, body.transactionId)).toBe('DECLINED')
    expect((await core.call('initiate', blikRequest(code))).body.status).toBe('PENDING')
  })

  test('a used or expired code of it is told as such', async () => {
    const core = await openCore()
    const code = await codeOfSuchABank(core)
    core.pass(LIFETIMES.blikCode)
    const { body } = await core.call('initiate', blikRequest(code, { transactionType: 'RECURRING' }))
    expect(body.providerDetails.providerStatusInfo.reasonCode).toBe('3001')
  })
})
