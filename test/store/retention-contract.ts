import { describe, expect, test } from 'vitest'
import type { Mock } from '../../simulator/providers/provider-mock.ts'
import type { RetentionCutoffs } from '../../simulator/store/retention-store.ts'
import type { Store } from '../../simulator/store/store.ts'
import type { WriteSet } from '../../simulator/store/unit-of-work.ts'
import type { Delivery, Message } from '../../simulator/store/webhook-store.ts'
import { type OpenStore, openTwoOrganizations } from './open-two-organizations.ts'
import { readInUnit, writeInUnit } from './run-unit-of-work.ts'
import { change, mandate, payment } from './sample-records.ts'

const END = 10
const NEVER: RetentionCutoffs = { expired: -1, blikCodes: -1, messages: -1 }
const MANY = 1_000

const remembered = (key: string, expiresAt: number): WriteSet => ({
  idempotentReply: { key, fingerprint: 'f', reply: { http: 200, body: '{}' }, expiresAt },
})
const mock = (value: string, expiresAt: number) => ({
  mock: { processingAccountId: 'shop-1', key: { type: 'PAYER_ID', value }, expiresAt } as Mock,
})
const message = (messageId: string, dueAt: number, transactionId = 't'): Message => ({
  messageId,
  notificationId: messageId,
  type: 'PAYMENT_CAPTURE',
  transactionId,
  clientTransactionId: 'order',
  body: '{}',
  dueAt,
  variation: {},
})
const told = (...messages: Message[]): WriteSet => ({ outbox: { messages, deliveries: [], spentPlans: [] } })
const delivery = (messageId: string, more: Partial<Delivery>): Delivery => ({
  deliveryId: `to-${messageId}`,
  endpointId: 'e',
  messageId,
  firstDueAt: 1,
  attemptCount: 1,
  state: 'delivered',
  ...more,
})
const move = (until: number) => ({ kind: 'clock', at: 0, until, way: 'advance', rate: 1, ran: 0, real: 0 }) as const
const click = (transactionId: string) =>
  ({ kind: 'shopper', at: 1, transactionId, action: 'approve', real: 0 }) as const

/** Row counts of an organization by table, without empty tables. */
const rowsOf = async (store: Store, organizationId = 'shop') => {
  const { tables } = await store.organizationState(organizationId)
  const counts = Object.entries(tables).map(([table, { rows }]) => [table, rows.length] as const)
  return Object.fromEntries(counts.filter(([, rows]) => rows > 0))
}

