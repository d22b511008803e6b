import { describe, expect, test } from 'vitest'
import { type Core, openCore } from '../support/core.ts'
import { act, authorizeBlik, irisRequest, paymentIn, startBlik, startIris, stateOf } from '../support/payments.ts'

const settledIris = async (core: Core) => {
  const id = await startIris(core)
  await core.decide(id, 'approve')
  await core.call('finalize', act(id))
  core.pass(2_000)
  return id
}

const codeOf = async (told: ReturnType<Core['call']>) => {
  const { http, body } = await told
  return [http, body.statusInfo.reasonCode]
}
const UNSUPPORTED = [501, '8003']
const FORBIDDEN_BY_RULE = [422, '5002']

describe('R5: captures', () => {
  test('parts add up until nothing is left, each with an id of its own (2.6)', async () => {
    const core = await openCore()
    const id = await authorizeBlik(core)
    const first = await core.call('capture', act(id, 400))
    expect(first.body).toMatchObject({ originalTransactionId: id, paymentDetails: { amount: 400 }, status: 'APPROVED' })
    expect(await stateOf(core, id)).toBe('PARTIALLY_CAPTURED')
    const second = await core.call('capture', act(id, 600))
    expect(second.body.transactionId).not.toBe(first.body.transactionId)
    expect(await stateOf(core, id)).toBe('CAPTURED')
    expect(await codeOf(core.call('capture', act(id, 1)))).toEqual(FORBIDDEN_BY_RULE)
    expect((await core.events(id)).body.paymentDetails).toMatchObject({ capturedAmount: 1000, refundedAmount: 0 })
  })

  test('without an amount all that is left is taken', async () => {
    const core = await openCore()
    const id = await authorizeBlik(core)
    await core.call('capture', act(id, 1))
    expect((await core.call('capture', act(id))).body.paymentDetails.amount).toBe(999)
  })

  test.each([
    [1001, 0],
    [601, 400],
  ])('%i is too much when %i was taken, and nothing changes', async (amount, taken) => {
    const core = await openCore()
    const id = await authorizeBlik(core)
    if (taken > 0) await core.call('capture', act(id, taken))
    const before = (await core.events(id)).text
    expect(await codeOf(core.call('capture', act(id, amount)))).toEqual(FORBIDDEN_BY_RULE)
    expect((await core.events(id)).text).toBe(before)
  })

  test('an id of a capture is none of a payment', async () => {
    const core = await openCore()
    const id = await authorizeBlik(core)
    const { transactionId } = (await core.call('capture', act(id))).body
    expect(await codeOf(core.status(transactionId))).toEqual([404, '4001'])
  })
})

describe('R1: refunds', () => {
  test('parts add up until nothing is left', async () => {
    const core = await openCore()
    const id = await paymentIn(core, 'SETTLED')
    const first = await core.call('refund', act(id, 300))
    expect(first.body).toMatchObject({ originalTransactionId: id, paymentDetails: { amount: 300 }, status: 'APPROVED' })
    expect(await codeOf(core.call('refund', act(id, 701)))).toEqual(FORBIDDEN_BY_RULE)
    expect((await core.call('refund', act(id))).body.paymentDetails.amount).toBe(700)
    expect(await stateOf(core, id)).toBe('REFUNDED')
    const { paymentDetails } = (await core.events(id)).body
    expect(paymentDetails.refunds.map((one: { paymentDetails: object }) => one.paymentDetails)).toEqual([
      { amount: 300, description: 'As agreed' },
      { amount: 700, description: 'As agreed' },
    ])
    expect(paymentDetails).toMatchObject({ capturedAmount: 1000, refundedAmount: 1000 })
  })

  test('captured is not yet settled', async () => {
    const core = await openCore()
    const id = await paymentIn(core, 'CAPTURED')
    core.pass(1_999)
    expect(await codeOf(core.call('refund', act(id)))).toEqual(FORBIDDEN_BY_RULE)
    core.pass(1)
    expect((await core.call('refund', act(id))).http).toBe(200)
  })

  test('R3: of a partly captured payment only what was taken is given back', async () => {
    const core = await openCore()
    const id = await paymentIn(core, 'PARTIALLY_CAPTURED')
    core.pass(7 * 86_400_000)
    expect(await codeOf(core.call('refund', act(id, 401)))).toEqual(FORBIDDEN_BY_RULE)
    expect((await core.call('refund', act(id))).body.paymentDetails.amount).toBe(400)
    expect(await stateOf(core, id)).toBe('REFUNDED')
  })
})

describe('R2: cancel', () => {
  test('an authorization of which nothing was taken is void, and the hold has nothing left to do', async () => {
    const core = await openCore()
    const id = await authorizeBlik(core)
    expect((await core.call('cancel', act(id))).body).toMatchObject({ status: 'CANCELED', transactionId: id })
    expect(await core.store.nextDue('shop')).toBeUndefined()
    core.pass(30 * 86_400_000)
    expect(await stateOf(core, id)).toBe('CANCELED')
  })
})

describe('7.3: what a method does not support is refused with 501/8003', () => {
  test.each(['RECURRING', 'TOKEN_ONLY'] as const)('IRIS %s, and nothing is created', async transactionType => {
    const core = await openCore()
    const refused = await core.call('initiate', { ...irisRequest(), transactionType })
    expect([refused.http, refused.body.statusInfo.reasonCode]).toEqual(UNSUPPORTED)
    expect(refused.body).not.toHaveProperty('transactionId')
  })

  test('IRIS with a later capture', async () => {
    const core = await openCore()
    const id = await startIris(core, { autoCapture: false })
    expect(id).toBeUndefined()
    expect(await startIris(core, { autoCapture: true })).toBeDefined()
    expect(await startBlik(core, { autoCapture: false })).toBeDefined()
  })

  test('IRIS takes one refund, in part or in full, and no second', async () => {
    const core = await openCore()
    const id = await settledIris(core)
    expect((await core.call('refund', act(id, 300))).http).toBe(200)
    expect(await codeOf(core.call('refund', act(id, 300)))).toEqual(UNSUPPORTED)
    expect(await codeOf(core.call('refund', act(id)))).toEqual(UNSUPPORTED)
    expect((await core.events(id)).body.paymentDetails.refundedAmount).toBe(300)
    const full = await settledIris(core)
    expect((await core.call('refund', act(full))).http).toBe(200)
    expect(await stateOf(core, full)).toBe('REFUNDED')
  })
})
