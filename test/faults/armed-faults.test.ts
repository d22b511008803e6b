import { describe, expect, test } from 'vitest'
import { createPaymentIn, startIris, stateOf } from '../support/create-test-payments.ts'
import { actionRequest, irisRequest } from '../support/payment-requests.ts'
import { openCore, SHOP } from '../support/simulator-core.ts'

const left = async (core: Awaited<ReturnType<typeof openCore>>) =>
  (await core.store.faults(SHOP)).map(fault => [fault.operation, fault.left])

test('7.4: no more than 1000 faults are armed, which calls of their operation all read', async () => {
  const { store, arm } = await openCore()
  const fault = { operation: 'refund', kind: 'error', left: 1 } as const
  await Promise.all(Array.from({ length: 999 }, () => store.addFault(SHOP, fault)))
  const armed = await Promise.allSettled(Array.from({ length: 5 }, () => arm({ operation: 'refund', kind: 'error' })))
  expect(armed.map(({ status }) => status).sort()).toEqual(['fulfilled', ...Array(4).fill('rejected')])
  await expect(arm({ operation: 'refund', kind: 'error' })).rejects.toThrow(/^There are 1000 armed faults: disarm them/)
  await store.clearFaults(SHOP)
  await arm({ operation: 'refund', kind: 'error' })
})

describe('7.4: an armed fault hits calls that reach the provider', () => {
  test('refused, local and replayed calls do not use it up', async () => {
    const core = await openCore()
    const id = await createPaymentIn(core, 'AWAITING_SHOPPER')
    const settled = await createPaymentIn(core, 'SETTLED')
    const remembered = await core.call('finalize', actionRequest(id), { key: 'remembered' })
    await core.arm({ operation: 'finalize', kind: 'error' })
    expect((await core.call('finalize', actionRequest(id), { key: 'remembered' })).text).toBe(remembered.text)
    expect((await core.call('finalize', actionRequest(id))).body.status).toBe('PENDING')
    expect((await core.call('finalize', actionRequest(settled))).http).toBe(422)
    expect((await core.call('finalize', actionRequest('nobody'))).http).toBe(404)
    expect((await core.call('finalize', actionRequest(id), { key: 'remembered', organizationId: 'other' })).http).toBe(
      404,
    )
    expect(await left(core)).toEqual([['finalize', 1]])
    await core.decide(id, 'approve')
    expect((await core.call('finalize', actionRequest(id))).http).toBe(502)
    expect(await left(core)).toEqual([])
  })

  test('only of its operation, and a decline only of its provider', async () => {
    const core = await openCore()
    await core.arm({ operation: 'initiate', kind: 'decline', code: 'DMSP1010' })
    await core.arm({ operation: 'refund', kind: 'error' })
    await createPaymentIn(core, 'CAPTURED')
    expect(await left(core)).toEqual([
      ['initiate', 1],
      ['refund', 1],
    ])
    expect((await core.call('initiate', irisRequest())).body.statusInfo.reasonCode).toBe('8004')
  })

  test('in the order of arming, each as often as requested', async () => {
    const core = await openCore()
    await core.arm({ operation: 'initiate', kind: 'error', times: 2 })
    await core.arm({ operation: 'initiate', kind: 'locked' })
    const told = []
    for (let n = 0; n < 4; n += 1) told.push((await core.call('initiate', irisRequest())).http)
    expect(told).toEqual([502, 502, 423, 200])
  })

  test('only of its organization', async () => {
    const core = await openCore()
    await core.arm({ operation: 'initiate', kind: 'error' })
    const theirs = { ...irisRequest(), processingAccountId: 'other-account-1' }
    expect((await core.call('initiate', theirs, { organizationId: 'other' })).http).toBe(200)
    expect(await left(core)).toEqual([['initiate', 1]])
    expect(await core.store.clearFaults('other')).toBe(0)
    expect(await core.store.clearFaults(SHOP)).toBe(1)
    expect(await startIris(core)).toBeDefined()
  })
})

// biome-ignore format: a table reads by its columns
const CROWDS = [
  ['error',   { kind: 'error' },                              { 502: 1, 200: 29 }, 28],
  ['locked',  { kind: 'locked', times: 3 },                   { 423: 3, 200: 27 }, 26],
  ['done',    { kind: 'timeout', done: 'yes' },               { 504: 1, 200: 29 }, 29],
  ['not done', { kind: 'timeout', done: 'no' },               { 504: 1, 200: 29 }, 28],
  ['late',    { kind: 'timeout', done: 'late', after: 'PT1M' }, { 504: 1, 423: 29 }, 0],
] as const

describe('I3: thirty concurrent identical calls have one effect', () => {
  test.each(CROWDS)('when a fault hits the first of them: %s', async (_, wish, counts, replays) => {
    const core = await openCore()
    const id = await createPaymentIn(core, 'SETTLED')
    await core.arm({ operation: 'refund', ...wish })
    const call = () => core.call('refund', actionRequest(id, 300), { key: 'one' })
    const told = await Promise.all(Array.from({ length: 30 }, call))
    expect(
      Object.fromEntries([...Map.groupBy(told, ({ http }) => http)].map(([http, all]) => [http, all.length])),
    ).toEqual(counts)
    expect(told.filter(({ replayed }) => replayed)).toHaveLength(replays)
    await core.control.drain(SHOP)
    const again = await Promise.all(Array.from({ length: 30 }, call))
    expect(new Set(again.map(({ http, replayed, text }) => `${http} ${replayed} ${text}`)).size).toBe(1)
    expect((await core.events(id)).body.paymentDetails.refundedAmount).toBe(300)
    expect(await stateOf(core, id)).toBe('PARTIALLY_REFUNDED')
  })
})
