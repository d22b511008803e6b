import { describe, expect, test } from 'vitest'
import { DAY, MINUTE } from '../../simulator/support/duration.ts'
import { SAMPLE_PROVIDER_CALLS } from '../faults/sample-provider-calls.ts'
import { passthroughMock } from '../support/payment-requests.ts'
import { openCore, SHOP } from '../support/simulator-core.ts'

const KEY = { key: 'one-key' }

/** Faults that leave a call undone, or its end open, so that it is to be repeated under its key (7.4.2 to 7.4.4). */
const OPEN_ENDS = [
  { kind: 'error' },
  { kind: 'internal' },
  { kind: 'timeout', done: 'no' },
  { kind: 'timeout', done: 'late', after: 'PT1M' },
  { kind: 'timeout', done: 'yes' },
  { kind: 'reset', done: 'no' },
] as const

const CASES = SAMPLE_PROVIDER_CALLS.flatMap(sample =>
  OPEN_ENDS.map(fault => [sample.operation, Object.values(fault).join(' '), fault, sample] as const),
)

describe('I4, 7.4.5, D-83: the key of a call that is to be repeated takes no other payload', () => {
  test.each(CASES)('%s after %s', async (operation, _name, fault, { ready }) => {
    const core = await openCore()
    const request = await ready(core)
    const other = { ...request, clientTransactionId: 'another' }
    await core.arm({ operation, ...fault })
    const first = await core.call(operation, request, KEY)
    expect(first.http).toBeGreaterThanOrEqual(500)
    expect(await core.call(operation, other, KEY)).toMatchObject({
      http: 409,
      body: { statusInfo: { reasonCode: '3002' } },
    })
    await core.control.advance(SHOP, MINUTE)
    expect((await core.call(operation, other, KEY)).http).toBe(409)
    const retry = await core.call(operation, request, KEY)
    expect(retry.http).toBe(200)
    expect(await core.call(operation, request, KEY)).toMatchObject({ http: 200, replayed: true, text: retry.text })
  })

  test.each(SAMPLE_PROVIDER_CALLS.map(sample => [sample.operation, sample] as const))(
    '%s after a temporary decline (D-117)',
    async (operation, { ready }) => {
      const core = await openCore()
      const request = { ...(await ready(core)), clientTransactionId: 'order-1' } // the key of the mock
      const step = { status: 'DECLINED', statusInfo: { reasonCode: '8004', message: 'Under maintenance' } }
      await core.call('mockSet', {
        ...passthroughMock('OK', { type: 'MOCK', oneTime: true }),
        steps: { [operation]: step },
      })
      expect((await core.call(operation, request, KEY)).body.statusInfo.reasonCode).toBe('8004')
      expect((await core.call(operation, { ...request, clientTransactionId: 'another' }, KEY)).http).toBe(409)
    },
  )

  test('until 24 hours have passed', async () => {
    const core = await openCore()
    const [initiate] = SAMPLE_PROVIDER_CALLS
    const request = { ...(await initiate?.ready(core)), providerDetails: { providerId: 'IRIS' } }
    await core.arm({ operation: 'initiate', kind: 'error' })
    await core.call('initiate', request, KEY)
    await core.control.advance(SHOP, DAY)
    expect((await core.call('initiate', { ...request, clientTransactionId: 'another' }, KEY)).http).not.toBe(409)
  })
})
