import { describe, expect, test } from 'vitest'
import { nextDue } from '../store/run-unit-of-work.ts'
import { authorizeBlik, createPaymentIn, startBlik, startIris, stateOf } from '../support/create-test-payments.ts'
import { actionRequest, irisRequest } from '../support/payment-requests.ts'
import { openCore, type SimulatorCore } from '../support/simulator-core.ts'

const settledIris = async (core: SimulatorCore) => {
  const id = await startIris(core)
  await core.decide(id, 'approve')
  await core.call('finalize', actionRequest(id))
  core.pass(2_000)
  return id
}

const codeOf = async (told: ReturnType<SimulatorCore['call']>) => {
  const { http, body } = await told
  return [http, body.statusInfo.reasonCode]
}
const UNSUPPORTED = [501, '8003']
const FORBIDDEN_BY_RULE = [422, '5002']

describe('R5: captures', () => {
  test('partial captures add up to the amount, each with its own id (2.6)', async () => {
    const core = await openCore()
    const id = await authorizeBlik(core)
    const first = await core.call('capture', actionRequest(id, 400))
    expect(first.body).toMatchObject({ originalTransactionId: id, paymentDetails: { amount: 400 }, status: 'APPROVED' })
    expect(await stateOf(core, id)).toBe('PARTIALLY_CAPTURED')
    const second = await core.call('capture', actionRequest(id, 600))
    expect(second.body.transactionId).not.toBe(first.body.transactionId)
    expect(await stateOf(core, id)).toBe('CAPTURED')
    expect(await codeOf(core.call('capture', actionRequest(id, 1)))).toEqual(FORBIDDEN_BY_RULE)
    expect((await core.events(id)).body.paymentDetails).toMatchObject({ capturedAmount: 1000, refundedAmount: 0 })
  })

  test('without an amount the whole rest is captured', async () => {
    const core = await openCore()
    const id = await authorizeBlik(core)
    await core.call('capture', actionRequest(id, 1))
    expect((await core.call('capture', actionRequest(id))).body.paymentDetails.amount).toBe(999)
  })

  test.each([
    [1001, 0],
    [601, 400],
  ])('%i after %i captured exceeds the amount: refused, and nothing changes', async (amount, taken) => {
    const core = await openCore()
    const id = await authorizeBlik(core)
    if (taken > 0) await core.call('capture', actionRequest(id, taken))
    const before = (await core.events(id)).text
    expect(await codeOf(core.call('capture', actionRequest(id, amount)))).toEqual(FORBIDDEN_BY_RULE)
    expect((await core.events(id)).text).toBe(before)
  })

  test('the id of a capture is not the id of a payment', async () => {
    const core = await openCore()
    const id = await authorizeBlik(core)
    const { transactionId } = (await core.call('capture', actionRequest(id))).body
    expect(await codeOf(core.status(transactionId))).toEqual([404, '4001'])
  })
})

describe('R1: refunds', () => {
  test('partial refunds add up to the settled amount', async () => {
    const core = await openCore()
    const id = await createPaymentIn(core, 'SETTLED')
    const first = await core.call('refund', actionRequest(id, 300))
    expect(first.body).toMatchObject({ originalTransactionId: id, paymentDetails: { amount: 300 }, status: 'APPROVED' })
    expect(await codeOf(core.call('refund', actionRequest(id, 701)))).toEqual(FORBIDDEN_BY_RULE)
    expect((await core.call('refund', actionRequest(id))).body.paymentDetails.amount).toBe(700)
    expect(await stateOf(core, id)).toBe('REFUNDED')
    const { paymentDetails } = (await core.events(id)).body
    expect(paymentDetails.refunds.map((one: { paymentDetails: object }) => one.paymentDetails)).toEqual([
      { amount: 300, description: 'As agreed' },
      { amount: 700, description: 'As agreed' },
    ])
    expect(paymentDetails).toMatchObject({ capturedAmount: 1000, refundedAmount: 1000 })
  })

  test('a captured payment cannot be refunded before it settles', async () => {
    const core = await openCore()
    const id = await createPaymentIn(core, 'CAPTURED')
    core.pass(1_999)
    expect(await codeOf(core.call('refund', actionRequest(id)))).toEqual(FORBIDDEN_BY_RULE)
    core.pass(1)
    expect((await core.call('refund', actionRequest(id))).http).toBe(200)
  })

  test('R3: a partly captured payment can be refunded up to the captured amount', async () => {
    const core = await openCore()
    const id = await createPaymentIn(core, 'PARTIALLY_CAPTURED')
    core.pass(7 * 86_400_000)
    expect(await codeOf(core.call('refund', actionRequest(id, 401)))).toEqual(FORBIDDEN_BY_RULE)
    expect((await core.call('refund', actionRequest(id))).body.paymentDetails.amount).toBe(400)
    expect(await stateOf(core, id)).toBe('REFUNDED')
    const again = await core.call('refund', actionRequest(id))
    expect(again.body.statusInfo.message).not.toContain('accepted refunds') // none is under way
  })
})

describe('R2: cancel', () => {
  test('an authorization without captures is canceled and its hold job removed', async () => {
    const core = await openCore()
    const id = await authorizeBlik(core)
    expect((await core.call('cancel', actionRequest(id))).body).toMatchObject({ status: 'CANCELED', transactionId: id })
    expect(await nextDue(core.store, 'shop')).toBeUndefined()
    core.pass(30 * 86_400_000)
    expect(await stateOf(core, id)).toBe('CANCELED')
  })
})

describe('7.3: operations that a method does not support are refused with 501/8003', () => {
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

  test('a second refund of an IRIS payment, after a partial or a full one', async () => {
    const core = await openCore()
    const id = await settledIris(core)
    expect((await core.call('refund', actionRequest(id, 300))).http).toBe(200)
    expect(await codeOf(core.call('refund', actionRequest(id, 300)))).toEqual(UNSUPPORTED)
    expect(await codeOf(core.call('refund', actionRequest(id)))).toEqual(UNSUPPORTED)
    expect((await core.events(id)).body.paymentDetails.refundedAmount).toBe(300)
    const full = await settledIris(core)
    expect((await core.call('refund', actionRequest(full))).http).toBe(200)
    expect(await stateOf(core, full)).toBe('REFUNDED')
  })
})
