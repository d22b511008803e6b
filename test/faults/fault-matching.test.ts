import { describe, expect, test } from 'vitest'
import type { FaultMatch } from '../../simulator/providers/fault-kinds.ts'
import { createPaymentIn } from '../support/create-test-payments.ts'
import { actionRequest, blikRequest, chargeRequest, irisRequest } from '../support/payment-requests.ts'
import { ACCOUNT, openCore, SHOP, type SimulatorCore } from '../support/simulator-core.ts'

const FAILED = 502
const failing = (match?: FaultMatch) => ({ operation: 'initiate', kind: 'error', ...(match ? { match } : {}) })
const left = async (core: SimulatorCore) => (await core.store.faults(SHOP)).map(fault => fault.left)
const initiate = async (core: SimulatorCore, change: object = {}) =>
  (await core.call('initiate', { ...irisRequest(), ...change })).http

describe('an armed fault hits the next calls that match', () => {
  // biome-ignore format: a table reads by its columns
  test.each([
    ['clientTransactionId', 'order-7',              { clientTransactionId: 'order-7' },           { clientTransactionId: 'order-70' }],
    ['payerId',             'payer-7',              { payerDetails: { payerId: 'payer-7' } },     { payerDetails: { payerId: 'payer-8' } }],
    ['payerId',             'payer-7',              { payerDetails: { payerId: 'payer-7' } },     { payerDetails: {} }],
    ['processingAccountId', 'shop-account-2',       { processingAccountId: 'shop-account-2' },    { processingAccountId: ACCOUNT }],
  ] as const)('%s %s: others pass by and do not spend it', async (member, value, fitting, other) => {
    const core = await openCore()
    await core.arm({ ...failing({ [member]: value }), times: 2 })
    expect(await initiate(core, other)).toBe(200)
    expect(await left(core)).toEqual([2])
    expect(await initiate(core, fitting)).toBe(FAILED)
    expect(await initiate(core, other)).toBe(200)
    expect(await initiate(core, fitting)).toBe(FAILED)
    expect(await initiate(core, fitting)).toBe(200)
  })

  test('providerId: only the named provider fails', async () => {
    const core = await openCore()
    await core.arm(failing({ providerId: 'IRIS' }))
    expect((await core.call('initiate', blikRequest(await core.code()))).http).toBe(200)
    expect(await initiate(core)).toBe(FAILED)
  })

  test('7.5: a decline without match: only a call of the provider that has the code spends it', async () => {
    const core = await openCore()
    await core.arm({ operation: 'initiate', kind: 'decline', code: 'DMSP1010' })
    await core.arm({ operation: 'initiate', kind: 'decline', code: '3002' })
    const blik = async () => (await core.call('initiate', blikRequest(await core.code()))).body.status
    expect([await blik(), await blik()]).toEqual(['DECLINED', 'PENDING'])
    expect((await core.store.faults(SHOP)).map(({ code }) => code)).toEqual(['DMSP1010'])
    expect((await core.call('initiate', irisRequest())).body.status).toBe('DECLINED')
  })

  test('several members: all must match', async () => {
    const core = await openCore()
    await core.arm(failing({ clientTransactionId: 'order-7', payerId: 'payer-7' }))
    expect(await initiate(core, { clientTransactionId: 'order-7' })).toBe(200)
    expect(await initiate(core, { payerDetails: { payerId: 'payer-7' } })).toBe(200)
    expect(await initiate(core, { clientTransactionId: 'order-7', payerDetails: { payerId: 'payer-7' } })).toBe(FAILED)
  })

  test('a call on a payment matches by the payment’s members, not by its own body', async () => {
    const core = await openCore()
    const [id, other] = [await createPaymentIn(core, 'SETTLED'), await createPaymentIn(core, 'SETTLED')]
    const refund = async (transactionId: string) =>
      (await core.call('refund', { ...actionRequest(transactionId, 100), clientTransactionId: 'refund-1' })).http
    const { clientTransactionId } = (await core.status(id)).body
    for (const match of [
      { transactionId: id },
      { clientTransactionId, transactionId: id },
      { transactionId: id, processingAccountId: ACCOUNT, providerId: 'BLIK' },
    ]) {
      await core.arm({ operation: 'refund', kind: 'error', match })
      expect(await refund(other)).toBe(200)
      expect(await refund(id)).toBe(FAILED)
    }
    await core.arm({ operation: 'refund', kind: 'error', match: { clientTransactionId: 'refund-1' } })
    expect(await refund(id)).toBe(200)
  })

  test.each([
    ['a transactionId, which no call that starts a payment has', { transactionId: 'any' }],
    ['a provider that there is not', { providerId: 'blik' }],
  ])('is refused with %s', async (_, match) => {
    const core = await openCore()
    await expect(core.arm(failing(match))).rejects.toThrow(`match.${Object.keys(match)[0]}`)
    expect(await left(core)).toEqual([])
  })

  test('a charge by token matches by the payer of its mandate', async () => {
    const core = await openCore()
    await createPaymentIn(core, 'TOKENIZED')
    const { mandate } = { mandate: (await core.store.mandates(SHOP, 1))[0] }
    const request = { ...chargeRequest(), payerDetails: { paymentToken: mandate?.paymentToken } }
    await core.arm({ operation: 'charge', kind: 'error', match: { payerId: mandate?.payerId } })
    expect((await core.call('charge', request)).http).toBe(FAILED)
  })

  test('the first armed fault that matches is used', async () => {
    const core = await openCore()
    await core.arm(failing({ payerId: 'payer-7' }))
    await core.arm({ operation: 'initiate', kind: 'locked' })
    await core.arm({ operation: 'initiate', kind: 'internal' })
    expect(await initiate(core, { payerDetails: { payerId: 'payer-8' } })).toBe(423)
    expect(await initiate(core, { payerDetails: { payerId: 'payer-7' } })).toBe(FAILED)
    expect(await initiate(core, { payerDetails: { payerId: 'payer-7' } })).toBe(500)
  })
})
