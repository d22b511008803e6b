import { describe, expect, test } from 'vitest'
import { PROVIDER_CODES } from '../../contracts/protocol/provider-codes.ts'
import { createPaymentIn, startIris } from '../support/create-test-payments.ts'
import { actionRequest, blikRequest, irisRequest } from '../support/payment-requests.ts'
import { openCore, type SimulatorCore } from '../support/simulator-core.ts'

const readyToInitiate = async (core: SimulatorCore, provider: string) =>
  provider === 'BLIK' ? blikRequest(await core.code()) : irisRequest()

const readyToRefund = async (core: SimulatorCore, provider: string): Promise<string> => {
  if (provider === 'BLIK') return createPaymentIn(core, 'SETTLED')
  const id = await startIris(core)
  await core.decide(id, 'approve')
  await core.call('finalize', actionRequest(id))
  core.pass(2_000)
  return id
}

describe('7.5: every provider code is mapped to its reasonCode', () => {
  test('there are 4 of BLIK and 10 of IRIS', () => {
    const count = (provider: string) => PROVIDER_CODES.filter(row => row.provider === provider).length
    expect([count('BLIK'), count('IRIS')]).toEqual([4, 10])
  })

  test.each(PROVIDER_CODES)('$provider $code → $reasonCode when a payment begins', async row => {
    const { provider, code, reasonCode, meaning } = row
    const core = await openCore()
    await core.arm({ operation: 'initiate', kind: 'decline', code })
    const { http, body } = await core.call('initiate', await readyToInitiate(core, provider))
    expect([http, body.status, body.statusInfo]).toEqual([200, 'DECLINED', { reasonCode, message: meaning }])
    expect(body.providerDetails.providerStatusInfo).toEqual({ reasonCode: code, message: meaning })
    expect((await core.status(body.transactionId)).body).toMatchObject({
      status: 'DECLINED',
      statusInfo: { reasonCode },
      lifecycle: { state: 'DECLINED', final: true },
    })
  })

  test.each(PROVIDER_CODES)(
    '$provider $code → $reasonCode when money is given back, and may be tried again',
    async row => {
      const { provider, code, reasonCode } = row
      const core = await openCore()
      const id = await readyToRefund(core, provider)
      const before = (await core.status(id)).text
      await core.arm({ operation: 'refund', kind: 'decline', code })
      const refused = await core.call('refund', actionRequest(id, 300))
      expect(refused.body).toMatchObject({
        originalTransactionId: id,
        paymentDetails: { amount: 300 },
        status: 'DECLINED',
        statusInfo: { reasonCode },
      })
      expect((await core.status(id)).text).toBe(before)
      expect((await core.call('refund', actionRequest(id))).body).toMatchObject({
        paymentDetails: { amount: 1000 },
        status: 'APPROVED',
      })
      const { paymentDetails } = (await core.events(id)).body
      expect(paymentDetails.refundedAmount).toBe(1000)
      expect(paymentDetails.refunds).toMatchObject([
        { transactionId: refused.body.transactionId, status: 'DECLINED', statusInfo: { reasonCode } },
        { status: 'APPROVED', paymentDetails: { amount: 1000 } },
      ])
    },
  )
})

describe('R5: a declined capture has no effect', () => {
  test('sums, settlement and hold are as without it', async () => {
    const core = await openCore()
    const id = await createPaymentIn(core, 'AUTHORIZED')
    await core.arm({ operation: 'capture', kind: 'decline', code: '3003' })
    await core.call('capture', actionRequest(id, 400))
    expect((await core.events(id)).body.paymentDetails).toMatchObject({
      capturedAmount: 0,
      captures: [{ status: 'DECLINED', paymentDetails: { amount: 400 } }],
    })
    core.pass(2_000)
    expect((await core.call('capture', actionRequest(id))).body.paymentDetails.amount).toBe(1000)
    await core.control.drain('shop')
    expect((await core.status(id)).body.lifecycle.state).toBe('SETTLED')
  })

  test('R2: a declined cancel leaves the authorization capturable', async () => {
    const core = await openCore()
    const id = await createPaymentIn(core, 'AUTHORIZED')
    await core.arm({ operation: 'cancel', kind: 'decline', code: '3003' })
    expect((await core.call('cancel', actionRequest(id))).body).toMatchObject({
      transactionId: id,
      status: 'DECLINED',
      statusInfo: { reasonCode: '2000' },
    })
    expect((await core.call('capture', actionRequest(id))).body.status).toBe('APPROVED')
  })
})
