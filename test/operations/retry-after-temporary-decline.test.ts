import { describe, expect, test } from 'vitest'
import { decisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { DECLINES } from '../../contracts/protocol/decline-reasons.ts'
import { PROVIDER_CODES } from '../../contracts/protocol/provider-codes.ts'
import { isTemporaryDecline } from '../../contracts/protocol/reason-codes.ts'
import type { State } from '../../simulator/payments/lifecycle.ts'
import { createPaymentIn, stateOf } from '../support/create-test-payments.ts'
import { actionRequest, blikRequest, chargeRequest, passthroughMock } from '../support/payment-requests.ts'
import { type CallResult, openCore, type SimulatorCore } from '../support/simulator-core.ts'

const UNDER_MAINTENANCE = { status: 'DECLINED', statusInfo: { reasonCode: '8004', message: 'Under maintenance' } }
const REFUSED = { status: 'DECLINED', statusInfo: { reasonCode: '1001', message: 'No money' } }

const told = ({ http, body, replayed }: CallResult) =>
  `${http} ${body.status} ${body.statusInfo.reasonCode}${replayed ? ' again' : ''}`

type Prepared = { operation: string; request: object; id?: string }
const onPayment =
  (operation: string, state: State) =>
  async (core: SimulatorCore): Promise<Prepared> => {
    const id = await createPaymentIn(core, state)
    return { operation, request: actionRequest(id), id }
  }

/** Every mutating operation, with the status of its success and the state that a passing decline leaves. */
const OPERATIONS: readonly (readonly [
  string,
  (core: SimulatorCore) => Promise<Prepared>,
  string,
  State | undefined,
])[] = [
  ['initiate', async () => ({ operation: 'initiate', request: blikRequest('000000') }), 'ACCEPTED', undefined],
  [
    'charge',
    async core => {
      await createPaymentIn(core, 'TOKENIZED')
      return { operation: 'charge', request: { ...chargeRequest(), clientTransactionId: 'order-1' } }
    },
    'APPROVED',
    undefined,
  ],
  ['finalize', onPayment('finalize', 'AUTHENTICATED'), 'APPROVED', 'AUTHENTICATED'],
  ['capture', onPayment('capture', 'AUTHORIZED'), 'APPROVED', 'AUTHORIZED'],
  ['cancel', onPayment('cancel', 'AUTHORIZED'), 'CANCELED', 'AUTHORIZED'],
  ['refund', onPayment('refund', 'SETTLED'), 'APPROVED', 'SETTLED'],
]

/** Calls under one key: while a mock declines the step with a code, and again after it is used up. */
const callTwice = async (core: SimulatorCore, { operation, request }: Prepared, step: object) => {
  const key = 'one-key'
  await core.call('mockSet', {
    ...passthroughMock('OK', { type: 'MOCK', oneTime: true }),
    steps: { [operation]: step },
  })
  const first = await core.call(operation, request, { key })
  await core.call('mockSet', passthroughMock('OK', { type: 'MOCK' }))
  return { first: told(first), again: () => core.call(operation, request, { key }) }
}

describe('7.4.2, D-117: a temporary decline is carried out anew under its key', () => {
  test.each(OPERATIONS)('%s', async (_name, prepare, success, state) => {
    const core = await openCore()
    const prepared = await prepare(core)
    const { first, again } = await callTwice(core, prepared, UNDER_MAINTENANCE)
    expect(first).toBe('200 DECLINED 8004')
    if (prepared.id !== undefined && state !== undefined) expect(await stateOf(core, prepared.id)).toBe(state)
    expect(told(await again())).toBe(`200 ${success} -1`)
    expect(told(await again())).toBe(`200 ${success} -1 again`)
  })

  test.each(OPERATIONS)('%s: any other decline is replayed', async (_name, prepare) => {
    const core = await openCore()
    const { first, again } = await callTwice(core, await prepare(core), REFUSED)
    expect(first).toBe('200 DECLINED 1001')
    expect(told(await again())).toBe('200 DECLINED 1001 again')
  })

  test.each(OPERATIONS)('%s: where declines are replayed, this one is too', async (_name, prepare) => {
    const core = await openCore({ choices: decisionChoices({ 'D-117': 'replayed' }) })
    const { again } = await callTwice(core, await prepare(core), UNDER_MAINTENANCE)
    expect(told(await again())).toBe('200 DECLINED 8004 again')
  })

  test('replayed: a declined finalize ends the payment', async () => {
    const core = await openCore({ choices: decisionChoices({ 'D-117': 'replayed' }) })
    const id = await createPaymentIn(core, 'AUTHENTICATED')
    await callTwice(core, { operation: 'finalize', request: actionRequest(id) }, UNDER_MAINTENANCE)
    expect(await stateOf(core, id)).toBe('DECLINED')
  })

  test('also of a scenario, until the bank is back', async () => {
    const core = await openCore()
    const id = await createPaymentIn(core, 'AUTHENTICATED')
    const finalize = () => core.call('finalize', actionRequest(id), { key: 'k' })
    await core.call('mockSet', passthroughMock('FINALIZE_BANK_TIMEOUT'))
    expect([told(await finalize()), told(await finalize())]).toEqual(['200 DECLINED 8010', '200 DECLINED 8010'])
    await core.call('mockSet', passthroughMock('OK'))
    expect(told(await finalize())).toBe('200 APPROVED -1')
  })
})

test('7.3, 7.4.2: 8xxx and 9xxx may pass, but for what is not supported', () => {
  const passing = [...PROVIDER_CODES, ...Object.values(DECLINES)].filter(({ reasonCode }) =>
    isTemporaryDecline(reasonCode),
  )
  expect([...new Set(passing.map(({ reasonCode }) => reasonCode))]).toEqual(['8004', '8010', '8011', '8012', '9010'])
  expect(['8003', '-1', '5002', '80', '80044'].map(isTemporaryDecline)).toEqual([false, false, false, false, false])
})
