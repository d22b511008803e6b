import { describe, expect, test } from 'vitest'
import { DAY } from '../../simulator/support/duration.ts'
import { createPaymentIn, stateOf } from '../support/create-test-payments.ts'
import { actionRequest, blikRequest, irisRequest } from '../support/payment-requests.ts'
import { openCore, SHOP } from '../support/simulator-core.ts'
import {
  irisRequestOf,
  merchantOf,
  type ScopedSimulator,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

const LATE = { kind: 'timeout', done: 'late', after: 'PT20S' }

const codeOf = ({ http, body }: { http: number; body: { statusInfo: { reasonCode: string } } }) => [
  http,
  body.statusInfo.reasonCode,
]

describe('7.1: while a provider response is pending', () => {
  test('other calls on the payment get 423, other payments do not', async () => {
    const core = await openCore()
    const id = await createPaymentIn(core, 'AUTHORIZED')
    const free = await createPaymentIn(core, 'AUTHORIZED')
    await core.arm({ operation: 'capture', ...LATE })
    await core.call('capture', actionRequest(id, 400))
    for (const operation of ['finalize', 'capture', 'cancel', 'refund'])
      expect(codeOf(await core.call(operation, actionRequest(id)))).toEqual([423, '5003'])
    expect((await core.call('cancel', actionRequest(free))).body.status).toBe('CANCELED')
    expect((await core.call('capture', { ...actionRequest(id), processingAccountId: 'shop-account-2' })).http).toBe(404)
    core.pass(20_000)
    expect(await stateOf(core, id)).toBe('PARTIALLY_CAPTURED')
    expect((await core.call('capture', actionRequest(id))).body.paymentDetails.amount).toBe(600)
  })

  test('I4: its key with another payload gets 409, before and after', async () => {
    const core = await openCore()
    const id = await createPaymentIn(core, 'AUTHORIZED')
    await core.arm({ operation: 'capture', ...LATE })
    await core.call('capture', actionRequest(id, 400), { key: 'key' })
    expect(codeOf(await core.call('capture', actionRequest(id, 500), { key: 'key' }))).toEqual([409, '3002'])
    core.pass(20_000)
    expect(codeOf(await core.call('capture', actionRequest(id, 500), { key: 'key' }))).toEqual([409, '3002'])
  })

  test('a late initiate creates one payment, and none for another key', async () => {
    const core = await openCore()
    await core.arm({ operation: 'initiate', ...LATE })
    const request = blikRequest(await core.code())
    await core.call('initiate', request, { key: 'key' })
    expect(codeOf(await core.call('initiate', request, { key: 'key' }))).toEqual([423, '5003'])
    expect((await core.call('initiate', irisRequest(), { key: 'other' })).http).toBe(200)
    core.pass(20_000)
    const told = await Promise.all(Array.from({ length: 30 }, () => core.call('initiate', request, { key: 'key' })))
    expect(new Set(told.map(({ text, replayed }) => `${replayed} ${text}`)).size).toBe(1)
    expect(told[0]?.body).toMatchObject({ status: 'PENDING' })
    const { paymentPage: found } = await core.store.transact({
      organizationId: SHOP,
      now: core.time.now,
      needs: { payments: { limit: 10 } },
      decide: loaded => ({ result: loaded }),
    })
    expect(found?.payments).toHaveLength(2)
  })

  test('the call is decided on the state at its late execution', async () => {
    const core = await openCore()
    const id = await createPaymentIn(core, 'AUTHORIZED')
    await core.arm({ operation: 'capture', kind: 'timeout', done: 'late', after: 'P8D' })
    await core.call('capture', actionRequest(id), { key: 'key' })
    core.pass(8 * DAY)
    expect(await stateOf(core, id)).toBe('EXPIRED')
    expect(await core.call('capture', actionRequest(id), { key: 'key' })).toMatchObject({ http: 422, replayed: true })
  })

  test('I3: the key keeps the response for 24 hours from its execution', async () => {
    const core = await openCore()
    const id = await createPaymentIn(core, 'SETTLED')
    await core.arm({ operation: 'refund', ...LATE })
    await core.call('refund', actionRequest(id, 300), { key: 'key' })
    core.pass(20_000 + DAY - 1)
    expect(await core.call('refund', actionRequest(id, 300), { key: 'key' })).toMatchObject({
      http: 200,
      replayed: true,
    })
    core.pass(1)
    expect(await core.call('refund', actionRequest(id, 300), { key: 'key' })).toMatchObject({
      http: 200,
      replayed: false,
    })
  })

  test('drain runs it and the jobs that it schedules', async () => {
    const core = await openCore()
    const id = await createPaymentIn(core, 'AUTHORIZED')
    await core.arm({ operation: 'capture', ...LATE })
    await core.call('capture', actionRequest(id))
    expect((await core.control.drain(SHOP)).ran).toBe(2)
    expect(await stateOf(core, id)).toBe('SETTLED')
  })
})

const control = async ({ pagesUrl, kit }: ScopedSimulator, path: string, body: object) => {
  const address = `${pagesUrl}/control/organizations/${kit.organizationId}/${path}`
  return (await fetch(address, { method: 'POST', body: JSON.stringify(body) })).status
}

test('7.4: armed faults and late responses survive a restart', async () => {
  const first = await startScopedSimulator()
  const request = irisRequestOf(merchantOf(first))
  expect(await control(first, 'faults', { operation: 'initiate', ...LATE })).toBe(201)
  await first.stop()
  const second = await startScopedSimulator({ dataDir: first.dataDir })
  const silent = await merchantOf(second).initiate(request, { idempotencyKey: 'key' })
  expect([silent.status, silent.ok || silent.refusal?.statusInfo?.reasonCode]).toEqual([504, '8001'])
  await second.stop()
  const third = await startScopedSimulator({ dataDir: first.dataDir })
  const merchant = merchantOf(third)
  expect((await merchant.initiate(request, { idempotencyKey: 'key' })).status).toBe(423)
  await control(third, 'clock', { advance: 'PT20S' })
  const answer = await merchant.initiate(request, { idempotencyKey: 'key' })
  expect(answer.exchange.response?.headers['idempotency-replayed']).toBe('true')
  expect(answer.ok && answer.body.status).toBe('PENDING')
})
