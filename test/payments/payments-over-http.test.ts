import { describe, expect, test } from 'vitest'
import type { Merchant } from '../../contracts/client/merchant-client.ts'
import { bodyOf, refusalOf } from '../support/body-or-refusal.ts'
import { organizationControl } from '../support/control-client.ts'
import { blikRequest } from '../support/payment-requests.ts'
import {
  firstAccountOf,
  irisRequestOf,
  merchantOf,
  type ScopedSimulator,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

const act = (merchant: Merchant, transactionId: string) => ({
  processingAccountId: firstAccountOf(merchant),
  clientTransactionId: 'act-1',
  transactionId,
})
const refundOf = (merchant: Merchant, transactionId: string, amount?: number) => ({
  ...act(merchant, transactionId),
  paymentDetails: { description: 'The jars broke', ...(amount === undefined ? {} : { amount }) },
})

const startBlik = async (simulator: ScopedSimulator, merchant: Merchant, autoCapture?: boolean) => {
  const { body } = await organizationControl(simulator).post('blik/codes')
  const request = blikRequest(body.code ?? '', autoCapture === undefined ? {} : { autoCapture })
  return bodyOf(await merchant.initiate({ ...request, processingAccountId: firstAccountOf(merchant) })).transactionId
}
const stateOf = async (merchant: Merchant, id: string) => bodyOf(await merchant.status(id)).lifecycle?.state
const decide = (simulator: ScopedSimulator, id: string, action: string) =>
  organizationControl(simulator).post(`payments/${id}/shopper`, { action })

describe('a whole payment over mutual TLS with verified responses', () => {
  test('R1, R4, E5: BLIK, approved on the phone, captured with finalize, settled, refunded', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    const id = await startBlik(simulator, merchant)
    expect((await decide(simulator, id, 'approve')).body).toEqual({ transactionId: id, outcome: 'approved' })
    expect(await stateOf(merchant, id)).toBe('AUTHENTICATED')
    const finalized = bodyOf(
      await merchant.finalize({ processingAccountId: firstAccountOf(merchant), transactionId: id }),
    )
    expect(finalized.status).toBe('APPROVED')
    expect(refusalOf(await merchant.refund(refundOf(merchant, id)))).toEqual([422, '5002'])
    await organizationControl(simulator).advance('PT2S')
    expect(await stateOf(merchant, id)).toBe('SETTLED')
    const refunded = bodyOf(await merchant.refund(refundOf(merchant, id, 300)))
    expect(refunded).toMatchObject({ originalTransactionId: id, paymentDetails: { amount: 300 }, status: 'APPROVED' })
    const { paymentDetails, timeline } = bodyOf(await merchant.events(id))
    expect(paymentDetails).toMatchObject({ amount: 1000, capturedAmount: 1000, refundedAmount: 300 })
    expect(timeline?.map(({ type }) => type)).toEqual([
      'payment.initiated',
      'payment.authenticated',
      'payment.authorized',
      'payment.captured',
      'payment.settled',
      'payment.refunded',
    ])
  })

  test('R2, R5: BLIK, authorized only, captured in part; a later cancel is refused', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    const id = await startBlik(simulator, merchant, false)
    await decide(simulator, id, 'approve')
    bodyOf(await merchant.finalize({ processingAccountId: firstAccountOf(merchant), transactionId: id }))
    bodyOf(await merchant.capture({ ...act(merchant, id), paymentDetails: { amount: 400 } }))
    expect((await merchant.cancel(act(merchant, id))).status).toBe(422)
    bodyOf(await merchant.capture({ ...act(merchant, id), paymentDetails: {} }))
    expect((await merchant.capture({ ...act(merchant, id), paymentDetails: {} })).status).toBe(422)
    await organizationControl(simulator).post('clock/drain')
    expect(await stateOf(merchant, id)).toBe('SETTLED')
  })

  test('R7, E4: IRIS, approved at the bank; a second refund is refused with 501', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    const started = bodyOf(await merchant.initiate(irisRequestOf(merchant)))
    const id = started.transactionId
    expect((await fetch(started.providerDetails.redirectUrl ?? '')).status).toBe(200)
    await decide(simulator, id, 'approve')
    bodyOf(await merchant.finalize({ processingAccountId: firstAccountOf(merchant), transactionId: id }))
    await organizationControl(simulator).post('clock/drain')
    bodyOf(await merchant.refund(refundOf(merchant, id, 100)))
    expect(refusalOf(await merchant.refund(refundOf(merchant, id, 100)))).toEqual([501, '8003'])
  })

  test('7.5: declined by the shopper it is 200 with DECLINED and 2001; a second decision is 409', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    const id = await startBlik(simulator, merchant)
    await decide(simulator, id, 'decline')
    expect(bodyOf(await merchant.status(id))).toMatchObject({ status: 'DECLINED', statusInfo: { reasonCode: '2001' } })
    expect((await decide(simulator, id, 'approve')).status).toBe(409)
    expect(await stateOf(merchant, id)).toBe('DECLINED')
  })

  test('R6: it expires after 45 s without a decision, and a BLIK code pays once', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    const { body } = await organizationControl(simulator).post('blik/codes')
    const request = { ...blikRequest(body.code ?? ''), processingAccountId: firstAccountOf(merchant) }
    const id = bodyOf(await merchant.initiate(request)).transactionId
    const second = bodyOf(await merchant.initiate(request))
    expect(second).toMatchObject({ status: 'DECLINED', statusInfo: { reasonCode: '4000' } })
    await organizationControl(simulator).advance('PT45S')
    expect(bodyOf(await merchant.status(id))).toMatchObject({ status: 'DECLINED', statusInfo: { reasonCode: '2000' } })
  })
})
