import { describe, expect, test } from 'vitest'
import type { Fault } from '../../simulator/providers/fault-kinds.ts'
import type { Mock } from '../../simulator/providers/provider-mock.ts'
import type { Store } from '../../simulator/store/store.ts'
import type { LateCall } from '../../simulator/store/unit-of-work.ts'
import { type OpenStore, openTwoOrganizations } from './open-two-organizations.ts'
import { dueJob, nextDue, readInUnit, writeInUnit } from './run-unit-of-work.ts'
import { change, payment } from './sample-records.ts'

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

/** Defines the contract tests of every store on armed faults, late responses (7.4) and mocks (2.7). */
export const faultsAndMocksContract = (name: string, openStore: OpenStore): void => {
  const begin = () => openTwoOrganizations(openStore)
  const waiting = async (store: Store, providerCall = 'refund', organizationId = 'shop') =>
    (await readInUnit(store, { providerCall }, organizationId)).faults

  describe(`${name}: armed faults`, () => {
    test('are loaded oldest first, by operation and organization, and only on request', async () => {
      const { store, reopen } = await begin()
      const first = await store.addFault('shop', FAULT)
      const second = await store.addFault('shop', { operation: 'refund', kind: 'error', left: 1 })
      const again = await reopen()
      expect(await waiting(again)).toEqual([first, second])
      expect(first).toMatchObject(FAULT)
      expect(await waiting(again, 'capture')).toEqual([])
      expect(await waiting(again, 'refund', 'other')).toEqual([])
      expect((await readInUnit(again, { transactionId: 't' })).faults).toEqual([])
    })

    test('keep their match criteria', async () => {
      const { store, reopen } = await begin()
      const match = { payerId: 'payer-7', providerId: 'IRIS' }
      const fault = await store.addFault('shop', { operation: 'refund', kind: 'slow', after: 9, match, left: 1 })
      const again = await reopen()
      expect([await waiting(again), await again.faults('shop')]).toEqual([[fault], [fault]])
      expect(fault.match).toEqual(match)
    })

    test('are removed when triggered the given number of times', async () => {
      const { store } = await begin()
      const { faultId } = await store.addFault('shop', FAULT)
      await writeInUnit(store, { spentFaultId: faultId })
      expect(await store.faults('shop')).toEqual([{ ...FAULT, faultId, left: 1 }])
      await writeInUnit(store, { spentFaultId: faultId })
      expect(await store.faults('shop')).toEqual([])
    })

    test('are cleared for one organization', async () => {
      const { store } = await begin()
      await store.addFault('shop', FAULT)
      await store.addFault('other', FAULT)
      expect(await store.clearFaults('shop')).toBe(1)
      expect([await store.faults('shop'), (await store.faults('other')).length]).toEqual([[], 1])
    })
  })

  describe(`${name}: late responses`, () => {
    test('are found by their key and by their payment until their job is done', async () => {
      const { store, reopen } = await begin()
      await writeInUnit(store, { lateCall: LATE })
      const again = await reopen()
      const needs = { providerCall: 'refund' }
      expect((await readInUnit(again, { ...needs, key: 'k' })).lateCall).toEqual(LATE)
      expect((await readInUnit(again, { ...needs, key: 'x', transactionId: 't' })).lateCall).toEqual(LATE)
      expect((await readInUnit(again, { ...needs, key: 'x', transactionId: 'u' })).lateCall).toBeUndefined()
      expect((await readInUnit(again, { ...needs, key: 'k', transactionId: 't' }, 'other')).lateCall).toBeUndefined()
      expect((await readInUnit(again, { transactionId: 't' })).lateCall).toBeUndefined()
      expect(await nextDue(again, 'shop')).toBe(20)
      expect(await dueJob(again, 'shop', 19)).toBeUndefined()
      const job = await dueJob(again, 'shop', 20)
      expect(job).toMatchObject({ name: 'late-answer', dueAt: 20, lateCall: LATE })
      await writeInUnit(again, { finishedJobId: job?.jobId })
      expect((await readInUnit(again, { ...needs, key: 'k', transactionId: 't' })).lateCall).toBeUndefined()
    })

    test('are seen by the unit of work that finishes their job, and by no unit after it', async () => {
      const { store } = await begin()
      await writeInUnit(store, { lateCall: LATE })
      const jobId = (await dueJob(store, 'shop', 20))?.jobId
      const finish = () =>
        store.transact({
          ...{ organizationId: 'shop', now: 20, needs: { providerCall: 'refund', key: 'k', jobId } },
          decide: ({ lateCall }) => ({ result: lateCall, save: { finishedJobId: jobId } }),
        })
      expect(await finish()).toEqual(LATE)
      expect(await finish()).toBeUndefined()
    })

    test('without a payment are found by their key only', async () => {
      const { store } = await begin()
      await writeInUnit(store, { lateCall: { ...LATE, transactionId: undefined } })
      const needs = { providerCall: 'initiate' }
      expect((await readInUnit(store, { ...needs, key: 'k' })).lateCall).toMatchObject({ transactionId: undefined })
      expect((await readInUnit(store, { ...needs, key: 'x', transactionId: '' })).lateCall).toBeUndefined()
    })

    test('stay when the payment changes state and its other jobs are removed', async () => {
      const { store } = await begin()
      await writeInUnit(store, { change: change(payment('t'), [{ name: 'shopper-window', dueAt: 5 }]), lateCall: LATE })
      await writeInUnit(store, { change: change(payment('t', { state: 'AUTHENTICATED' })) })
      expect(await dueJob(store, 'shop', 99)).toMatchObject({ name: 'late-answer' })
    })
  })

  describe(`${name}: mocks`, () => {
    test('are listed newest first until they expire; a newer one replaces that of the same account and key', async () => {
      const { store, reopen } = await begin()
      for (const set of [mock('a'), mock('b'), mock('a', { scenario: 'OK', expiresAt: 12 })])
        await writeInUnit(store, { mock: set })
      await writeInUnit(store, { mock: mock('a') }, 'other')
      const again = await reopen()
      expect(await again.mocks('shop', 9, 9)).toEqual([mock('a', { scenario: 'OK', expiresAt: 12 }), mock('b')])
      expect(await again.mocks('shop', 9, 1)).toEqual([mock('a', { scenario: 'OK', expiresAt: 12 })])
      expect(await again.mocks('shop', 11, 9)).toEqual([mock('a', { scenario: 'OK', expiresAt: 12 })])
      expect(await again.mocks('other', 0, 9)).toEqual([mock('a')])
      await writeInUnit(again, { mock: mock('a', { processingAccountId: 'shop-2' }) })
      expect(await again.mocks('shop', 9, 9)).toHaveLength(3)
    })

    test('2.7: are loaded for a call by its payer and reference, without most others', async () => {
      const { store } = await begin()
      await writeInUnit(store, { mock: mock('mine') })
      for (let count = 0; count < 15; count += 1) await writeInUnit(store, { mock: mock(`other-${count}`) })
      const needs = { key: 'k', providerCall: 'initiate', mockKeys: { payerId: 'mine', clientTransactionId: 'mine' } }
      const { mocks } = await readInUnit(store, needs)
      expect(mocks.map(({ key }) => key.value)).toContain('mine')
      expect(mocks.length).toBeLessThan(15)
      expect((await readInUnit(store, needs, 'other')).mocks).toEqual([])
    })

    test('2.7: keep their used steps; a newer mock of the same key has none', async () => {
      const { store, reopen } = await begin()
      await writeInUnit(store, { mock: mock('a') })
      const needs = { key: 'k', providerCall: 'initiate' }
      const [{ mockId = 0 } = {}] = (await readInUnit(store, needs)).mocks
      await writeInUnit(store, { usedMock: { mockId, step: 'initiate' } })
      await writeInUnit(store, { usedMock: { mockId, step: 'refund' } })
      const again = await reopen()
      expect((await readInUnit(again, needs)).mocks[0]?.used).toEqual(['initiate', 'refund'])
      await writeInUnit(again, { mock: mock('a') })
      expect((await readInUnit(again, needs)).mocks[0]?.used).toBeUndefined()
    })

    test('7.4: count triggered faults of steps by key and organization', async () => {
      const { store } = await begin()
      await writeInUnit(store, { faultTrigger: { key: 'k', count: 2, expiresAt: 100 } })
      const needs = { key: 'k', providerCall: 'capture' }
      expect((await readInUnit(store, needs)).faultTriggerCount).toBe(2)
      expect((await readInUnit(store, { ...needs, key: 'other' })).faultTriggerCount).toBe(0)
      expect((await readInUnit(store, needs, 'other')).faultTriggerCount).toBe(0)
    })
  })
}
