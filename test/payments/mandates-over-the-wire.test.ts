import { describe, expect, test } from 'vitest'
import type { Merchant, Shapes } from '../../contracts/client/merchant.ts'
import { blikRequest, chargeRequest, PAYER } from '../support/payments.ts'
import { accountOf, merchantOf, otherMerchantOf, type Running, runningSimulator } from '../support/running.ts'

type Body = Record<string, unknown>

/** What shoppers and operators do, beside the contract. */
const control = async ({ pagesUrl, kit }: Running, method: 'GET' | 'POST', path: string, body?: object) => {
  const address = `${pagesUrl}/control/organizations/${kit.organizationId}/${path}`
  const answer = await fetch(address, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
  return { status: answer.status, body: (await answer.json()) as Body }
}

const bodyOf = <Told>(answer: { ok: true; body: Told } | { ok: false; refusal: unknown }): Told => {
  if (answer.ok) return answer.body
  throw new Error(JSON.stringify(answer.refusal))
}
const refusalOf = (answer: Awaited<ReturnType<Merchant['charge']>>) => [
  answer.status,
  answer.ok ? undefined : answer.refusal?.statusInfo?.reasonCode,
]

const started = async (simulator: Running, merchant: Merchant, code: object = {}) => {
  const { body } = await control(simulator, 'POST', 'blik/codes', code)
  const request = blikRequest(String(body.code), { transactionType: 'RECURRING' })
  return bodyOf(await merchant.initiate({ ...request, processingAccountId: accountOf(merchant) }))
}

/** A payment that leaves a mandate behind; tells its token. */
const mandate = async (simulator: Running, merchant: Merchant): Promise<string> => {
  const { transactionId } = await started(simulator, merchant)
  await control(simulator, 'POST', `payments/${transactionId}/shopper`, { action: 'approve' })
  const { payerDetails } = bodyOf(await merchant.finalize({ processingAccountId: accountOf(merchant), transactionId }))
  return payerDetails.paymentToken ?? ''
}

const chargeOf = (merchant: Merchant, payerDetails: object) =>
  ({ ...chargeRequest(payerDetails), processingAccountId: accountOf(merchant) }) as Shapes['ChargeRequest']

describe('3 sequence 2: payments without their shopper, over mutual TLS', () => {
  test('E4, R1, R4: kept once, charged by payer and by token, settled, refunded, revoked', async () => {
    const simulator = await runningSimulator()
    const merchant = merchantOf(simulator)
    const paymentToken = await mandate(simulator, merchant)
    const first = bodyOf(await merchant.charge(chargeOf(merchant, { payerId: PAYER })))
    const second = bodyOf(await merchant.charge(chargeOf(merchant, { paymentToken })))
    expect([first.status, second.status]).toEqual(['APPROVED', 'APPROVED'])
    expect(first.transactionId).not.toBe(second.transactionId)
    await control(simulator, 'POST', 'clock', { advance: 'PT2S' })
    expect(bodyOf(await merchant.status(second.transactionId)).lifecycle?.state).toBe('SETTLED')
    const refund = {
      clientTransactionId: 'r',
      transactionId: second.transactionId,
      paymentDetails: { description: 'x' },
    }
    bodyOf(await merchant.refund({ ...refund, processingAccountId: accountOf(merchant) }))
    const revoked = await control(simulator, 'POST', `mandates/${paymentToken}/revoke`)
    expect(revoked).toMatchObject({ status: 200, body: { standing: 'revoked', revokedAt: expect.any(String) } })
    expect(refusalOf(await merchant.charge(chargeOf(merchant, { paymentToken })))).toEqual([422, '5010'])
    expect(refusalOf(await merchant.charge(chargeOf(merchant, { payerId: PAYER })))).toEqual([422, '5010'])
  })

  test('2.3: a charge that names nobody is told what is missing', async () => {
    const merchant = merchantOf(await runningSimulator())
    const answer = await merchant.charge(chargeOf(merchant, {}))
    expect(refusalOf(answer)).toEqual([400, '4000'])
    expect(answer.ok ? {} : answer.refusal?.fields).toEqual({
      'payerDetails.payerId': 'is missing',
      'payerDetails.paymentToken': 'is missing',
    })
  })

  test('7.1: a token of another organization is as unknown as none, and the journal shows no token', async () => {
    const simulator = await runningSimulator()
    const [merchant, other] = [merchantOf(simulator), await otherMerchantOf(simulator)]
    const paymentToken = await mandate(simulator, merchant)
    const messages = []
    for (const token of [paymentToken, 'A'.repeat(22)]) {
      const answer = await other.charge(chargeOf(other, { paymentToken: token }))
      expect(refusalOf(answer)).toEqual([422, '5010'])
      messages.push(answer.ok ? '' : answer.refusal?.statusInfo?.message)
    }
    expect(messages[0]).toBe(messages[1])
    for (const { organizationId } of [simulator.kit, other.credentials]) {
      const calls = JSON.stringify(simulator.operator.journal(organizationId, 99))
      expect(calls).toContain('paymentToken')
      expect(calls).not.toContain(paymentToken)
    }
  })

  test('7.5: a bank that keeps no shops declines with 3004, which becomes 8003', async () => {
    const simulator = await runningSimulator()
    const answer = await started(simulator, merchantOf(simulator), { recurring: 'no' })
    expect(answer).toMatchObject({
      status: 'DECLINED',
      statusInfo: { reasonCode: '8003' },
      providerDetails: { providerStatusInfo: { reasonCode: '3004' } },
    })
  })
})

describe('the mandates over control', () => {
  test('are listed newest first, each with its standing on the clock', async () => {
    const simulator = await runningSimulator()
    const merchant = merchantOf(simulator)
    const [older, newer] = [await mandate(simulator, merchant), await mandate(simulator, merchant)]
    await control(simulator, 'POST', `mandates/${newer}/revoke`)
    const list = async (path = 'mandates') => (await control(simulator, 'GET', path)).body.mandates as Body[]
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
    await control(simulator, 'POST', 'clock', { advance: 'P365D' })
    expect(standing(await list())).toEqual([
      [newer, 'revoked'],
      [older, 'expired'],
    ])
  })

  test('revoked twice keeps the first time; one that is not there is 404', async () => {
    const simulator = await runningSimulator()
    const token = await mandate(simulator, merchantOf(simulator))
    const first = await control(simulator, 'POST', `mandates/${token}/revoke`)
    await control(simulator, 'POST', 'clock', { advance: 'PT1H' })
    expect(await control(simulator, 'POST', `mandates/${token}/revoke`)).toEqual(first)
    expect((await control(simulator, 'POST', 'mandates/nobody/revoke')).status).toBe(404)
    await simulator.operator.organizations.create('other-merchant')
    const other = { ...simulator, kit: { ...simulator.kit, organizationId: 'other-merchant' } }
    expect((await control(other, 'POST', `mandates/${token}/revoke`)).status).toBe(404)
    expect((await control(other, 'GET', 'mandates')).body).toEqual({ mandates: [] })
  })

  test.each(['maybe', '', 'NO'])('a bank whose recurring is %j is not known', async recurring => {
    expect((await control(await runningSimulator(), 'POST', 'blik/codes', { recurring })).status).toBe(400)
  })
})
