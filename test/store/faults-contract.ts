import { describe, expect, test } from 'vitest'
import type { Fault } from '../../simulator/providers/faults.ts'
import type { Mock } from '../../simulator/providers/mock.ts'
import type { LateCall, Store } from '../../simulator/store/port.ts'
import { change, look, payment, save } from './records.ts'
import { type OpenStore, twoShops } from './two-shops.ts'

const FAULT: Omit<Fault, 'faultId'> = { operation: 'refund', kind: 'timeout', done: 'late', after: 7, left: 2 }
const LATE: LateCall = { key: 'k', fingerprint: 'f', transactionId: 't', dueAt: 20, call: '{"operation":"refund"}' }

const mock = (value: string, more: Partial<Mock> = {}): Mock => ({
  processingAccountId: 'shop-1',
  key: { type: 'PAYER_ID', value },
  type: 'MOCK',
  oneTime: false,
  steps: { refund: { status: 'DECLINED' } },
  setAt: 0,
  expiresAt: 10,
  ...more,
})

/** What every adapter promises of faults that wait, answers that are late (7.4) and mocks (2.7). */
export const faultsContract = (name: string, openStore: OpenStore): void => {
  const begin = () => twoShops(openStore)
  const waiting = async (store: Store, providerCall = 'refund', organizationId = 'shop') =>
    (await look(store, { providerCall }, organizationId)).faults

  describe(`${name}: faults that wait`, () => {
    test('come oldest first, to their own operation and organization, and only where asked for', async () => {
      const { store, reopen } = await begin()
      const first = await store.addFault('shop', FAULT)
      const second = await store.addFault('shop', { operation: 'refund', kind: 'error', left: 1 })
      const again = await reopen()
      expect(await waiting(again)).toEqual([first, second])
      expect(first).toMatchObject(FAULT)
      expect(await waiting(again, 'capture')).toEqual([])
      expect(await waiting(again, 'refund', 'other')).toEqual([])
      expect((await look(again, { transactionId: 't' })).faults).toEqual([])
    })

    test('keep what they wait for', async () => {
      const { store, reopen } = await begin()
      const match = { payerId: 'payer-7', providerId: 'IRIS' }
      const fault = await store.addFault('shop', { operation: 'refund', kind: 'slow', after: 9, match, left: 1 })
      const again = await reopen()
      expect([await waiting(again), await again.faults('shop')]).toEqual([[fault], [fault]])
      expect(fault.match).toEqual(match)
    })

    test('are gone when they were met as often as they were asked for', async () => {
      const { store } = await begin()
      const { faultId } = await store.addFault('shop', FAULT)
      await save(store, { spentFaultId: faultId })
      expect(await store.faults('shop')).toEqual([{ ...FAULT, faultId, left: 1 }])
      await save(store, { spentFaultId: faultId })
      expect(await store.faults('shop')).toEqual([])
    })

    test('are disarmed for one organization', async () => {
      const { store } = await begin()
      await store.addFault('shop', FAULT)
      await store.addFault('other', FAULT)
      expect(await store.clearFaults('shop')).toBe(1)
      expect([await store.faults('shop'), (await store.faults('other')).length]).toEqual([[], 1])
    })
  })

  describe(`${name}: answers that are late`, () => {
    test('are found by their key and by their payment until their job is done', async () => {
      const { store, reopen } = await begin()
      await save(store, { late: LATE })
      const again = await reopen()
      const needs = { providerCall: 'refund' }
      expect((await look(again, { ...needs, key: 'k' })).late).toEqual(LATE)
      expect((await look(again, { ...needs, key: 'x', transactionId: 't' })).late).toEqual(LATE)
      expect((await look(again, { ...needs, key: 'x', transactionId: 'u' })).late).toBeUndefined()
      expect((await look(again, { ...needs, key: 'k', transactionId: 't' }, 'other')).late).toBeUndefined()
      expect((await look(again, { transactionId: 't' })).late).toBeUndefined()
      expect(await again.nextDue('shop')).toBe(20)
      expect(await again.dueJob('shop', 19)).toBeUndefined()
      const job = await again.dueJob('shop', 20)
      expect(job).toMatchObject({ name: 'late-answer', dueAt: 20, late: LATE })
      await save(again, { finishedJobId: job?.jobId })
      expect((await look(again, { ...needs, key: 'k', transactionId: 't' })).late).toBeUndefined()
    })

    test('one without a payment is found by its key alone', async () => {
      const { store } = await begin()
      await save(store, { late: { ...LATE, transactionId: undefined } })
      const needs = { providerCall: 'initiate' }
      expect((await look(store, { ...needs, key: 'k' })).late).toMatchObject({ transactionId: undefined })
      expect((await look(store, { ...needs, key: 'x', transactionId: '' })).late).toBeUndefined()
    })

    test('stay when the payment moves on and its other jobs go', async () => {
      const { store } = await begin()
      await save(store, { change: change(payment('t'), [{ name: 'shopper-window', dueAt: 5 }]), late: LATE })
      await save(store, { change: change(payment('t', { state: 'AUTHENTICATED' })) })
      expect(await store.dueJob('shop', 99)).toMatchObject({ name: 'late-answer' })
    })
  })

  describe(`${name}: mocks`, () => {
    test('the newest of an account and key is kept, newest first, until it expires', async () => {
      const { store, reopen } = await begin()
      for (const set of [mock('a'), mock('b'), mock('a', { scenario: 'OK', expiresAt: 12 })])
        await save(store, { mock: set })
      await save(store, { mock: mock('a') }, 'other')
      const again = await reopen()
      expect(await again.mocks('shop', 9)).toEqual([mock('a', { scenario: 'OK', expiresAt: 12 }), mock('b')])
      expect(await again.mocks('shop', 11)).toEqual([mock('a', { scenario: 'OK', expiresAt: 12 })])
      expect(await again.mocks('other', 0)).toEqual([mock('a')])
      await save(again, { mock: mock('a', { processingAccountId: 'shop-2' }) })
      expect(await again.mocks('shop', 9)).toHaveLength(3)
    })

    test('2.7: a call sees the mocks of its payer and reference, however many others there are', async () => {
      const { store } = await begin()
      await save(store, { mock: mock('mine') })
      for (let count = 0; count < 15; count += 1) await save(store, { mock: mock(`other-${count}`) })
      const needs = { key: 'k', providerCall: 'initiate', named: { payerId: 'mine', clientTransactionId: 'mine' } }
      const { mocks } = await look(store, needs)
      expect(mocks.map(({ key }) => key.value)).toContain('mine')
      expect(mocks.length).toBeLessThan(15)
      expect((await look(store, needs, 'other')).mocks).toEqual([])
    })

    test('2.7: a step is used up once; a newer mock of the key begins anew', async () => {
      const { store, reopen } = await begin()
      await save(store, { mock: mock('a') })
      const needs = { key: 'k', providerCall: 'initiate' }
      const [{ mockId = 0 } = {}] = (await look(store, needs)).mocks
      await save(store, { usedMock: { mockId, step: 'initiate' } })
      await save(store, { usedMock: { mockId, step: 'refund' } })
      const again = await reopen()
      expect((await look(again, needs)).mocks[0]?.used).toEqual(['initiate', 'refund'])
      await save(again, { mock: mock('a') })
      expect((await look(again, needs)).mocks[0]?.used).toBeUndefined()
    })

    test('7.4: faults of steps are counted under the key, inside the organization, until they are forgotten', async () => {
      const { store } = await begin()
      await save(store, { faultMet: { key: 'k', met: 2, expiresAt: 100 } })
      const needs = { key: 'k', providerCall: 'capture' }
      expect((await look(store, needs)).faultsMet).toBe(2)
      expect((await look(store, { ...needs, key: 'other' })).faultsMet).toBe(0)
      expect((await look(store, needs, 'other')).faultsMet).toBe(0)
    })
  })
}
