import { describe, expect, test } from 'vitest'
import type { LedgerEntry } from '../../simulator/payments/payment.ts'
import { type OpenStore, openTwoOrganizations } from './open-two-organizations.ts'
import { writeInUnit } from './run-unit-of-work.ts'
import { change, payment } from './sample-records.ts'
import { deliveryRecord, messageRecord, NO_OUTBOX_ENTRIES } from './webhooks-contract.ts'

const entry = (kind: LedgerEntry['kind'], captureOrRefundId: string, clientTransactionId: string): LedgerEntry => ({
  kind,
  captureOrRefundId,
  clientTransactionId,
  amount: 400,
  at: 9,
})

/** Defines the contract tests of every store on counts of payments for charts, and the search for ids by their end. */
export const paymentCountsAndIdsContract = (name: string, openStore: OpenStore): void => {
  describe(`${name}: counts of payments`, () => {
    test('are by period of creation and by status, without empty ones, of one organization', async () => {
      const { store } = await openTwoOrganizations(openStore)
      for (const [id, createdAt, state] of [
        ['before', 99, 'SETTLED'],
        ['a', 100, 'SETTLED'],
        ['b', 109, 'CAPTURED'],
        ['c', 109, 'EXPIRED'],
        ['d', 110, 'DECLINED'],
        ['e', 134, 'AUTHENTICATED'],
        ['behind', 135, 'SETTLED'],
      ] as const)
        await writeInUnit(store, { change: change(payment(id, { createdAt, state })) })
      const counts = await store.paymentCounts('shop', { from: 100, to: 135, width: 10 })
      expect(counts).toEqual([
        { period: 0, status: 'APPROVED', count: 2 },
        { period: 0, status: 'DECLINED', count: 1 },
        { period: 1, status: 'DECLINED', count: 1 },
        { period: 3, status: 'ACCEPTED', count: 1 },
      ])
      expect(await store.paymentCounts('other', { from: 0, to: 200, width: 100 })).toEqual([])
    })
  })

  describe(`${name}: ids`, () => {
    test('are found by their end: payments, captures, refunds and deliveries of one organization', async () => {
      const { store, reopen } = await openTwoOrganizations(openStore)
      await writeInUnit(store, {
        change: change(payment('p-77%a_1'), [], 'payment.captured', [
          entry('capture', 'c-77%a_1', 'first'),
          entry('settlement', 'c-77%a_1', 'first'),
          entry('refund', 'r-77xa_1', 'back'),
        ]),
        outbox: {
          ...NO_OUTBOX_ENTRIES,
          messages: [messageRecord('m', 1)],
          deliveries: [deliveryRecord('d-77%a_1', 'm', 1)],
        },
      })
      const again = await reopen()
      const find = (end: string, limit = 9, organizationId = 'shop') => again.findIds(organizationId, { end, limit })
      const of = { transactionId: 'p-77%a_1' }
      const found = [
        { kind: 'payment', id: 'p-77%a_1', clientTransactionId: 'order', ...of },
        { kind: 'capture', id: 'c-77%a_1', clientTransactionId: 'first', ...of },
        { kind: 'delivery', id: 'd-77%a_1' },
      ]
      expect(await find('77%a_1')).toEqual(found)
      expect(await find('c-77%a_1')).toEqual([found[1]])
      expect((await find('a_1')).map(({ id }) => id)).toEqual(['p-77%a_1', 'c-77%a_1', 'r-77xa_1', 'd-77%a_1'])
      expect(await find('back')).toEqual([{ kind: 'refund', id: 'r-77xa_1', clientTransactionId: 'back', ...of }])
      expect(await find('77%a_1', 9, 'other')).toEqual([])
      expect(await find('p-77')).toEqual([])
    })

    test('are limited for each kind', async () => {
      const { store } = await openTwoOrganizations(openStore)
      for (const id of ['b-1', 'a-1', 'c-1']) await writeInUnit(store, { change: change(payment(id)) })
      expect((await store.findIds('shop', { end: '-1', limit: 2 })).map(({ id }) => id)).toEqual(['a-1', 'b-1'])
    })
  })
}
