import { describe, expect, test } from 'vitest'
import { decisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { authorizeBlik, createPaymentIn, startBlik, startIris, stateOf } from '../support/create-test-payments.ts'
import { actionRequest, blikRequest, chargeRequest, irisRequest, passthroughMock } from '../support/payment-requests.ts'
import { openCore, SHOP, type SimulatorCore } from '../support/simulator-core.ts'

/** Opens the simulator with decisions chosen otherwise. */
const openWith = (chosen: Parameters<typeof decisionChoices>[0]): Promise<SimulatorCore> =>
  openCore({ choices: decisionChoices(chosen) })

const told = ({ http, body }: { http: number; body: { status: string; statusInfo: { reasonCode: string } } }) =>
  `${http} ${body.status} ${body.statusInfo.reasonCode}`

const paymentsOf = async (core: SimulatorCore): Promise<unknown[]> => (await core.call('search', {})).body.payments

describe('D-54: an account that is not the caller’s', () => {
  test.each([
    ['by-call', '403 DECLINED 4971', '404 DECLINED 4001'],
    ['403', '403 DECLINED 4971', '403 DECLINED 4971'],
    ['404', '404 DECLINED 4001', '404 DECLINED 4001'],
  ] as const)('%s: at initiate %s, on a payment of another account %s', async (value, atInitiate, onPayment) => {
    const core = await openWith({ 'D-54': value })
    const foreign = { processingAccountId: 'other-account-1' }
    expect(told(await core.call('initiate', { ...irisRequest(), ...foreign }))).toBe(atInitiate)
    expect(told(await core.call('mockSet', { ...passthroughMock('OK'), ...foreign }))).toBe(atInitiate)
    const id = await startIris(core)
    const other = { ...actionRequest(id), processingAccountId: 'shop-account-2' }
    expect(told(await core.call('finalize', other))).toBe(onPayment)
    const theirs = await core.call('finalize', actionRequest(id), { organizationId: 'other' })
    expect(told(theirs)).toBe('404 DECLINED 4001')
  })
})

describe('D-40: more is captured than is left', () => {
  test.each([
    ['422', '422 DECLINED 5002'],
    ['400', '400 DECLINED 4000'],
  ] as const)('%s: %s', async (value, answer) => {
    const core = await openWith({ 'D-40': value })
    const id = await authorizeBlik(core)
    expect(told(await core.call('capture', actionRequest(id, 1001)))).toBe(answer)
    expect(await stateOf(core, id)).toBe('AUTHORIZED')
  })
})

describe('D-41: the amount of a refund', () => {
  test.each([
    ['422', '422 DECLINED 5002', 'APPROVED'],
    ['400', '400 DECLINED 4000', 'APPROVED'],
    ['accepted-first', '422 DECLINED 5002', 'ACCEPTED'],
  ] as const)('%s: above the rest %s; a refund is %s', async (value, answer, status) => {
    const core = await openWith({ 'D-41': value })
    const id = await createPaymentIn(core, 'SETTLED')
    expect(told(await core.call('refund', actionRequest(id, 1001)))).toBe(answer)
    expect((await core.call('refund', actionRequest(id))).body.status).toBe(status)
    core.pass(2_000)
    expect(await stateOf(core, id)).toBe('REFUNDED')
  })
})

describe('D-42: an invalid BLIK code', () => {
  test.each([
    ['declined', '200 DECLINED 4000', 1],
    ['400', '400 DECLINED 4000', 0],
  ] as const)('%s: %s, and %i payments', async (value, answer, count) => {
    const core = await openWith({ 'D-42': value })
    expect(told(await core.call('initiate', blikRequest('123456')))).toBe(answer)
    expect(await paymentsOf(core)).toHaveLength(count)
  })
})

describe('D-43: a payment that its shopper declines', () => {
  test.each([
    ['declined', 'DECLINED'],
    ['canceled', 'CANCELED'],
  ] as const)('%s: in the app, and at the bank', async (value, status) => {
    const core = await openWith({ 'D-43': value })
    for (const id of [await startBlik(core), await startIris(core)]) {
      expect((await core.decide(id, 'decline')).body.outcome).toBe('declined')
      const { body } = await core.status(id)
      expect(body).toMatchObject({ status, statusInfo: { reasonCode: '2001' }, lifecycle: { state: status } })
    }
  })

  test('canceled: by the script of a mock too, but not a decline for another reason', async () => {
    const core = await openWith({ 'D-43': 'canceled' })
    await core.call('mockSet', passthroughMock('SHOPPER_DECLINES', { type: 'MOCK' }))
    const id = await startIris(core)
    core.pass(60_000)
    expect(await stateOf(core, id)).toBe('CANCELED')
    const another = (await core.call('initiate', blikRequest(await core.code(), {}))).body.transactionId
    await core.shopper.act(SHOP, another, 'decline', { cause: 'INSUFFICIENT_FUNDS' })
    expect(await stateOf(core, another)).toBe('DECLINED')
  })
})

describe('D-63: a charge without a valid mandate', () => {
  test.each([
    ['422', '422 DECLINED 5010', 0],
    ['403', '403 DECLINED 4971', 0],
    ['404', '404 DECLINED 4001', 0],
    ['declined', '200 DECLINED 5010', 1],
  ] as const)('%s: %s, and %i payments', async (value, answer, count) => {
    const core = await openWith({ 'D-63': value })
    expect(told(await core.call('charge', chargeRequest()))).toBe(answer)
    expect(await paymentsOf(core)).toHaveLength(count)
    await createPaymentIn(core, 'TOKENIZED')
    expect(told(await core.call('charge', chargeRequest()))).toBe('200 APPROVED -1')
  })
})

describe('D-65: a bank without recurring payments', () => {
  test.each([
    ['declined', '200 DECLINED 8003', '200 PENDING -1'],
    ['501', '501 DECLINED 8003', '200 PENDING -1'],
    ['used-code', '200 DECLINED 8003', '200 DECLINED 4000'],
  ] as const)('%s: %s, and then for ONE_TIME with the same code %s', async (value, answer, again) => {
    const core = await openWith({ 'D-65': value })
    const { code } = await core.shopper.createCode(SHOP, { recurring: false })
    expect(told(await core.call('initiate', blikRequest(code, { transactionType: 'RECURRING' })))).toBe(answer)
    expect(told(await core.call('initiate', blikRequest(code)))).toBe(again)
  })
})

describe('D-48: the reference of a capture, cancel or refund', () => {
  test.each([
    ['of-operation', '200'],
    ['of-payment', '400'],
  ] as const)('%s: another than that of the payment is %s', async (value, http) => {
    const core = await openWith({ 'D-48': value })
    for (const operation of ['capture', 'cancel', 'refund']) {
      const id = await authorizeBlik(core, { autoCapture: operation === 'refund' })
      core.pass(2_000)
      expect([operation, String((await core.call(operation, actionRequest(id))).http)]).toEqual([operation, http])
      const repeated = { ...actionRequest(id), clientTransactionId: 'order-1' }
      if (http === '400') expect((await core.call(operation, repeated)).http).toBe(200)
    }
  })
})

test.each(['of-operation', 'of-payment'] as const)(
  '2.6: a capture, cancel or refund whose dialect has no reference of its own has that of the payment (D-48 %s)',
  async value => {
    const core = await openWith({ 'D-48': value })
    for (const operation of ['capture', 'cancel', 'refund']) {
      const id = await authorizeBlik(core, { autoCapture: operation === 'refund' })
      core.pass(2_000)
      const { clientTransactionId: _, ...request } = actionRequest(id)
      const { http, body } = await core.call(operation, request)
      expect([operation, http, body.clientTransactionId]).toEqual([operation, 200, 'order-1'])
    }
  },
)

describe('D-81: a capture, cancel or refund that the provider declines', () => {
  test.each([
    ['capture', 'AUTHORIZED'],
    ['cancel', 'AUTHORIZED'],
    ['refund', 'SETTLED'],
  ] as const)('%s: leaves a trace, or none, and may be repeated', async (operation, state) => {
    for (const value of ['traced', 'no-trace'] as const) {
      const core = await openWith({ 'D-81': value })
      const id = await createPaymentIn(core, state)
      const before = (await core.events(id)).text
      await core.arm({ operation, kind: 'decline', code: '3003' })
      expect(told(await core.call(operation, actionRequest(id), { key: 'k' }))).toBe('200 DECLINED 2000')
      expect((await core.call(operation, actionRequest(id), { key: 'k' })).replayed).toBe(true)
      expect((await core.events(id)).text === before).toBe(value === 'no-trace')
      expect(await stateOf(core, id)).toBe(state)
      expect((await core.call(operation, actionRequest(id))).body.status).not.toBe('DECLINED')
    }
  })
})

describe('D-73: the order of a search', () => {
  test.each(['newest-first', 'oldest-first'] as const)('%s: over pages, up to the last one', async value => {
    const core = await openWith({ 'D-73': value })
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) {
      ids.push(await startIris(core))
      core.pass(1_000)
    }
    const found: string[] = []
    let cursor: string | undefined
    do {
      const { body } = await core.call('search', { limit: 2, ...(cursor === undefined ? {} : { cursor }) })
      found.push(...body.payments.map(({ transactionId }: { transactionId: string }) => transactionId))
      cursor = body.nextCursor
    } while (cursor !== undefined)
    expect(found).toEqual(value === 'oldest-first' ? ids : ids.toReversed())
  })
})

