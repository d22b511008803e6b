import { describe, expect, test } from 'vitest'
import type { Mock } from '../../simulator/providers/mock.ts'
import type { Save, Store } from '../../simulator/store/port.ts'
import type { Horizon } from '../../simulator/store/retention-port.ts'
import type { Delivery, Sending } from '../../simulator/webhooks/notification.ts'
import { change, mandate, payment, save } from './records.ts'
import { type OpenStore, twoShops } from './two-shops.ts'

const END = 10
const NEVER: Horizon = { over: -1, codes: -1, past: -1 }
const MANY = 1_000

const remembered = (key: string, expiresAt: number): Save => ({
  remember: { key, fingerprint: 'f', reply: { http: 200, body: '{}' }, expiresAt },
})
const mock = (value: string, expiresAt: number) => ({
  mock: { processingAccountId: 'shop-1', key: { type: 'PAYER_ID', value }, expiresAt } as Mock,
})
const sending = (sendingId: string, dueAt: number, transactionId = 't'): Sending => ({
  sendingId,
  notificationId: sendingId,
  type: 'PAYMENT_CAPTURE',
  transactionId,
  clientTransactionId: 'order',
  body: '{}',
  dueAt,
  variant: {},
})
const told = (...sendings: Sending[]): Save => ({ told: { sendings, deliveries: [], spentPlans: [] } })
const delivery = (sendingId: string, more: Partial<Delivery>): Delivery => ({
  deliveryId: `to-${sendingId}`,
  endpointId: 'e',
  sendingId,
  firstDueAt: 1,
  tries: 1,
  state: 'delivered',
  ...more,
})
const move = (until: number) => ({ kind: 'clock', at: 0, until, way: 'advance', rate: 1, ran: 0, real: 0 }) as const
const click = (transactionId: string) =>
  ({ kind: 'shopper', at: 1, transactionId, action: 'approve', real: 0 }) as const

/** How many rows of an organization there are, by table; tables without any are left out. */
const rowsOf = async (store: Store, organizationId = 'shop') => {
  const { tables } = await store.life(organizationId)
  const counts = Object.entries(tables).map(([table, { rows }]) => [table, rows.length] as const)
  return Object.fromEntries(counts.filter(([, rows]) => rows > 0))
}

