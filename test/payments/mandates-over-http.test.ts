import { describe, expect, test } from 'vitest'
import type { Merchant, Shapes } from '../../contracts/client/merchant-client.ts'
import { bodyOf, refusalOf } from '../support/body-or-refusal.ts'
import { organizationControl } from '../support/control-client.ts'
import { blikRequest, chargeRequest, PAYER } from '../support/payment-requests.ts'
import {
  createSecondMerchant,
  firstAccountOf,
  merchantOf,
  type ScopedSimulator,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

type Body = Record<string, unknown>

const started = async (simulator: ScopedSimulator, merchant: Merchant, code: object = {}) => {
  const { body } = await organizationControl(simulator).post('blik/codes', code)
  const request = blikRequest(String(body.code), { transactionType: 'RECURRING' })
  return bodyOf(await merchant.initiate({ ...request, processingAccountId: firstAccountOf(merchant) }))
}

/** Creates a mandate by a recurring payment; returns its payment token. */
const mandate = async (simulator: ScopedSimulator, merchant: Merchant): Promise<string> => {
  const { transactionId } = await started(simulator, merchant)
  await organizationControl(simulator).post(`payments/${transactionId}/shopper`, { action: 'approve' })
  const { payerDetails } = bodyOf(
    await merchant.finalize({ processingAccountId: firstAccountOf(merchant), transactionId }),
  )
  return payerDetails.paymentToken ?? ''
}

const chargeOf = (merchant: Merchant, payerDetails: object) =>
  ({ ...chargeRequest(payerDetails), processingAccountId: firstAccountOf(merchant) }) as Shapes['ChargeRequest']

describe('3 sequence 2: charges over mutual TLS', () => {
  test('E4, R1, R4: a mandate is charged by payer and by token; charges settle, are refunded; revoked it is refused', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    const paymentToken = await mandate(simulator, merchant)
    const first = bodyOf(await merchant.charge(chargeOf(merchant, { payerId: PAYER })))
    const second = bodyOf(await merchant.charge(chargeOf(merchant, { paymentToken })))
    expect([first.status, second.status]).toEqual(['APPROVED', 'APPROVED'])
    expect(first.transactionId).not.toBe(second.transactionId)
    await organizationControl(simulator).advance('PT2S')
    expect(bodyOf(await merchant.status(second.transactionId)).lifecycle?.state).toBe('SETTLED')
    const refund = {
      clientTransactionId: 'r',
      transactionId: second.transactionId,
      paymentDetails: { description: 'x' },
    }
    bodyOf(await merchant.refund({ ...refund, processingAccountId: firstAccountOf(merchant) }))
    const revoked = await organizationControl(simulator).post(`mandates/${paymentToken}/revoke`)
    expect(revoked).toMatchObject({ status: 200, body: { standing: 'revoked', revokedAt: expect.any(String) } })
    expect(refusalOf(await merchant.charge(chargeOf(merchant, { paymentToken })))).toEqual([422, '5010'])
    expect(refusalOf(await merchant.charge(chargeOf(merchant, { payerId: PAYER })))).toEqual([422, '5010'])
  })

  test('2.3: a charge without payer and token is refused with the missing fields', async () => {
    const merchant = merchantOf(await startScopedSimulator())
    const answer = await merchant.charge(chargeOf(merchant, {}))
    expect(refusalOf(answer)).toEqual([400, '4000'])
    expect(answer.ok ? {} : answer.refusal?.fields).toEqual({
      'payerDetails.payerId': 'is missing: one of these is needed',
      'payerDetails.paymentToken': 'is missing: one of these is needed',
    })
  })

  test('7.1: a token of another organization is refused like an unknown one, and the journal shows no token', async () => {
    const simulator = await startScopedSimulator()
    const [merchant, other] = [merchantOf(simulator), await createSecondMerchant(simulator)]
    const paymentToken = await mandate(simulator, merchant)
    const messages = []
    for (const token of [paymentToken, 'A'.repeat(22)]) {
      const answer = await other.charge(chargeOf(other, { paymentToken: token }))
      expect(refusalOf(answer)).toEqual([422, '5010'])
      messages.push(answer.ok ? '' : answer.refusal?.statusInfo?.message)
    }
    expect(messages[0]).toBe(messages[1])
    for (const { organizationId } of [simulator.kit, other.credentials]) {
      const calls = JSON.stringify(simulator.controlPlane.journal.latest(organizationId, 99))
      expect(calls).toContain('paymentToken')
      expect(calls).not.toContain(paymentToken)
    }
  })

  test('7.5: a bank without recurring payments declines with 3004, mapped to 8003', async () => {
    const simulator = await startScopedSimulator()
    const answer = await started(simulator, merchantOf(simulator), { recurring: 'no' })
    expect(answer).toMatchObject({
      status: 'DECLINED',
      statusInfo: { reasonCode: '8003' },
      providerDetails: { providerStatusInfo: { reasonCode: '3004' } },
    })
  })
})

describe('mandates over control', () => {
  test('are listed newest first, each with its standing by the organization’s clock', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    const [older, newer] = [await mandate(simulator, merchant), await mandate(simulator, merchant)]
    await organizationControl(simulator).post(`mandates/${newer}/revoke`)
    const list = async (path = 'mandates') => (await organizationControl(simulator).get(path)).body.mandates as Body[]
    const standing = (told: Body[]) => told.map(one => [one.paymentToken, one.standing])
    expect(standing(await list())).toEqual([
      [newer, 'revoked'],
      [older, 'valid'],
    ])
    expect(Object.keys((await list())[1] ?? {}).sort()).toEqual([
      'createdAt',
      'expiresAt',
      'payerId',
      'paymentToken',
      'processingAccountId',
      'providerId',
      'standing',
    ])
    expect(await list('mandates?limit=1')).toHaveLength(1)
    await organizationControl(simulator).advance('P365D')
    expect(standing(await list())).toEqual([
      [newer, 'revoked'],
      [older, 'expired'],
    ])
  })

  test('revoking twice keeps the first time; an unknown mandate is 404', async () => {
    const simulator = await startScopedSimulator()
    const token = await mandate(simulator, merchantOf(simulator))
    const first = await organizationControl(simulator).post(`mandates/${token}/revoke`)
    await organizationControl(simulator).advance('PT1H')
    expect(await organizationControl(simulator).post(`mandates/${token}/revoke`)).toEqual(first)
    expect((await organizationControl(simulator).post('mandates/nobody/revoke')).status).toBe(404)
    await simulator.controlPlane.organizations.create('other-merchant')
    const other = organizationControl(simulator, 'other-merchant')
    expect((await other.post(`mandates/${token}/revoke`)).status).toBe(404)
    expect((await other.get('mandates')).body).toEqual({ mandates: [] })
  })

  test.each(['maybe', '', 'NO'])('a code with recurring: %j is refused with 400', async recurring => {
    expect((await organizationControl(await startScopedSimulator()).post('blik/codes', { recurring })).status).toBe(400)
  })
})