describe('D-82: a provider’s code that is no decline by its meaning', () => {
  test.each([
    ['declined', '200 DECLINED 8004', '200 DECLINED 4001', '200 DECLINED 4971'],
    ['502', '502 DECLINED 8004', '404 DECLINED 4001', '403 DECLINED 4971'],
    ['409', '502 DECLINED 8004', '404 DECLINED 4001', '403 DECLINED 4971'],
  ] as const)('%s: DMSP1000 %s, DMSP1003 %s, DMSP1140 %s', async (value, ...answers) => {
    const core = await openWith({ 'D-82': value })
    for (const [index, code] of ['DMSP1000', 'DMSP1003', 'DMSP1140'].entries()) {
      await core.arm({ operation: 'initiate', kind: 'decline', code })
      expect(told(await core.call('initiate', irisRequest(), { key: code }))).toBe(answers[index])
      const again = await core.call('initiate', irisRequest(), { key: code })
      const isOpen = value !== 'declined' || code === 'DMSP1000' // D-117
      expect(told(again)).toBe(isOpen ? '200 PENDING -1' : answers[index])
    }
    await core.arm({ operation: 'initiate', kind: 'decline', code: 'DMSP1120' })
    const duplicate = value === '409' ? '409 DECLINED 3001' : '200 DECLINED 3001'
    expect(told(await core.call('initiate', irisRequest()))).toBe(duplicate)
  })

  test('7.5: DMSP1003 is 4001 also where a payment of the caller that is not there is 5000 (D-10)', async () => {
    const core = await openWith({ 'D-82': '502', 'D-10': '5000' })
    await core.arm({ operation: 'initiate', kind: 'decline', code: 'DMSP1003' })
    expect(told(await core.call('initiate', irisRequest()))).toBe('404 DECLINED 4001')
  })
})