/** Defines the contract tests of every store on the deletion of expired rows (D-109). */
export const retentionContract = (name: string, openStore: OpenStore): void => {
  describe(`${name}: expired rows`, () => {
    test('I3, 2.7, 7.4: idempotency keys, mocks and fault counts are deleted at their expiry', async () => {
      const { store } = await openTwoOrganizations(openStore)
      for (const ending of [END, END + 1]) {
        await writeInUnit(store, { ...remembered(`k${ending}`, ending), ...mock(`p${ending}`, ending) })
        await writeInUnit(store, { faultTrigger: { key: `k${ending}`, count: 1, expiresAt: ending } })
      }
      await writeInUnit(store, remembered('k', END), 'other')
      expect(await store.deleteExpired('shop', { ...NEVER, expired: END }, MANY)).toBe(3)
      expect(await rowsOf(store)).toEqual({ idempotency_keys: 1, mocks: 1, fault_trigger_counts: 1 })
      expect(await rowsOf(store, 'other')).toEqual({ idempotency_keys: 1 })
    })

    test('R6: BLIK codes are deleted by their own cutoff', async () => {
      const { store } = await openTwoOrganizations(openStore)
      for (const expiresAt of [END, END + 1])
        await store.addBlikCode('shop', { codeId: `c${expiresAt}`, code: '123456', expiresAt })
      expect(await store.deleteExpired('shop', { ...NEVER, expired: MANY, blikCodes: END }, MANY)).toBe(1)
      expect(await store.blikCodeById('shop', `c${END + 1}`)).toBeDefined()
    })

    test('a phone remembers its codes for as long as messages are kept', async () => {
      const { store } = await openTwoOrganizations(openStore)
      await store.addBlikCode('shop', { codeId: 'c', code: '123456', expiresAt: END, phoneId: 'p' })
      expect(await store.deleteExpired('shop', { ...NEVER, blikCodes: MANY }, MANY)).toBe(0)
      expect(await store.deleteExpired('shop', { ...NEVER, messages: END }, MANY)).toBe(1)
    })

    test('6: messages are deleted with deliveries and attempts, except while a delivery is pending', async () => {
      const { store } = await openTwoOrganizations(openStore)
      await writeInUnit(store, told(message('done', END), message('waits', END), message('young', END + 1)))
      const attempt = { at: 1, durationMilliseconds: 1, request: { method: 'POST', url: 'u', headers: {} } } as const
      const deliveries = [delivery('done', {}), delivery('waits', { dueAt: 99, state: 'waiting' })]
      await store.addDeliveries('shop', deliveries)
      for (const delivery of deliveries) await store.saveAttempt('shop', { delivery, attempt })
      expect(await store.deleteExpired('shop', { ...NEVER, messages: END }, MANY)).toBe(1)
      expect(await rowsOf(store)).toEqual({ messages: 2, deliveries: 1, delivery_attempts: 1 })
      const left = await store.inbox('shop', { now: 99, order: 'oldest', limit: 9 })
      expect(left.map(one => one.messageId)).toEqual(['waits', 'young'])
    })

    test('2.5: mandates are deleted by their expiry or revocation, clock activities by their age', async () => {
      const { store } = await openTwoOrganizations(openStore)
      const mandates = [
        mandate('revoked'),
        { ...mandate('ended'), expiresAt: END },
        { ...mandate('good'), expiresAt: END + 1 },
      ]
      for (const mandate of mandates)
        await writeInUnit(store, { change: change(payment(mandate.paymentToken)), mandate: { ...mandate } })
      await store.revokeMandate('shop', 'revoked', END)
      for (const activity of [move(END), move(END + 1), click('t')]) await store.addActivity('shop', activity)
      expect(await store.deleteExpired('shop', { ...NEVER, messages: END }, MANY)).toBe(3)
      expect((await store.mandates('shop', 9)).map(({ paymentToken }) => paymentToken)).toEqual(['good'])
      expect(await store.activities('shop', 't', 0)).toEqual([move(END + 1), click('t')])
    })
  })

  describe(`${name}: old payments`, () => {
    const ledgerEntry = {
      kind: 'capture',
      captureOrRefundId: 'm',
      clientTransactionId: 'order',
      amount: 1,
      at: END,
    } as const
    const begin = async () => {
      const { store } = await openTwoOrganizations(openStore)
      const done = { createdAt: END, state: 'SETTLED' } as const
      const hold = [{ name: 'hold', dueAt: 99 }] as const
      await writeInUnit(store, {
        change: change(payment('done', done), [], 'payment.settled', [ledgerEntry]),
        activity: click('done'),
      })
      await writeInUnit(store, {
        change: change(payment('held', { ...done, state: 'AUTHORIZED' }), hold, 'x', [ledgerEntry]),
      })
      await writeInUnit(store, {
        change: change(payment('young', { ...done, createdAt: END + 1 })),
        activity: click('young'),
      })
      await writeInUnit(store, told(message('old', 99, 'done')))
      await store.addDeliveries('shop', [delivery('old', {})])
      return store
    }

    test('8: are kept without a cutoff', async () => {
      const store = await begin()
      const all = await rowsOf(store)
      await store.deleteExpired('shop', { expired: MANY, blikCodes: MANY, messages: -1 }, MANY)
      expect(await rowsOf(store)).toEqual(all)
    })

    test('8: are deleted with events, activities, messages and ledger entries, except while a deadline runs', async () => {
      const store = await begin()
      expect(await store.deleteExpired('shop', { ...NEVER, payments: END, ledgerEntries: END }, MANY)).toBe(3)
      expect(await rowsOf(store)).toEqual({ payments: 2, payment_events: 2, jobs: 1, activities: 1 })
    })

    test('D-75: ledger entries outlive their payment unchanged, until they are deleted by their own cutoff', async () => {
      const store = await begin()
      const list = async () =>
        (await readInUnit(store, { ledgerEntries: { accountIds: ['shop-1'], from: 0, to: 99 } })).ledgerEntries
      const before = await list()
      expect(await store.deleteExpired('shop', { ...NEVER, payments: END, ledgerEntries: END - 1 }, MANY)).toBe(1)
      expect((await readInUnit(store, { transactionId: 'done' })).payment).toBeUndefined()
      expect(await list()).toEqual(before)
      expect(before.map(({ transactionId, reference }) => [transactionId, reference])).toEqual([
        ['done', 'order'],
        ['held', 'order'],
      ])
      expect(await store.findIds('shop', { end: 'm', limit: 9 })).toEqual([
        { kind: 'capture', id: 'm', transactionId: 'held', clientTransactionId: 'order' },
      ])
      expect(await store.deleteExpired('shop', { ...NEVER, ledgerEntries: END }, MANY)).toBe(2)
      expect(await list()).toEqual([])
    })

    test('6: are kept while a delivery of their messages is pending', async () => {
      const store = await begin()
      await store.resend('shop', 'to-old', { at: 99, real: 99 })
      expect(await store.deleteExpired('shop', { ...NEVER, payments: END }, MANY)).toBe(0)
    })

    test('are deleted in batches, oldest first', async () => {
      const { store } = await openTwoOrganizations(openStore)
      for (const createdAt of [3, 1, 2])
        await writeInUnit(store, { change: change(payment(`t${createdAt}`, { createdAt })) })
      expect(await store.deleteExpired('shop', { ...NEVER, payments: END }, 2)).toBe(2)
      expect((await store.organizationState('shop')).tables.payments?.rows.flat()).toContain('t3')
      expect(await store.deleteExpired('shop', { ...NEVER, payments: END }, 2)).toBe(1)
      expect(await store.deleteExpired('shop', { ...NEVER, payments: END }, 2)).toBe(0)
    })
  })
}
