import { describe, expect, test } from 'vitest'
import {
  irisRequestOf,
  merchantOf,
  type ScopedSimulator,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

const call = async (
  { pagesUrl }: ScopedSimulator,
  method: string,
  body?: unknown,
  organizationId = 'demo-merchant',
) => {
  const init = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const answer = await fetch(`${pagesUrl}/control/organizations/${organizationId}/faults`, { method, ...init })
  return { status: answer.status, told: (await answer.json()) as Record<string, unknown> }
}

describe('faults over control', () => {
  test('are armed, listed with their remaining count, and disarmed', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    const late = { operation: 'initiate', kind: 'timeout', done: 'late', after: 'PT1M30S', times: 2 }
    expect(await call(simulator, 'POST', late)).toMatchObject({
      status: 201,
      told: { operation: 'initiate', kind: 'timeout', done: 'late', after: 'PT1M30S', left: 2 },
    })
    await call(simulator, 'POST', { operation: 'refund', kind: 'decline', code: 'DMSP1120' })
    expect((await merchant.initiate(irisRequestOf(merchant))).status).toBe(504)
    expect((await call(simulator, 'GET')).told.faults).toMatchObject([
      { kind: 'timeout', left: 1 },
      { kind: 'decline', code: 'DMSP1120', left: 1 },
    ])
    expect(await call(simulator, 'DELETE')).toEqual({ status: 200, told: { disarmed: 2 } })
    expect((await call(simulator, 'GET')).told).toEqual({ faults: [] })
    expect((await merchant.initiate(irisRequestOf(merchant))).status).toBe(200)
  })

  test('7.4: a triggered fault is in the journal and not in the response', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    await call(simulator, 'POST', { operation: 'initiate', kind: 'timeout', done: 'yes' })
    const { exchange } = await merchant.initiate(irisRequestOf(merchant))
    expect(exchange.response?.body.toString()).not.toContain('done')
    const [entry] = simulator.controlPlane.journal.latest('demo-merchant', 1)
    expect(entry?.refused).toMatchObject({ fault: 'timeout, done: yes', layer: 'operation' })
  })

  test('are listed with their match, and apply only to matching calls', async () => {
    const simulator = await startScopedSimulator()
    const merchant = merchantOf(simulator)
    const match = { clientTransactionId: 'order-7', providerId: 'IRIS' }
    const armed = await call(simulator, 'POST', { operation: 'initiate', kind: 'limited', match, times: 2 })
    expect(armed).toMatchObject({ status: 201, told: { kind: 'limited', after: 'PT1S', match, left: 2 } })
    expect((await merchant.initiate(irisRequestOf(merchant))).status).toBe(200)
    expect((await call(simulator, 'GET')).told.faults).toEqual([armed.told])
    const limited = await merchant.initiate({ ...irisRequestOf(merchant), clientTransactionId: 'order-7' })
    expect([limited.status, limited.exchange.response?.headers['retry-after']]).toEqual([429, '1'])
    expect((await call(simulator, 'GET')).told.faults).toMatchObject([{ match, left: 1 }])
    expect(await call(simulator, 'DELETE')).toEqual({ status: 200, told: { disarmed: 1 } })
  })

  // biome-ignore format: a table reads by its columns
  test.each([
    [{},                                                                    'operation'],
    [{ operation: 'status', kind: 'error' },                                'operation'],
    [{ operation: 'refund' },                                               'kind'],
    [{ operation: 'refund', kind: 'explode' },                              'kind'],
    [{ operation: 'refund', kind: 'decline' },                              'code'],
    [{ operation: 'refund', kind: 'decline', code: '3009' },                'code'],
    [{ operation: 'refund', kind: 'error', code: '3001' },                  'code'],
    [{ operation: 'refund', kind: 'timeout' },                              'done'],
    [{ operation: 'refund', kind: 'timeout', done: 'maybe' },               'done'],
    [{ operation: 'refund', kind: 'error', done: 'yes' },                   'done'],
    [{ operation: 'refund', kind: 'timeout', done: 'late' },                'after'],
    [{ operation: 'refund', kind: 'timeout', done: 'late', after: 'soon' }, 'after'],
    [{ operation: 'refund', kind: 'timeout', done: 'late', after: 'PT0S' }, 'after'],
    [{ operation: 'refund', kind: 'timeout', done: 'late', after: 7 },      'after'],
    [{ operation: 'refund', kind: 'timeout', done: 'late', after: 'P366D' }, 'after'],
    [{ operation: 'refund', kind: 'timeout', done: 'no', after: 'PT1S' },   'after'],
    [{ operation: 'refund', kind: 'error', times: 0 },                      'times'],
    [{ operation: 'refund', kind: 'error', times: 1.5 },                    'times'],
    [{ operation: 'refund', kind: 'error', times: '2' },                    'times'],
    [{ operation: 'refund', kind: 'error', time: 2 },                       'time'],
    [{ operation: 'refund', kind: 'reset' },                                'done'],
    [{ operation: 'refund', kind: 'reset', done: 'late' },                  'done'],
    [{ operation: 'refund', kind: 'slow' },                                 'after'],
    [{ operation: 'refund', kind: 'slow', after: 'PT61S' },                 'PT1M'],
    [{ operation: 'refund', kind: 'dribble', after: 'PT0S' },               'after'],
    [{ operation: 'refund', kind: 'truncated', after: 'PT1S' },             'after'],
    [{ operation: 'refund', kind: 'limited', after: 'PT1.5S' },             'whole seconds'],
    [{ operation: 'refund', kind: 'limited', after: 'P2D' },                'after'],
    [{ operation: 'refund', kind: 'error', match: 'order-7' },              'match is "order-7": give an object of transactionId, '],
    [{ operation: 'refund', kind: 'error', match: ['payerId'] },            'match'],
    [{ operation: 'refund', kind: 'error', match: {} },                     'match is empty: leave it out'],
    [{ operation: 'refund', kind: 'error', match: { amount: '1' } },        'match.amount is not known: give transactionId, clientTransactionId, payerId, '],
    [{ operation: 'refund', kind: 'error', match: { payerId: 7 } },         'match.payerId is 7: give a text'],
    [{ operation: 'refund', kind: 'error', match: { payerId: '' } },        'match.payerId'],
    [{ operation: 'refund', kind: 'error', match: { providerId: 'blik' } }, 'match.providerId is "blik": give one of BLIK, IRIS.'],
    [{ operation: 'initiate', kind: 'error', match: { transactionId: 't' } }, 'match.transactionId does not apply to initiate, which starts the payment: leave it out.'],
    [{ operation: 'charge', kind: 'error', match: { transactionId: 't' } }, 'match.transactionId does not apply to charge, which starts the payment: leave it out.'],
    [{ operation: 'refund', kind: 'decline', code: '3001', match: { providerId: 'IRIS' } }, 'match.providerId is "IRIS": the code 3001 is one of BLIK.'],
    ['[]',                                                                  'body'],
    ['{',                                                                   'body'],
  ])('the fault %j is refused with a message about %s', async (wish, member) => {
    const simulator = await startScopedSimulator()
    const { status, told } = await call(simulator, 'POST', wish)
    expect([status, told.error]).toEqual([400, expect.stringContaining(member)])
    expect((await call(simulator, 'GET')).told).toEqual({ faults: [] })
  })

  test('of an unknown organization are 404', async () => {
    const simulator = await startScopedSimulator()
    for (const method of ['GET', 'DELETE'])
      expect((await call(simulator, method, undefined, 'nobody')).status).toBe(404)
    expect((await call(simulator, 'POST', { operation: 'refund', kind: 'error' }, 'nobody')).status).toBe(404)
  })
})
