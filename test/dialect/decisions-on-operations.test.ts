import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { decisionChoices } from '../../contracts/dialect/decision-choices.ts'
import type { State } from '../../simulator/payments/lifecycle.ts'
import { authorizeBlik, createPaymentIn, startBlik, startIris, stateOf } from '../support/create-test-payments.ts'
import { actionRequest, chargeRequest, irisRequest } from '../support/payment-requests.ts'
import { openCore, SHOP, type SimulatorCore } from '../support/simulator-core.ts'

/** Opens the simulator with decisions chosen otherwise. */
const openWith = (chosen: Parameters<typeof decisionChoices>[0]): Promise<SimulatorCore> =>
  openCore({ choices: decisionChoices(chosen) })

const FINALIZED: readonly State[] = ['AUTHORIZED', 'CAPTURED', 'SETTLED', 'REFUNDED', 'CANCELED', 'DECLINED']

describe('D-35: a finalize that comes too late', () => {
  test.each(FINALIZED)('refused: 422/5002 in %s', async state => {
    const core = await openWith({ 'D-35': 'refused' })
    const id = await createPaymentIn(core, state)
    const late = await core.call('finalize', actionRequest(id))
    expect(late).toMatchObject({ http: 422, body: { statusInfo: { reasonCode: '5002' } } })
  })

  test.each(FINALIZED)('repeated: the payment as it stands in %s, and nothing changes', async state => {
    const core = await openWith({ 'D-35': 'repeated' })
    const id = await createPaymentIn(core, state)
    const before = (await core.events(id)).text
    const late = await core.call('finalize', actionRequest(id))
    const { status } = (await core.status(id)).body
    expect(late).toMatchObject({ http: 200, body: { transactionId: id, status } })
    expect((await core.events(id)).text).toBe(before)
  })
})

test('D-35: repeated: a finalize of a charge is refused, as none was due (D-64)', async () => {
  const core = await openWith({ 'D-35': 'repeated' })
  const recurring = await startBlik(core, { transactionType: 'RECURRING' })
  await core.decide(recurring, 'approve')
  await core.call('finalize', actionRequest(recurring))
  const { transactionId } = (await core.call('charge', chargeRequest())).body
  expect((await core.call('finalize', actionRequest(transactionId))).http).toBe(422)
  expect((await core.call('finalize', actionRequest(recurring))).http).toBe(200)
})

describe('D-34: a finalize that comes before the consent', () => {
  test.each([
    ['pending', 200, 'PENDING', '-1'],
    ['422', 422, 'DECLINED', '5002'],
  ] as const)('%s: %i, and the shopper may still consent', async (value, http, status, reasonCode) => {
    const core = await openWith({ 'D-34': value })
    const id = await startBlik(core)
    const early = await core.call('finalize', actionRequest(id))
    expect(early).toMatchObject({ http, body: { status, statusInfo: { reasonCode } } })
    await core.decide(id, 'approve')
    expect((await core.call('finalize', actionRequest(id))).http).toBe(200)
    expect(await stateOf(core, id)).toBe('CAPTURED')
  })
})

const UNAUTHORIZED = ['AWAITING_SHOPPER', 'AUTHENTICATED'] as const

describe('D-39: a cancel before the authorization', () => {
  test.each(UNAUTHORIZED)('authorized: 422/5002 in %s', async state => {
    const core = await openWith({ 'D-39': 'authorized' })
    const id = await createPaymentIn(core, state)
    expect((await core.call('cancel', actionRequest(id))).http).toBe(422)
    expect(await stateOf(core, id)).toBe(state)
  })

  test.each(UNAUTHORIZED)('waiting: a payment in %s becomes CANCELED for good', async state => {
    const core = await openWith({ 'D-39': 'waiting' })
    const id = await createPaymentIn(core, state)
    expect(await core.call('cancel', actionRequest(id))).toMatchObject({ http: 200, body: { status: 'CANCELED' } })
    expect((await core.decide(id, 'approve')).http).toBe(422)
    core.pass(60_000)
    expect((await core.call('finalize', actionRequest(id))).http).toBe(422)
    expect(await stateOf(core, id)).toBe('CANCELED')
  })

  test('waiting: what is captured is still not voided', async () => {
    const core = await openWith({ 'D-39': 'waiting' })
    const id = await createPaymentIn(core, 'CAPTURED')
    expect((await core.call('cancel', actionRequest(id))).http).toBe(422)
  })
})

describe('D-22: what a key remembers of a refusal', () => {
  /** Calls twice under one key, and lets two seconds pass between. */
  const twice = async (core: SimulatorCore, operation: string, request: object, between?: () => unknown) => {
    const key = randomUUID()
    const first = await core.call(operation, request, { key })
    await between?.()
    core.pass(2_000)
    const again = await core.call(operation, request, { key })
    return [first, again].map(({ http, replayed }) => `${http}${replayed ? ' again' : ''}`)
  }

  test.each([
    ['decided', ['422', '422 again'], ['403', '403']],
    ['successes', ['422', '200'], ['403', '403']],
    ['every', ['422', '422 again'], ['403', '403 again']],
  ] as const)('%s: of 422 %j, of 403 %j', async (value, early, foreign) => {
    const core = await openWith({ 'D-22': value })
    const id = await createPaymentIn(core, 'AUTHORIZED')
    const capture = () => core.call('capture', actionRequest(id))
    expect(await twice(core, 'refund', actionRequest(id), capture)).toEqual(early)
    expect(await twice(core, 'initiate', { ...irisRequest(), processingAccountId: 'nobody' })).toEqual(foreign)
  })
})

describe('D-19: the scope of a key', () => {
  test.each([
    ['organization', 409, 409],
    ['operation', 200, 409],
    ['account', 409, 200],
  ] as const)('%s: of another operation %i, of another account %i', async (value, operation, account) => {
    const core = await openWith({ 'D-19': value })
    const key = 'one-key'
    const body = irisRequest()
    const { transactionId } = (await core.call('initiate', body, { key })).body
    const again = await core.call('initiate', body, { key })
    expect(again).toMatchObject({ http: 200, replayed: true, body: { transactionId } })
    expect((await core.call('finalize', actionRequest(transactionId), { key })).http).toBe(operation)
    const other = { ...body, processingAccountId: `${SHOP}-account-2` }
    expect((await core.call('initiate', other, { key })).http).toBe(account)
  })
})

describe('D-02: a payment that says nothing of autoCapture', () => {
  test.each([
    ['on', 'CAPTURED'],
    ['off', 'AUTHORIZED'],
  ] as const)('%s: finalize leaves it %s', async (value, state) => {
    const core = await openWith({ 'D-02': value })
    const silent = await authorizeBlik(core, {})
    expect(await stateOf(core, silent)).toBe(state)
    expect(await stateOf(core, await authorizeBlik(core, { autoCapture: true }))).toBe('CAPTURED')
    expect(await stateOf(core, await authorizeBlik(core, { autoCapture: false }))).toBe('AUTHORIZED')
  })

  test('off: a method that cannot capture later captures as before', async () => {
    const core = await openWith({ 'D-02': 'off' })
    const id = await startIris(core)
    await core.decide(id, 'approve')
    const finalized = await core.call('finalize', actionRequest(id))
    expect(finalized).toMatchObject({ http: 200, body: { paymentDetails: { autoCapture: true } } })
    expect(await stateOf(core, id)).toBe('CAPTURED')
  })
})