/** What every adapter promises to forget, and when (D-109). */
export const retentionContract = (name: string, openStore: OpenStore): void => {
  describe(`${name}: what is over`, () => {
    test('I3, 2.7, 7.4: keys, mocks and met faults go at their end, and no earlier', async () => {
      const { store } = await twoShops(openStore)
      for (const ending of [END, END + 1]) {
        await save(store, { ...remembered(`k${ending}`, ending), ...mock(`p${ending}`, ending) })
        await save(store, { faultMet: { key: `k${ending}`, met: 1, expiresAt: ending } })
      }
      await save(store, remembered('k', END), 'other')
      expect(await store.dropOver('shop', { ...NEVER, over: END }, MANY)).toBe(3)
      expect(await rowsOf(store)).toEqual({ remembered: 1, mocks: 1, faults_met: 1 })
      expect(await rowsOf(store, 'other')).toEqual({ remembered: 1 })
    })

    test('R6: codes go by their own horizon', async () => {
      const { store } = await twoShops(openStore)
      for (const expiresAt of [END, END + 1])
        await store.addBlikCode('shop', { codeId: `c${expiresAt}`, code: '123456', expiresAt })
      expect(await store.dropOver('shop', { ...NEVER, over: MANY, codes: END }, MANY)).toBe(1)
      expect(await store.blikCodeById('shop', `c${END + 1}`)).toBeDefined()
    })

    test('6: messages go with deliveries and tries, but none that is still to be delivered', async () => {
      const { store } = await twoShops(openStore)
      await save(store, told(sending('done', END), sending('waits', END), sending('young', END + 1)))
      const attempt = { at: 1, durationMilliseconds: 1, request: { method: 'POST', url: 'u', headers: {} } } as const
      const deliveries = [delivery('done', {}), delivery('waits', { dueAt: 99, state: 'waiting' })]
      await store.addDeliveries('shop', deliveries)
      for (const delivery of deliveries) await store.saveTry('shop', { delivery, attempt })
      expect(await store.dropOver('shop', { ...NEVER, past: END }, MANY)).toBe(1)
      expect(await rowsOf(store)).toEqual({ notifications: 2, deliveries: 1, attempts: 1 })
      const left = await store.inbox('shop', { now: 99, order: 'oldest', limit: 9 })
      expect(left.map(one => one.sendingId)).toEqual(['waits', 'young'])
    })

    test('2.5: mandates go once they have long ended, by themselves or revoked; moves of the clock go by their age', async () => {
      const { store } = await twoShops(openStore)
      const mandates = [
        mandate('revoked'),
        { ...mandate('ended'), expiresAt: END },
        { ...mandate('good'), expiresAt: END + 1 },
      ]
      for (const mandate of mandates)
        await save(store, { change: change(payment(mandate.paymentToken)), mandate: { ...mandate } })
      await store.revokeMandate('shop', 'revoked', END)
      for (const deed of [move(END), move(END + 1), click('t')]) await store.addDeed('shop', deed)
      expect(await store.dropOver('shop', { ...NEVER, past: END }, MANY)).toBe(3)
      expect((await store.mandates('shop', 9)).map(({ paymentToken }) => paymentToken)).toEqual(['good'])
      expect(await store.deeds('shop', 't', 0)).toEqual([move(END + 1), click('t')])
    })
  })

  describe(`${name}: payments`, () => {
    const posting = { kind: 'capture', movementId: 'm', clientTransactionId: 'order', amount: 1, at: END } as const
    const begin = async () => {
      const { store } = await twoShops(openStore)
      const done = { createdAt: END, state: 'SETTLED' } as const
      const hold = [{ name: 'hold', dueAt: 99 }] as const
      await save(store, {
        change: change(payment('done', done), [], 'payment.settled', [posting]),
        deed: click('done'),
      })
      await save(store, { change: change(payment('held', { ...done, state: 'AUTHORIZED' }), hold, 'x', [posting]) })
      await save(store, { change: change(payment('young', { ...done, createdAt: END + 1 })), deed: click('young') })
      await save(store, told(sending('old', 99, 'done')))
      await store.addDeliveries('shop', [delivery('old', {})])
      return store
    }

    test('8: stay where no horizon is set for them', async () => {
      const store = await begin()
      const all = await rowsOf(store)
      await store.dropOver('shop', { over: MANY, codes: MANY, past: -1 }, MANY)
      expect(await rowsOf(store)).toEqual(all)
    })

    test('8: go with their events, clicks, messages and postings, but not while a deadline runs', async () => {
      const store = await begin()
      expect(await store.dropOver('shop', { ...NEVER, payments: END }, MANY)).toBe(2)
      expect(await rowsOf(store)).toEqual({ payments: 2, events: 2, postings: 1, jobs: 1, deeds: 1 })
    })

    test('6: stay while one of their messages is still to be delivered', async () => {
      const store = await begin()
      await store.resend('shop', 'to-old', 99)
      expect(await store.dropOver('shop', { ...NEVER, payments: END }, MANY)).toBe(0)
    })

    test('go so many at a time, the oldest first', async () => {
      const { store } = await twoShops(openStore)
      for (const createdAt of [3, 1, 2]) await save(store, { change: change(payment(`t${createdAt}`, { createdAt })) })
      expect(await store.dropOver('shop', { ...NEVER, payments: END }, 2)).toBe(2)
      expect((await store.life('shop')).tables.payments?.rows.flat()).toContain('t3')
      expect(await store.dropOver('shop', { ...NEVER, payments: END }, 2)).toBe(1)
      expect(await store.dropOver('shop', { ...NEVER, payments: END }, 2)).toBe(0)
    })
  })
}
