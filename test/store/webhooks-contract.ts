import { describe, expect, test } from 'vitest'
import type { Store } from '../../simulator/store/store.ts'
import type { Delivery, DeliveryAttempt, Endpoint, Message } from '../../simulator/store/webhook-store.ts'
import { type OpenStore, openTwoOrganizations } from './open-two-organizations.ts'
import { readInUnit, writeInUnit } from './run-unit-of-work.ts'

const endpoint = (endpointId: string): Endpoint => ({
  endpointId,
  url: 'https://shop.example/hooks',
  types: ['PAYMENT_REFUND'],
  secrets: [{ secret: 'whsec_AAAA' }, { secret: 'whsec_BBBB', until: 7 }],
  createdAt: 1,
})

export const messageRecord = (messageId: string, dueAt: number, more: Partial<Message> = {}): Message => ({
  messageId,
  notificationId: `n-${messageId}`,
  type: 'PAYMENT_REFUND',
  transactionId: 't',
  clientTransactionId: 'order',
  body: '{"ü":1}',
  dueAt,
  variation: { staleBy: 5 },
  ...more,
})

export const deliveryRecord = (deliveryId: string, messageId: string, dueAt: number, endpointId = 'e'): Delivery => ({
  deliveryId,
  endpointId,
  messageId,
  firstDueAt: dueAt,
  dueAt,
  attemptCount: 0,
  state: 'waiting',
})

export const ATTEMPT: DeliveryAttempt = {
  at: 5,
  durationMilliseconds: 3,
  request: { method: 'POST', url: 'u', headers: {} },
  error: 'no',
}
export const NO_OUTBOX_ENTRIES = { messages: [], deliveries: [], spentPlans: [] }

