import { describe, expect, test } from 'vitest'
import { HOUR } from '../../simulator/support/duration.ts'
import {
  createSecondMerchant,
  firstAccountOf,
  irisRequestOf,
  merchantOf,
  type ScopedSimulator,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

const mockOf = (account: string, more: object = {}) => ({
  processingAccountId: account,
  key: { type: 'PAYER_ID' as const, value: 'payer-42' },
  type: 'MOCK' as const,
  ...more,
})

const stored = async ({ pagesUrl }: ScopedSimulator, organizationId = 'demo-merchant') => {
  const answer = await fetch(`${pagesUrl}/control/organizations/${organizationId}/mocks`)
  return ((await answer.json()) as { mocks: Record<string, unknown>[] }).mocks
}

const begin = async () => {
  const simulator = await startScopedSimulator()
  const merchant = merchantOf(simulator)
  const account = firstAccountOf(merchant)
  const set = (more: object) => merchant.mockSet(mockOf(account, more))
  const faultsOf = async (more: object) => {
    const answer = await set(more)
    return answer.ok ? [answer.status] : [answer.status, answer.refusal?.statusInfo?.reasonCode, answer.refusal?.fields]
  }
  return { simulator, merchant, account, set, faultsOf }
}

describe('2.7: /mock/set stores a mock', () => {
  test('a time out of range is told as such, in either form', async () => {
    const { faultsOf } = await begin()
    const field = 'steps.initiate.expiresAt'
    const withTime = (expiresAt: unknown) => faultsOf({ steps: { initiate: { expiresAt } } })
    expect(await withTime(1e15)).toEqual([400, '4000', { [field]: 'must be at most 253402300799999' }])
    expect(await withTime('soon')).toEqual([
      400,
      '4000',
      { [field]: 'must be a time with its zone, such as 2026-01-31T12:00:00Z' },
    ])
  })

  test('5.4, D-80: the response has no body and a signature over its status only', async () => {
    const { simulator, set } = await begin()
    const { exchange, ok } = await set({})
    const { status, headers, body } = exchange.response ?? {}
    expect([ok, status, body?.length]).toEqual([true, 200, 0])
    expect(headers?.['signature-input']).toMatch(/^service_sig=\("@status"\);/)
    expect(headers?.['content-type']).toBeUndefined()
    expect(await stored(simulator)).toMatchObject([{ type: 'MOCK', oneTime: false, steps: {} }])
  })

  test('with every field: steps under their short names, times as instants', async () => {
    const { simulator, set } = await begin()
    const at = '2026-11-21T11:00:00+01:00'
    const { ok } = await set({
      scenario: 'INSUFFICIENT_FUNDS',
      oneTime: true,
      steps: {
        initiateStep: { status: 'PENDING', providerDetails: { redirectUrl: 'https://bank.example/1', expiresAt: 17 } },
        refund: { status: 'ACCEPTED', statusInfo: { reasonCode: '-1', message: 'Later' } },
      },
      data: { registeredAt: at, providerTransactionId: 'p-1', qrCode: 'q' },
    })
    expect(ok).toBe(true)
    const [mock] = await stored(simulator)
    expect(mock).toMatchObject({
      scenario: 'INSUFFICIENT_FUNDS',
      oneTime: true,
      steps: {
        initiate: { status: 'PENDING', providerDetails: { redirectUrl: 'https://bank.example/1', expiresAt: 17 } },
        refund: { status: 'ACCEPTED', statusInfo: { reasonCode: '-1', message: 'Later' } },
      },
      data: { registeredAt: Date.parse(at), providerTransactionId: 'p-1', qrCode: 'q' },
    })
  })

  test('D-87: faults of steps are stored in milliseconds and triggered once by default', async () => {
    const { simulator, set } = await begin()
    const late = { kind: 'timeout', done: 'late', after: 'PT1M30S', times: 2 } as const
    const { ok } = await set({ steps: { initiate: { fault: late }, refund: { fault: { kind: 'limited' } } } })
    expect(ok).toBe(true)
    const [mock] = await stored(simulator)
    expect(mock?.steps).toEqual({
      initiate: { fault: { ...late, after: 90_000 } },
      refund: { fault: { kind: 'limited', after: 1_000, times: 1 } },
    })
  })

  test('a newer mock of the same account and key replaces the older', async () => {
    const { simulator, merchant, set } = await begin()
    await set({ scenario: 'OK' })
    await set({ key: { type: 'CLIENT_TRANSACTION_ID', value: 'payer-42' }, scenario: 'OK' })
    await merchant.mockSet(mockOf(merchant.credentials.processingAccountIds[1] ?? '', { scenario: 'OK' }))
    await set({ scenario: 'INSUFFICIENT_FUNDS' })
    const mocks = await stored(simulator)
    expect(mocks.map(({ scenario }) => scenario)).toEqual(['INSUFFICIENT_FUNDS', 'OK', 'OK'])
  })

  test('8: it expires after 24 hours on the organization’s clock and survives a restart', async () => {
    const { simulator, set } = await begin()
    await set({})
    await simulator.controlPlane.clock.advance('demo-merchant', 24 * HOUR - 60_000)
    await simulator.stop()
    const again = await startScopedSimulator({ dataDir: simulator.dataDir })
    expect(await stored(again)).toHaveLength(1)
    await again.controlPlane.clock.advance('demo-merchant', 60_000)
    expect(await stored(again)).toEqual([])
  })

  test('I1, D-79: an idempotency key is ignored', async () => {
    const { simulator, merchant, account } = await begin()
    for (const scenario of ['OK', 'INSUFFICIENT_FUNDS']) {
      const headers = { 'idempotency-key': 'one' }
      const { exchange } = await merchant.mockSet(mockOf(account, { scenario }), { headers })
      expect(exchange.response?.headers['idempotency-replayed']).toBeUndefined()
    }
    expect(await stored(simulator)).toMatchObject([{ scenario: 'INSUFFICIENT_FUNDS' }])
  })

  test('E2: it applies to the next payment of its payer, in its organization only', async () => {
    const { simulator, merchant, set } = await begin()
    const other = await createSecondMerchant(simulator)
    await set({ key: { type: 'PAYER_ID', value: 'shopper-1' }, steps: { initiate: { status: 'DECLINED' } } })
    expect(await stored(simulator, 'other-merchant')).toEqual([])
    expect(await merchant.initiate(irisRequestOf(merchant))).toMatchObject({ ok: true, body: { status: 'DECLINED' } })
    const { status, ok } = await other.mockSet(mockOf(firstAccountOf(merchant)))
    expect([status, ok]).toEqual([403, false])
  })
})

const MOCK = 'steps.initiate.providerDetails'
const FAULT = 'steps.captureStep.fault'
const fault = (wish: object) => ({ steps: { captureStep: { fault: wish } } })
const step = (providerDetails: object) => ({ steps: { initiate: { providerDetails } } })

// biome-ignore format: a table reads by its columns
const REFUSED: readonly [object, string][] = [
  [{ processingAccountId: undefined },                           'processingAccountId'],
  [{ key: undefined },                                           'key'],
  [{ key: { type: 'PHONE', value: 'x' } },                       'key.type'],
  [{ key: { type: 'PAYER_ID' } },                                'key.value'],
  [{ key: { type: 'PAYER_ID', value: '' } },                     'key.value'],
  [{ key: { type: 'PAYER_ID', value: 7 } },                      'key.value'],
  [{ type: undefined },                                          'type'],
  [{ type: 'mock' },                                             'type'],
  [{ scenario: 'ok then' },                                      'scenario'],
  [{ oneTime: 'yes' },                                           'oneTime'],
  [{ steps: [] },                                                'steps'],
  [{ steps: { finalise: {} } },                                  'steps.finalise'],
  [{ steps: { initiate: {}, initiateStep: {} } },                'steps.initiateStep'],
  [{ steps: { initiate: { status: 'APPROVED' } } },              'steps.initiate.status'],
  [{ steps: { finalize: { status: 'ACCEPTED' } } },              'steps.finalize.status'],
  [{ steps: { charge: { status: 'PENDING' } } },                 'steps.charge.status'],
  [{ steps: { captureStep: { status: 'PENDING' } } },            'steps.captureStep.status'],
  [{ steps: { cancel: { status: 'APPROVED' } } },                'steps.cancel.status'],
  [{ steps: { refund: { status: 'PENDING' } } },                 'steps.refund.status'],
  [{ steps: { initiate: { statusInfo: { reasonCode: 'x', message: '' } } } }, 'steps.initiate.statusInfo.reasonCode'],
  [{ steps: { initiate: { statusInfo: { reasonCode: '2000' } } } },           'steps.initiate.statusInfo.message'],
  [step({ redirectUrl: 'javascript:alert(1)' }),                 `${MOCK}.redirectUrl`],
  [step({ registeredAt: 'yesterday' }),                          `${MOCK}.registeredAt`],
  [step({ expiresAt: '2026-11-21T10:00:00' }),                   `${MOCK}.expiresAt`],
  [step({ expiresAt: -1 }),                                      `${MOCK}.expiresAt`],
  [{ data: { providerTransactionId: '' } },                      'data.providerTransactionId'],
  [fault({}),                                                    `${FAULT}.kind`],
  [fault({ kind: 'explode' }),                                   `${FAULT}.kind`],
  [fault({ kind: 'decline' }),                                   `${FAULT}.kind`],
  [fault({ kind: 'timeout' }),                                   `${FAULT}.done`],
  [fault({ kind: 'reset', done: 'late' }),                       `${FAULT}.done`],
  [fault({ kind: 'error', done: 'yes' }),                        `${FAULT}.done`],
  [fault({ kind: 'slow' }),                                      `${FAULT}.after`],
  [fault({ kind: 'timeout', done: 'late', after: 'soon' }),      `${FAULT}.after`],
  [fault({ kind: 'limited', after: 'PT1.5S' }),                  `${FAULT}.after`],
  [fault({ kind: 'locked', after: 'PT1S' }),                     `${FAULT}.after`],
  [fault({ kind: 'error', times: 0 }),                           `${FAULT}.times`],
  [fault({ kind: 'error', code: '3001' }),                       `${FAULT}.code`],
  [{ steps: { refund: { fault: { kind: 'slow' } } } },           'steps.refund.fault.after'],
  [{ oneShot: true },                                            'oneShot'],
  [{ OneTime: true },                                            'OneTime'],
  [{ status: 'DECLINED' },                                       'status'],
  [{ key: { type: 'PAYER_ID', value: 'a', Value: 'b' } },        'key.Value'],
  [{ steps: { Initiate: {} } },                                  'steps.Initiate'],
  [{ steps: { initiate: { Status: 'DECLINED' } } },              'steps.initiate.Status'],
  [{ steps: { initiate: { status: 'declined' } } },              'steps.initiate.status'],
  [{ steps: { initiate: { code: '3001' } } },                    'steps.initiate.code'],
  [{ steps: { charge: { amount: 1 } } },                         'steps.charge.amount'],
  [{ steps: { refund: { redirectUrl: 'https://bank.example' } } }, 'steps.refund.redirectUrl'],
  [{ steps: { captureStep: { expiresAt: 17 } } },                'steps.captureStep.expiresAt'],
  [{ steps: { capture: { providerDetails: { qrCode: 'q' } } } }, 'steps.capture.providerDetails.qrCode'],
  [{ steps: { refund: { statusInfo: { reasonCode: '2000', message: '', cause: '' } } } }, 'steps.refund.statusInfo.cause'],
  [step({ providerTransactionID: 'p' }),                         `${MOCK}.providerTransactionID`],
  [step({ status: 'DECLINED' }),                                 `${MOCK}.status`],
  [{ steps: { capture: { registeredAt: 1, providerDetails: { registeredAt: 2 } } } }, 'steps.capture.registeredAt'],
  [{ steps: { initiate: { providerCode: '3001', status: 'PENDING' } } },      'steps.initiate.status'],
  [{ steps: { initiateStep: { providerCode: 'TIMEOUT', status: 'ACCEPTED' } } }, 'steps.initiateStep.status'],
  [{ scenario: 'BLIK_TIMEOUT', steps: { initiate: { providerCode: 'TIMEOUT' } } }, 'steps.initiate.providerCode'],
  [{ data: { reasonCode: '1000' } },                             'data.reasonCode'],
  [{ data: { initiate: { status: 'DECLINED' } } },               'data.initiate'],
  [{ data: { fault: { kind: 'error' } } },                       'data.fault'],
  [{ data: { status: 'FAILED' } },                               'data.status'],
  [{ data: { statusInfo: { reasonCode: '1' , message: '' } } },  'data.statusInfo.reasonCode'],
]

// biome-ignore format: a table reads by its columns
const PASSED_THROUGH: readonly [object, string][] = [
  [{ type: 'PASSTHROUGH', scenario: 'OK', steps: { initiate: {} } },             'steps'],
  [{ type: 'PASSTHROUGH', scenario: 'OK', data: { providerTransactionId: 'x' } }, 'data'],
  [{ type: 'PASSTHROUGH' },                                                      'scenario'],
]

describe('7.1: /mock/set refuses invalid mocks', () => {
  test('each with 400/4000 and its field', async () => {
    const { simulator, faultsOf } = await begin()
    for (const [more, field] of [...REFUSED, ...PASSED_THROUGH]) {
      const told = await faultsOf(more)
      expect(told, JSON.stringify(more)).toEqual([400, '4000', { [field]: expect.stringMatching(/\w/) }])
    }
    expect(await stored(simulator)).toEqual([])
  })

  test('7.5: except a code that agrees with status and scenario', async () => {
    const { faultsOf } = await begin()
    const initiate = { providerCode: '3003', status: 'DECLINED' }
    expect(await faultsOf({ scenario: 'BLIK_TIMEOUT', steps: { initiate } })).toEqual([200])
  })

  test('E3: except PASSTHROUGH with only a scenario', async () => {
    const { simulator, faultsOf } = await begin()
    expect(await faultsOf({ type: 'PASSTHROUGH', scenario: 'OK', steps: {} })).toEqual([200])
    expect(await stored(simulator)).toMatchObject([{ type: 'PASSTHROUGH', scenario: 'OK' }])
  })

  test('5.3: a token with only the scope payments:read is 403/4971', async () => {
    const { merchant, account } = await begin()
    const { status, ok } = await merchant.mockSet(mockOf(account), { scope: 'payments:read' })
    expect([status, ok]).toEqual([403, false])
  })

  test('1: in production the operation is 404', async () => {
    const merchant = merchantOf(await startScopedSimulator({ environment: 'production' }))
    const answer = await merchant.mockSet(mockOf(firstAccountOf(merchant)))
    expect([answer.status, answer.ok || answer.refusal?.statusInfo?.reasonCode]).toEqual([404, '4000'])
  })
})
