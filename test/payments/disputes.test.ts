import { describe, expect, test } from 'vitest'
import { DAY } from '../../simulator/support/duration.ts'
import { createPaymentIn, stateOf } from '../support/create-test-payments.ts'
import { parseCsv } from '../support/parse-csv.ts'
import { actionRequest, blikRequest, irisRequest, passthroughMock } from '../support/payment-requests.ts'
import { ACCOUNT, openCore, type SimulatorCore } from '../support/simulator-core.ts'

const disputed = async (core: SimulatorCore, scenario: string) => {
  await core.call('mockSet', passthroughMock(scenario))
  const id = await createPaymentIn(core, 'SETTLED')
  core.pass(20 * DAY)
  return id
}

describe('1, D-98: a dispute', () => {
  test('that is lost is a refund of its own in events, sums and reports', async () => {
    const core = await openCore()
    const id = await disputed(core, 'DISPUTE_LOST')
    const { paymentDetails, providerDetails, timeline } = (await core.events(id)).body
    const [refund, ...others] = paymentDetails.refunds
    expect([paymentDetails.refundedAmount, others]).toEqual([1000, []])
    expect(refund).toMatchObject({
      clientTransactionId: 'order-1',
      paymentDetails: { amount: 1000, description: 'The dispute was lost' },
      status: 'APPROVED',
      timestamp: timeline.at(-1).at,
    })
    expect(refund.transactionId).not.toBe(id)
    expect(refund.providerDetails.providerTransactionId).not.toBe(providerDetails.providerTransactionId)
    core.pass(DAY)
    const query = { from: '2026-01-06', to: '2026-01-31', type: 'TRANSACTION_DETAILS' }
    const { files } = (await core.call('reports', query)).body
    const { text } = await core.call('downloadReport', { reportId: files[0].reportId })
    expect(parseCsv(text)).toMatchObject([
      { type: 'REFUND', transactionId: refund.transactionId, originalTransactionId: id, amount: '-1000' },
    ])
  })

  test('that is won refunds nothing', async () => {
    const core = await openCore()
    const { refunds, refundedAmount } = (await core.events(await disputed(core, 'DISPUTE_WON'))).body.paymentDetails
    expect([refunds, refundedAmount]).toEqual([[], 0])
  })

  test('is not opened while an accepted refund is under way', async () => {
    const core = await openCore()
    await core.call('mockSet', passthroughMock('DISPUTE_LOST'))
    const id = await createPaymentIn(core, 'SETTLED')
    await core.call('mockSet', { ...passthroughMock('OK'), type: 'MOCK', steps: { refund: { status: 'ACCEPTED' } } })
    await core.call('refund', actionRequest(id, 300))
    core.pass(20 * DAY)
    expect(await stateOf(core, id)).toBe('SETTLED')
  })

  test.each([
    ['IRIS by the table', irisRequest(), undefined],
    ['BLIK by the account', blikRequest('000000'), { BLIK: { disputes: false } }],
  ] as const)('7.1: of %s, which has none, is refused with 501 at the start', async (_name, request, overrides) => {
    const core = await openCore()
    if (overrides) await core.store.setCapabilities('shop', ACCOUNT, overrides)
    await core.call('mockSet', passthroughMock('DISPUTE_LOST'))
    const { http, body } = await core.call('initiate', request)
    expect([http, body.statusInfo]).toEqual([
      501,
      {
        reasonCode: '8003',
        message: `The scenario DISPUTE_LOST has a dispute, and ${request.providerDetails.providerId} has none on this account.`,
      },
    ])
  })
})

describe('R1: a refund that was accepted', () => {
  test.each(['REFUND_FAILS_LATER', 'REFUND_APPROVED_LATER'])(
    '%s: status says only what became of it',
    async scenario => {
      const core = await openCore()
      await core.call('mockSet', passthroughMock(scenario))
      const id = await createPaymentIn(core, 'SETTLED')
      const before = (await core.status(id)).body
      await core.call('refund', actionRequest(id))
      expect((await core.status(id)).body).toEqual(before)
      core.pass(2 * DAY)
      const { statusInfo } = (await core.status(id)).body
      expect(statusInfo.message).toBe(scenario === 'REFUND_FAILS_LATER' ? before.statusInfo.message : 'Refunded')
    },
  )
})

test('D-98, D-33: opens too where the end of the hold settles a payment that was captured in part', async () => {
  const core = await openCore()
  await core.call('mockSet', passthroughMock('DISPUTE_LOST'))
  const id = await createPaymentIn(core, 'AUTHORIZED')
  await core.call('capture', actionRequest(id, 400))
  core.pass(28 * DAY)
  expect((await core.events(id)).body.paymentDetails.refundedAmount).toBe(400)
})