/** Defines the contract tests of every store on webhook endpoints, notifications, deliveries and delivery plans (6). */
export const webhooksContract = (name: string, openStore: OpenStore): void => {
  const begin = async () => {
    const shops = await openTwoOrganizations(openStore)
    for (const id of ['e', 'f']) await shops.store.addEndpoint('shop', endpoint(id))
    return shops
  }
  const tell = (store: Store, messages: Message[], deliveries: Delivery[] = []) =>
    writeInUnit(store, { outbox: { ...NO_OUTBOX_ENTRIES, messages, deliveries } })
  const inbox = async (store: Store, query: Partial<Parameters<Store['inbox']>[1]> = {}, whose = 'shop') =>
    (await store.inbox(whose, { now: 99, order: 'oldest', limit: 9, ...query })).map(one => one.messageId)

  describe(`${name}: endpoints`, () => {
    test('are listed by organization in the order of creation', async () => {
      const { reopen } = await begin()
      const store = await reopen()
      expect(await store.endpoints('shop')).toEqual([endpoint('e'), endpoint('f')])
      expect(await store.endpoints('other')).toEqual([])
      const wanted = { needs: { subscriptions: true }, now: 0, decide: (loaded: unknown) => ({ result: loaded }) }
      expect(await store.transact({ organizationId: 'shop', ...wanted })).toMatchObject({
        subscriptions: { endpoints: [{ endpointId: 'e' }, { endpointId: 'f' }], plans: [] },
      })
      expect((await readInUnit(store, {})).subscriptions).toBeUndefined()
    })

    test('are changed serially, by their own organization only', async () => {
      const { store } = await begin()
      const longer = () => store.changeEndpoint('shop', 'e', one => ({ ...one, url: `${one.url}1` }))
      await Promise.all([longer(), longer(), longer()])
      expect((await store.endpoints('shop'))[0]?.url).toBe('https://shop.example/hooks111')
      expect(await store.changeEndpoint('other', 'e', one => one)).toBeUndefined()
      expect(await store.removeEndpoint('other', 'e')).toBe(false)
      expect(await store.removeEndpoint('shop', 'e')).toBe(true)
      expect((await store.endpoints('shop')).map(one => one.endpointId)).toEqual(['f'])
    })

    test.each(['disabled', 'removed'])('drop pending deliveries when they are %s', async how => {
      const { store } = await begin()
      await tell(store, [messageRecord('a', 1)], [deliveryRecord('d', 'a', 1), deliveryRecord('g', 'a', 1, 'f')])
      if (how === 'removed') await store.removeEndpoint('shop', 'e')
      else await store.changeEndpoint('shop', 'e', one => ({ ...one, disabled: { at: 1, reason: 'gone' } }))
      const { dueAt: _, ...over } = deliveryRecord('d', 'a', 1)
      expect(await store.delivery('shop', 'd')).toMatchObject({ ...over, state: 'dropped' })
      expect(await store.dueDelivery('shop', 99, [])).toMatchObject({ deliveryId: 'g' })
    })
  })

  describe(`${name}: notifications`, () => {
    test('are in their organization’s inbox once due, in order of due time and then of saving', async () => {
      const { store, reopen } = await begin()
      await tell(store, [messageRecord('c', 30), messageRecord('a', 10), messageRecord('b', 10)])
      const again = await reopen()
      expect(await inbox(again)).toEqual(['a', 'b', 'c'])
      expect(await inbox(again, { order: 'newest', limit: 2 })).toEqual(['c', 'b'])
      expect(await inbox(again, { now: 29 })).toEqual(['a', 'b'])
      expect(await inbox(again, {}, 'other')).toEqual([])
      expect((await again.inbox('shop', { now: 10, order: 'oldest', limit: 1 }))[0]).toEqual(messageRecord('a', 10))
    })

    test('are filtered by type, payment and reference, and listed after a given one', async () => {
      const { store } = await begin()
      const more = { type: 'PAYMENT_CAPTURE', transactionId: 'u', clientTransactionId: 'other' } as const
      await tell(store, [messageRecord('a', 1), messageRecord('b', 2, more), messageRecord('c', 3)])
      expect(await inbox(store, { type: 'PAYMENT_CAPTURE' })).toEqual(['b'])
      expect(await inbox(store, { transactionId: 't' })).toEqual(['a', 'c'])
      expect(await inbox(store, { clientTransactionId: 'other' })).toEqual(['b'])
      expect(await inbox(store, { after: 'a' })).toEqual(['b', 'c'])
      expect(await inbox(store, { after: 'a', transactionId: 't' })).toEqual(['c'])
      expect(await inbox(store, { after: 'nothing' })).toEqual([])
      expect(await inbox(store, { before: 'c' })).toEqual(['a', 'b'])
      expect(await inbox(store, { before: 'c', order: 'newest', limit: 1 })).toEqual(['b'])
      expect(await inbox(store, { before: 'nothing' })).toEqual([])
      const asked = [store.hasMessage('shop', 'a'), store.hasMessage('other', 'a'), store.hasMessage('shop', 'nothing')]
      expect(await Promise.all(asked)).toEqual([true, false, false])
    })

    test('are removed from the inbox when it is cleared, except later ones, and deliveries go on', async () => {
      const { store } = await begin()
      await tell(store, [messageRecord('a', 1), messageRecord('b', 50)], [deliveryRecord('d', 'a', 1)])
      expect(await store.clearInbox('other', 9)).toBe(0)
      expect(await store.clearInbox('shop', 9)).toBe(1)
      expect(await inbox(store)).toEqual(['b'])
      expect((await store.messages('shop', 0, 99, 9)).map(one => one.messageId)).toEqual(['a', 'b'])
      expect((await store.messages('shop', 0, 99, 1)).map(one => one.messageId)).toEqual(['a'])
      expect((await store.delivery('shop', 'd'))?.message.messageId).toBe('a')
    })

    test('of endpoint tests are in no inbox and no replay', async () => {
      const { store } = await begin()
      await store.addMessage('shop', messageRecord('p', 1, { type: 'PING' }))
      expect(await inbox(store)).toEqual([])
      expect(await store.messages('shop', 0, 99, 9)).toEqual([])
    })

    test('I3: are saved atomically with the unit of work', async () => {
      const { store } = await begin()
      await expect(tell(store, [messageRecord('a', 1), messageRecord('a', 1)])).rejects.toThrow()
      expect(await inbox(store)).toEqual([])
    })
  })

  describe(`${name}: deliveries`, () => {
    test('come by due time, then in the order of saving, except for busy endpoints', async () => {
      const { store } = await begin()
      await tell(store, [messageRecord('a', 1)])
      await store.addDeliveries('shop', [
        deliveryRecord('x', 'a', 20),
        deliveryRecord('y', 'a', 10, 'f'),
        deliveryRecord('z', 'a', 10),
      ])
      expect(await store.dueDelivery('shop', 9, [])).toBeUndefined()
      expect(await store.dueDelivery('shop', 10, [])).toEqual(deliveryRecord('y', 'a', 10, 'f'))
      expect((await store.dueDelivery('shop', 99, ['f']))?.deliveryId).toBe('z')
      expect(await store.dueDelivery('shop', 99, ['e', 'f'])).toBeUndefined()
      expect(await store.dueDeliveryTo('shop', 'e', 99)).toMatchObject({ deliveryId: 'z' })
      expect(await store.dueDelivery('other', 99, [])).toBeUndefined()
      expect(await store.dueDeliveryTo('other', 'e', 99)).toBeUndefined()
    })

    test('keep every attempt, which may disable the endpoint', async () => {
      const { store, reopen } = await begin()
      await tell(store, [messageRecord('a', 1)], [deliveryRecord('d', 'a', 1), deliveryRecord('w', 'a', 1)])
      await store.saveAttempt('shop', {
        delivery: { ...deliveryRecord('d', 'a', 30), attemptCount: 1 },
        attempt: ATTEMPT,
      })
      const { dueAt: _, ...over } = deliveryRecord('d', 'a', 1)
      const ended = { ...over, attemptCount: 2, state: 'dropped' as const }
      const disabled = { at: 5, reason: 'gone' }
      const changed = (one: Endpoint) => ({ ...one, disabled })
      await store.saveAttempt('shop', { delivery: ended, attempt: { ...ATTEMPT, at: 6 }, changed })
      const again = await reopen()
      expect(await again.delivery('shop', 'd')).toEqual({
        ...ended,
        message: messageRecord('a', 1),
        attempts: [ATTEMPT, { ...ATTEMPT, at: 6 }],
      })
      expect((await again.endpoints('shop'))[0]?.disabled).toEqual(disabled)
      expect((await again.delivery('shop', 'w'))?.state).toBe('dropped')
      expect(await again.delivery('other', 'd')).toBeUndefined()
    })

    test('keep the newest attempts, and the automatic ones, of which there are ten', async () => {
      const { store, reopen } = await begin()
      await tell(store, [messageRecord('a', 1)], [deliveryRecord('d', 'a', 1), deliveryRecord('w', 'a', 1)])
      const save = (deliveryId: string, at: number, more: object) =>
        store.saveAttempt('shop', {
          delivery: { ...deliveryRecord(deliveryId, 'a', 1), attemptCount: at },
          attempt: { ...ATTEMPT, at, error: ',"isExtra":true}', ...more },
        })
      await save('w', 1, {})
      for (let at = 1; at <= 40; at += 1) await save('d', at, at === 1 || at === 5 ? {} : { isExtra: true })
      const kept = async () => ((await store.delivery('shop', 'd'))?.attempts ?? []).map(({ at }) => at)
      const newest = Array.from({ length: 20 }, (_, nth) => 21 + nth)
      expect(await kept()).toEqual([1, 5, ...newest])
      for (let at = 41; at <= 80; at += 1) await save('d', at, {})
      expect(await kept()).toEqual(newest.map(at => at + 40))
      expect((await (await reopen()).delivery('shop', 'w'))?.attempts).toHaveLength(1)
    })

    test('that were dropped during an attempt are not retried, but may be delivered by it', async () => {
      const { store } = await begin()
      await tell(store, [messageRecord('a', 1)], [deliveryRecord('d', 'a', 1), deliveryRecord('w', 'a', 1)])
      await store.removeEndpoint('shop', 'e')
      await store.saveAttempt('shop', {
        delivery: { ...deliveryRecord('d', 'a', 30), attemptCount: 1 },
        attempt: ATTEMPT,
      })
      const { dueAt: _, ...over } = deliveryRecord('w', 'a', 1)
      await store.saveAttempt('shop', { delivery: { ...over, attemptCount: 1, state: 'delivered' }, attempt: ATTEMPT })
      const [arrived, dropped] = await store.deliveries('shop', { limit: 9 })
      expect([arrived?.state, dropped?.state, dropped?.dueAt]).toEqual(['delivered', 'dropped', undefined])
      expect(dropped?.attempts).toHaveLength(1)
    })

    test('that were deleted record no attempt', async () => {
      const { store } = await begin()
      const changed = (one: Endpoint) => ({ ...one, disabled: { at: 1, reason: 'gone' } })
      await store.saveAttempt('shop', { delivery: deliveryRecord('gone', 'a', 1), attempt: ATTEMPT, changed })
      expect((await store.endpoints('shop'))[0]?.disabled).toBeUndefined()
    })

    test('are listed newest first by criteria, and resent by their own organization only', async () => {
      const { store } = await begin()
      await tell(store, [messageRecord('a', 1), messageRecord('b', 2, { transactionId: 'u' })])
      await store.addDeliveries('shop', [
        deliveryRecord('x', 'a', 1),
        deliveryRecord('y', 'b', 2, 'f'),
        deliveryRecord('z', 'a', 3),
      ])
      const list = async (query: object, whose = 'shop') =>
        (await store.deliveries(whose, { limit: 9, ...query })).map(one => one.deliveryId)
      expect(await list({})).toEqual(['z', 'y', 'x'])
      expect(await list({ limit: 1 })).toEqual(['z'])
      expect(await list({ endpointId: 'f' })).toEqual(['y'])
      expect(await list({ transactionId: 't' })).toEqual(['z', 'x'])
      expect(await list({ state: 'delivered' })).toEqual([])
      expect(await list({}, 'other')).toEqual([])
      expect(await list({ before: 'z', limit: 1 })).toEqual(['y'])
      expect(await list({ before: 'x' })).toEqual([])
      await store.saveAttempt('shop', {
        delivery: { ...deliveryRecord('x', 'a', 30), attemptCount: 1 },
        attempt: ATTEMPT,
      })
      expect(await list({ state: 'waiting', isTried: true })).toEqual(['x'])
      expect(await list({ state: 'waiting', isTried: false })).toEqual(['z', 'y'])
      const counts = await store.countDeliveries('shop')
      expect(
        counts.toSorted(
          (one, other) => Number(one.isTried) - Number(other.isTried) || one.endpointId.localeCompare(other.endpointId),
        ),
      ).toEqual([
        { endpointId: 'e', state: 'waiting', isTried: false, count: 1 },
        { endpointId: 'f', state: 'waiting', isTried: false, count: 1 },
        { endpointId: 'e', state: 'waiting', isTried: true, count: 1 },
      ])
      expect(await store.countDeliveries('other')).toEqual([])
      expect(await list({ transactionId: ['t', 'u'] })).toEqual(['z', 'y', 'x'])
      expect(await list({ transactionId: ['u', 'none'] })).toEqual(['y'])
      expect(await list({ transactionId: [] })).toEqual([])
      expect(await store.resend('other', 'x', { at: 7, real: 5 })).toBeUndefined()
      const resent = { deliveryId: 'x', dueAt: 7, state: 'waiting', resentAt: 5 }
      expect(await store.resend('shop', 'x', { at: 7, real: 5 })).toMatchObject(resent)
    })

    test('of a resend are counted by their outcome, and one resent during an attempt stays due', async () => {
      const { store, reopen } = await begin()
      await tell(store, [messageRecord('a', 1)])
      const records = ['x', 'y', 'z', 'w'].map(id => deliveryRecord(id, 'a', 1))
      await store.addDeliveries('shop', records)
      for (const id of ['x', 'y', 'z']) await store.resend('shop', id, { at: 7, real: 5 })
      expect(await store.countResent('shop', 5, 6)).toEqual({ delivered: 0, failing: 3, open: 0 })
      expect(await store.countResent('shop', 5, 7)).toEqual({ delivered: 0, failing: 0, open: 3 })
      const { dueAt: _, ...over } = deliveryRecord('x', 'a', 1)
      const attempt = ATTEMPT
      const tried = { ...over, attemptCount: 1, resentAt: 5 }
      await store.saveAttempt('shop', { delivery: { ...tried, state: 'delivered' }, attempt })
      await store.saveAttempt('shop', { delivery: { ...tried, deliveryId: 'y', dueAt: 30 }, attempt })
      await store.saveAttempt('shop', { delivery: { ...over, deliveryId: 'z', attemptCount: 1, dueAt: 30 }, attempt })
      const again = await reopen()
      expect(await again.countResent('shop', 5, 9)).toEqual({ delivered: 1, failing: 1, open: 1 })
      expect(await again.countResent('other', 5, 9)).toEqual({ delivered: 0, failing: 0, open: 0 })
      expect(await again.delivery('shop', 'z')).toMatchObject({ dueAt: 7, state: 'waiting', attemptCount: 1 })
    })
  })

  test(`${name}: delivery plans are listed oldest first until they are used up`, async () => {
    const { store, reopen } = await begin()
    const plan = { planId: 'p', match: { payerId: 'x' }, do: 'drop' as const, on: 'PAYMENT_REFUND', after: 5, left: 2 }
    await store.addPlan('shop', plan)
    await store.addPlan('shop', { ...plan, planId: 'q' })
    const again = await reopen()
    expect(await again.plans('shop')).toEqual([plan, { ...plan, planId: 'q' }])
    expect(await again.plans('other')).toEqual([])
    await writeInUnit(again, {
      outbox: {
        ...NO_OUTBOX_ENTRIES,
        spentPlans: Object.entries({ p: 1, q: 2 }).map(([planId, times]) => ({ planId, times })),
      },
    })
    expect(await again.plans('shop')).toEqual([{ ...plan, left: 1 }])
    expect(await again.clearPlans('other')).toBe(0)
    expect(await again.clearPlans('shop')).toBe(1)
  })
}
