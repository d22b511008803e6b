import { describe, expect, test } from 'vitest'
import { REFUSALS, type RefusalName } from '../../contracts/protocol/reason-codes.ts'
import type { OperationCall, OperationDefinition } from '../../simulator/operations/operation-types.ts'
import { HOUR } from '../../simulator/support/duration.ts'
import { Refusal } from '../../simulator/support/refusal.ts'
import { authorizeBlik, createPaymentIn, stateOf } from '../support/create-test-payments.ts'
import { actionRequest, blikRequest, irisRequest } from '../support/payment-requests.ts'
import { openCore, SHOP, type SimulatorCore } from '../support/simulator-core.ts'

const DAY = 24 * HOUR
const key = 'the-key'

const reusedOf = async (told: ReturnType<SimulatorCore['call']>) => {
  const { http, body } = await told
  return [http, body.status, body.statusInfo.reasonCode]
}
const REUSED = [409, 'DECLINED', '3002']

describe('I3: same key, same payload', () => {
  test('the original response is replayed byte for byte, whatever the payment’s state', async () => {
    const core = await openCore()
    const request = blikRequest(await core.code())
    const first = await core.call('initiate', request, { key })
    await core.decide(first.body.transactionId, 'decline')
    const again = await core.call('initiate', request, { key })
    expect(again).toEqual({ ...first, replayed: true })
    expect(first.replayed).toBe(false)
  })

  test.each([
    [DAY - 1, true],
    [DAY, false],
  ])('%i ms later a replay is %s', async (age, replayed) => {
    const core = await openCore()
    const first = await core.call('initiate', irisRequest(), { key })
    core.pass(age)
    const later = await core.call('initiate', irisRequest(), { key })
    expect(later.replayed).toBe(replayed)
    expect(later.body.transactionId === first.body.transactionId).toBe(replayed)
  })

  test('a replay does not extend the 24 hours', async () => {
    const core = await openCore()
    await core.call('initiate', irisRequest(), { key })
    core.pass(DAY - 1)
    await core.call('initiate', irisRequest(), { key })
    core.pass(1)
    expect((await core.call('initiate', irisRequest(), { key })).replayed).toBe(false)
  })

  test('money moves once', async () => {
    const core = await openCore()
    const id = await authorizeBlik(core)
    for (let round = 0; round < 3; round += 1) await core.call('capture', actionRequest(id, 400), { key })
    core.pass(7 * DAY)
    for (let round = 0; round < 3; round += 1) await core.call('refund', actionRequest(id, 100), { key: 'another' })
    const { capturedAmount, refundedAmount, captures, refunds } = (await core.events(id)).body.paymentDetails
    expect([capturedAmount, refundedAmount, captures.length, refunds.length]).toEqual([400, 100, 1, 1])
  })

  test('the order of members does not change the payload', async () => {
    const core = await openCore()
    const { paymentDetails, ...rest } = irisRequest()
    const first = await core.call('initiate', { paymentDetails, ...rest }, { key })
    const turned = Object.fromEntries(Object.entries(paymentDetails).reverse())
    const again = await core.call('initiate', { ...rest, paymentDetails: turned }, { key })
    expect(again.text).toBe(first.text)
  })

  test('thirty concurrent calls have one effect', async () => {
    const core = await openCore()
    const id = await authorizeBlik(core)
    const told = await Promise.all(
      Array.from({ length: 30 }, () => core.call('capture', actionRequest(id, 100), { key })),
    )
    expect(new Set(told.map(({ text }) => text)).size).toBe(1)
    expect(told.filter(({ replayed }) => replayed)).toHaveLength(29)
    expect((await core.events(id)).body.paymentDetails.capturedAmount).toBe(100)
  })

  test('thirty concurrent captures with different keys do not exceed the amount', async () => {
    const core = await openCore()
    const id = await authorizeBlik(core)
    const told = await Promise.all(Array.from({ length: 30 }, () => core.call('capture', actionRequest(id, 300))))
    expect(told.map(({ http }) => http).sort()).toEqual([200, 200, 200, ...Array(27).fill(422)])
    expect((await core.events(id)).body.paymentDetails.capturedAmount).toBe(900)
  })
})

