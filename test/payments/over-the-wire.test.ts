import { describe, expect, test } from 'vitest'
import type { Merchant } from '../../contracts/client/merchant.ts'
import { blikRequest } from '../support/payments.ts'
import { accountOf, irisOf, merchantOf, type Running, runningSimulator } from '../support/running.ts'

/** What the shopper and the clock do, by the REST twins of the pages. */
const control = async ({ pagesUrl, kit }: Running, path: string, body: object = {}) => {
  const address = `${pagesUrl}/control/organizations/${kit.organizationId}/${path}`
  const answer = await fetch(address, { method: 'POST', body: JSON.stringify(body) })
  return { status: answer.status, told: (await answer.json()) as Record<string, string> }
}

const act = (merchant: Merchant, transactionId: string) => ({
  processingAccountId: accountOf(merchant),
  clientTransactionId: 'act-1',
  transactionId,
})
const refundOf = (merchant: Merchant, transactionId: string, amount?: number) => ({
  ...act(merchant, transactionId),
  paymentDetails: { description: 'The jars broke', ...(amount === undefined ? {} : { amount }) },
})

const bodyOf = <Body>(answer: { ok: true; body: Body } | { ok: false; refusal: unknown }): Body => {
  if (answer.ok) return answer.body
  throw new Error(JSON.stringify(answer.refusal))
}
const refusalOf = (answer: Awaited<ReturnType<Merchant['refund']>>) => [
  answer.status,
  answer.ok ? undefined : answer.refusal?.statusInfo?.reasonCode,
]

const startBlik = async (simulator: Running, merchant: Merchant, autoCapture?: boolean) => {
  const { told } = await control(simulator, 'blik/codes')
  const request = blikRequest(told.code ?? '', autoCapture === undefined ? {} : { autoCapture })
  return bodyOf(await merchant.initiate({ ...request, processingAccountId: accountOf(merchant) })).transactionId
}
const stateOf = async (merchant: Merchant, id: string) => bodyOf(await merchant.status(id)).lifecycle?.state
const decide = (simulator: Running, id: string, action: string) =>
  control(simulator, `payments/${id}/shopper`, { action })

describe('a whole payment over mutual TLS, each answer verified', () => {
  test('R1, R4, E5: BLIK, approved on the phone, captured with finalize, settled, refunded', async () => {
    const simulator = await runningSimulator()
    const merchant = merchantOf(simulator)
    const id = await startBlik(simulator, merchant)
    expect((await decide(simulator, id, 'approve')).told).toEqual({ transactionId: id, outcome: 'approved' })
    expect(await stateOf(merchant, id)).toBe('AUTHENTICATED')
    const finalized = bodyOf(await merchant.finalize({ processingAccountId: accountOf(merchant), transactionId: id }))
    expect(finalized.status).toBe('APPROVED')
    expect(refusalOf(await merchant.refund(refundOf(merchant, id)))).toEqual([422, '5002'])
    await control(simulator, 'clock', { advance: 'PT2S' })
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

  test('R2, R5: BLIK, authorized only, captured in part; a cancel then comes too late', async () => {
    const simulator = await runningSimulator()
    const merchant = merchantOf(simulator)
    const id = await startBlik(simulator, merchant, false)
    await decide(simulator, id, 'approve')
    bodyOf(await merchant.finalize({ processingAccountId: accountOf(merchant), transactionId: id }))
    bodyOf(await merchant.capture({ ...act(merchant, id), paymentDetails: { amount: 400 } }))
    expect((await merchant.cancel(act(merchant, id))).status).toBe(422)
    bodyOf(await merchant.capture(act(merchant, id)))
    expect((await merchant.capture(act(merchant, id))).status).toBe(422)
    await control(simulator, 'clock/drain')
    expect(await stateOf(merchant, id)).toBe('SETTLED')
  })

  test('R7, E4: IRIS, approved at the bank; the second refund is one too many', async () => {
    const simulator = await runningSimulator()
    const merchant = merchantOf(simulator)
    const started = bodyOf(await merchant.initiate(irisOf(merchant)))
    const id = started.transactionId
    expect((await fetch(started.providerDetails.redirectUrl ?? '')).status).toBe(200)
    await decide(simulator, id, 'approve')
    bodyOf(await merchant.finalize({ processingAccountId: accountOf(merchant), transactionId: id }))
    await control(simulator, 'clock/drain')
    bodyOf(await merchant.refund(refundOf(merchant, id, 100)))
    expect(refusalOf(await merchant.refund(refundOf(merchant, id, 100)))).toEqual([501, '8003'])
  })

  test('7.5: a shopper who declines is a 200 with DECLINED and 2001; deciding twice is a conflict', async () => {
    const simulator = await runningSimulator()
    const merchant = merchantOf(simulator)
    const id = await startBlik(simulator, merchant)
    await decide(simulator, id, 'decline')
    expect(bodyOf(await merchant.status(id))).toMatchObject({ status: 'DECLINED', statusInfo: { reasonCode: '2001' } })
    expect((await decide(simulator, id, 'approve')).status).toBe(409)
    expect(await stateOf(merchant, id)).toBe('DECLINED')
  })

  test('R6: 45 s of silence end it, and one and the same code pays once', async () => {
    const simulator = await runningSimulator()
    const merchant = merchantOf(simulator)
    const { told } = await control(simulator, 'blik/codes')
    const request = { ...blikRequest(told.code ?? ''), processingAccountId: accountOf(merchant) }
    const id = bodyOf(await merchant.initiate(request)).transactionId
    const second = bodyOf(await merchant.initiate(request))
    expect(second).toMatchObject({ status: 'DECLINED', statusInfo: { reasonCode: '4000' } })
    await control(simulator, 'clock', { advance: 'PT45S' })
    expect(bodyOf(await merchant.status(id))).toMatchObject({ status: 'DECLINED', statusInfo: { reasonCode: '2000' } })
  })
})