describe('I4: same key, another request', () => {
  // biome-ignore format: a table reads by its columns
  test.each([
    ['another amount',    { paymentDetails: { ...irisRequest().paymentDetails, amount: 1001 } }],
    ['another reference', { clientTransactionId: 'order-2' }],
    ['another account',   { processingAccountId: 'shop-account-2' }],
    ['one member more',   { metadata: {} }],
    ['an unknown member', { unknown: 1 }],
  ])('%s: 409/3002, and the first payment is untouched', async (_what, other) => {
    const core = await openCore()
    const first = await core.call('initiate', irisRequest(), { key })
    const before = (await core.events(first.body.transactionId)).text
    expect(await reusedOf(core.call('initiate', { ...irisRequest(), ...other }, { key }))).toEqual(REUSED)
    expect((await core.events(first.body.transactionId)).text).toBe(before)
    expect((await core.call('initiate', irisRequest(), { key })).text).toBe(first.text)
  })

  test('I2: another operation, even with the same body', async () => {
    const core = await openCore()
    const id = await authorizeBlik(core)
    await core.call('capture', actionRequest(id), { key })
    for (const operation of ['cancel', 'refund', 'finalize'])
      expect(await reusedOf(core.call(operation, actionRequest(id), { key }))).toEqual(REUSED)
    expect(await stateOf(core, id)).toBe('CAPTURED')
  })

  test('I2: keys of different organizations are independent', async () => {
    const core = await openCore()
    const first = await core.call('initiate', irisRequest(), { key })
    const request = { ...irisRequest(), processingAccountId: 'other-account-1' }
    const other = await core.call('initiate', request, { key, organizationId: 'other' })
    expect([other.http, other.replayed]).toEqual([200, false])
    expect(other.body.transactionId).not.toBe(first.body.transactionId)
  })
})

describe('I3: which responses are stored under the key', () => {
  test('422 and 501 are replayed, although the call could succeed by now', async () => {
    const core = await openCore()
    const id = await createPaymentIn(core, 'CAPTURED')
    const early = await core.call('refund', actionRequest(id), { key })
    core.pass(2_000)
    expect(await core.call('refund', actionRequest(id), { key })).toEqual({ ...early, replayed: true })
    expect((await core.call('refund', actionRequest(id))).http).toBe(200)
    const wish = { ...irisRequest(), transactionType: 'RECURRING' }
    const unsupported = await core.call('initiate', wish, { key: 'k' })
    expect(unsupported.http).toBe(501)
    expect(await core.call('initiate', wish, { key: 'k' })).toEqual({ ...unsupported, replayed: true })
  })

  test('404 and 403 leave the key free for the corrected call', async () => {
    const core = await openCore()
    const id = await authorizeBlik(core)
    expect((await core.call('capture', actionRequest('nobody'), { key })).http).toBe(404)
    expect((await core.call('capture', actionRequest(id), { key })).http).toBe(200)
    const foreign = { ...irisRequest(), processingAccountId: 'other-account-1' }
    expect((await core.call('initiate', foreign, { key: 'k' })).http).toBe(403)
    expect((await core.call('initiate', irisRequest(), { key: 'k' })).http).toBe(200)
  })

  const names = Object.keys(REFUSALS) as RefusalName[]
  test.each(
    names.filter(name => !['TRANSITION_NOT_ALLOWED', 'MANDATE_REFUSED', 'OPERATION_UNSUPPORTED'].includes(name)),
  )('7.4: %s is not stored, so that the repeated call can succeed', async name => {
    const core = await openCore()
    const attempt = { fails: true }
    const registered: OperationDefinition = {
      on: 'nothing',
      decide: () => {
        if (attempt.fails) throw new Refusal(name, 'operation', 'Not now.')
        return { answer: { done: true } }
      },
    }
    const { organizationId, accountIds } = { organizationId: SHOP, accountIds: [] }
    const call: OperationCall = {
      ...{ organizationId, accountIds, capabilities: {}, operation: 'initiate', request: {} },
      ...{ key, callId: 'c', pagesUrl: '' },
    }
    expect((await core.execute(call, registered)).http).toBe(REFUSALS[name].http)
    attempt.fails = false
    expect(await core.execute(call, registered)).toMatchObject({ http: 200, body: '{"done":true}', replayed: false })
  })

  test('7.1: an unexpected error saves nothing and leaves the key free', async () => {
    const core = await openCore()
    const fault = () => {
      throw new TypeError('a bug')
    }
    const call = {
      organizationId: SHOP,
      accountIds: [],
      capabilities: {},
      operation: 'initiate' as const,
      request: {},
      key,
      callId: 'c',
      pagesUrl: '',
    }
    await expect(core.execute(call, { on: 'nothing', decide: fault })).rejects.toThrow('a bug')
    expect((await core.call('initiate', irisRequest(), { key })).http).toBe(200)
  })
})

test('E1: a read ignores the key', async () => {
  const core = await openCore()
  const id = await authorizeBlik(core)
  const before = await core.call('status', { transactionId: id }, { key })
  await core.call('cancel', actionRequest(id))
  const after = await core.call('status', { transactionId: id }, { key })
  expect([before.body.status, after.body.status, after.replayed]).toEqual(['APPROVED', 'CANCELED', false])
})
