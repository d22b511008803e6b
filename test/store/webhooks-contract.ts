import { describe, expect, test } from 'vitest'
import type { Store } from '../../simulator/store/port.ts'
import type { Attempt, Delivery, Endpoint, Sending } from '../../simulator/webhooks/notification.ts'
import { look, save } from './records.ts'
import { type OpenStore, twoShops } from './two-shops.ts'

const endpoint = (endpointId: string): Endpoint => ({
  endpointId,
  url: 'https://shop.example/hooks',
  types: ['PAYMENT_REFUND'],
  secrets: [{ secret: 'whsec_AAAA' }, { secret: 'whsec_BBBB', until: 7 }],
  createdAt: 1,
})

export const sending = (sendingId: string, dueAt: number, more: Partial<Sending> = {}): Sending => ({
  sendingId,
  notificationId: `n-${sendingId}`,
  type: 'PAYMENT_REFUND',
  transactionId: 't',
  clientTransactionId: 'order',
  body: '{"ü":1}',
  dueAt,
  variant: { staleBy: 5 },
  ...more,
})

export const delivery = (deliveryId: string, sendingId: string, dueAt: number, endpointId = 'e'): Delivery => ({
  deliveryId,
  endpointId,
  sendingId,
  firstDueAt: dueAt,
  dueAt,
  tries: 0,
  state: 'waiting',
})

export const ATTEMPT: Attempt = {
  at: 5,
  durationMilliseconds: 3,
  request: { method: 'POST', url: 'u', headers: {} },
  error: 'no',
}
export const NOTHING = { sendings: [], deliveries: [], spentPlans: [] }

/** What every adapter promises of endpoints, notifications, deliveries and delivery plans (6). */
export const webhooksContract = (name: string, openStore: OpenStore): void => {
  const begin = async () => {
    const shops = await twoShops(openStore)
    for (const id of ['e', 'f']) await shops.store.addEndpoint('shop', endpoint(id))
    return shops
  }
  const tell = (store: Store, sendings: Sending[], deliveries: Delivery[] = []) =>
    save(store, { told: { ...NOTHING, sendings, deliveries } })
  const inbox = async (store: Store, query: Partial<Parameters<Store['inbox']>[1]> = {}, whose = 'shop') =>
    (await store.inbox(whose, { now: 99, order: 'oldest', limit: 9, ...query })).map(one => one.sendingId)

  describe(`${name}: endpoints`, () => {
    test('are kept in the order of their making, and apart', async () => {
      const { reopen } = await begin()
      const store = await reopen()
      expect(await store.endpoints('shop')).toEqual([endpoint('e'), endpoint('f')])
      expect(await store.endpoints('other')).toEqual([])
      const wanted = { needs: { listeners: true }, now: 0, decide: (loaded: unknown) => ({ result: loaded }) }
      expect(await store.perform({ organizationId: 'shop', ...wanted })).toMatchObject({
        listeners: { endpoints: [{ endpointId: 'e' }, { endpointId: 'f' }], plans: [] },
      })
      expect((await look(store, {})).listeners).toBeUndefined()
    })

    test('are changed one change after the other, by their own organization', async () => {
      const { store } = await begin()
      const longer = () => store.changeEndpoint('shop', 'e', one => ({ ...one, url: `${one.url}1` }))
      await Promise.all([longer(), longer(), longer()])
      expect((await store.endpoints('shop'))[0]?.url).toBe('https://shop.example/hooks111')
      expect(await store.changeEndpoint('other', 'e', one => one)).toBeUndefined()
      expect(await store.removeEndpoint('other', 'e')).toBe(false)
      expect(await store.removeEndpoint('shop', 'e')).toBe(true)
      expect((await store.endpoints('shop')).map(one => one.endpointId)).toEqual(['f'])
    })

    test.each(['disabled', 'removed'])('drop what waits for them once they are %s', async how => {
      const { store } = await begin()
      await tell(store, [sending('a', 1)], [delivery('d', 'a', 1), delivery('g', 'a', 1, 'f')])
      if (how === 'removed') await store.removeEndpoint('shop', 'e')
      else await store.changeEndpoint('shop', 'e', one => ({ ...one, disabled: { at: 1, reason: 'gone' } }))
      const { dueAt: _, ...over } = delivery('d', 'a', 1)
      expect(await store.delivery('shop', 'd')).toMatchObject({ ...over, state: 'dropped' })
      expect(await store.dueDelivery('shop', 99, [])).toMatchObject({ deliveryId: 'g' })
    })
  })

  describe(`${name}: notifications`, () => {
    test('are in the inbox once due, in order of due time and then of saving, and nobody else’s', async () => {
      const { store, reopen } = await begin()
      await tell(store, [sending('c', 30), sending('a', 10), sending('b', 10)])
      const again = await reopen()
      expect(await inbox(again)).toEqual(['a', 'b', 'c'])
      expect(await inbox(again, { order: 'newest', limit: 2 })).toEqual(['c', 'b'])
      expect(await inbox(again, { now: 29 })).toEqual(['a', 'b'])
      expect(await inbox(again, {}, 'other')).toEqual([])
      expect((await again.inbox('shop', { now: 10, order: 'oldest', limit: 1 }))[0]).toEqual(sending('a', 10))
    })

    test('are narrowed by type, payment and reference, and go on after one', async () => {
      const { store } = await begin()
      const more = { type: 'PAYMENT_CAPTURE', transactionId: 'u', clientTransactionId: 'other' } as const
      await tell(store, [sending('a', 1), sending('b', 2, more), sending('c', 3)])
      expect(await inbox(store, { type: 'PAYMENT_CAPTURE' })).toEqual(['b'])
      expect(await inbox(store, { transactionId: 't' })).toEqual(['a', 'c'])
      expect(await inbox(store, { clientTransactionId: 'other' })).toEqual(['b'])
      expect(await inbox(store, { after: 'a' })).toEqual(['b', 'c'])
      expect(await inbox(store, { after: 'a', transactionId: 't' })).toEqual(['c'])
      expect(await inbox(store, { after: 'nothing' })).toEqual([])
    })

    test('leave the inbox when it is emptied, the ones to come stay, and deliveries go on', async () => {
      const { store } = await begin()
      await tell(store, [sending('a', 1), sending('b', 50)], [delivery('d', 'a', 1)])
      expect(await store.clearInbox('other', 9)).toBe(0)
      expect(await store.clearInbox('shop', 9)).toBe(1)
      expect(await inbox(store)).toEqual(['b'])
      expect((await store.sendings('shop', 0, 99)).map(one => one.sendingId)).toEqual(['a', 'b'])
      expect((await store.delivery('shop', 'd'))?.sending.sendingId).toBe('a')
    })

    test('beside any payment are in no inbox and in no replay', async () => {
      const { store } = await begin()
      await store.addSending('shop', sending('p', 1, { type: 'PING' }))
      expect(await inbox(store)).toEqual([])
      expect(await store.sendings('shop', 0, 99)).toEqual([])
    })

    test('I3: are saved with the rest of the unit of work or not at all', async () => {
      const { store } = await begin()
      await expect(tell(store, [sending('a', 1), sending('a', 1)])).rejects.toThrow()
      expect(await inbox(store)).toEqual([])
    })
  })

  describe(`${name}: deliveries`, () => {
    test('come by due time, then in the order of saving, but for endpoints that are busy', async () => {
      const { store } = await begin()
      await tell(store, [sending('a', 1)])
      await store.addDeliveries('shop', [delivery('x', 'a', 20), delivery('y', 'a', 10, 'f'), delivery('z', 'a', 10)])
      expect(await store.dueDelivery('shop', 9, [])).toBeUndefined()
      expect(await store.dueDelivery('shop', 10, [])).toEqual(delivery('y', 'a', 10, 'f'))
      expect((await store.dueDelivery('shop', 99, ['f']))?.deliveryId).toBe('z')
      expect(await store.dueDelivery('shop', 99, ['e', 'f'])).toBeUndefined()
      expect(await store.dueDeliveryTo('shop', 'e', 99)).toMatchObject({ deliveryId: 'z' })
      expect(await store.dueDelivery('other', 99, [])).toBeUndefined()
      expect(await store.dueDeliveryTo('other', 'e', 99)).toBeUndefined()
    })

    test('keep every try, and the endpoint that is disabled by one', async () => {
      const { store, reopen } = await begin()
      await tell(store, [sending('a', 1)], [delivery('d', 'a', 1), delivery('w', 'a', 1)])
      await store.saveTry('shop', { delivery: { ...delivery('d', 'a', 30), tries: 1 }, attempt: ATTEMPT })
      const { dueAt: _, ...over } = delivery('d', 'a', 1)
      const ended = { ...over, tries: 2, state: 'dropped' as const }
      const disabled = { at: 5, reason: 'gone' }
      await store.saveTry('shop', { delivery: ended, attempt: { ...ATTEMPT, at: 6 }, disabled })
      const again = await reopen()
      expect(await again.delivery('shop', 'd')).toEqual({
        ...ended,
        sending: sending('a', 1),
        attempts: [ATTEMPT, { ...ATTEMPT, at: 6 }],
      })
      expect((await again.endpoints('shop'))[0]?.disabled).toEqual(disabled)
      expect((await again.delivery('shop', 'w'))?.state).toBe('dropped')
      expect(await again.delivery('other', 'd')).toBeUndefined()
    })

    test('that were dropped meanwhile are not tried again, but may have arrived all the same', async () => {
      const { store } = await begin()
      await tell(store, [sending('a', 1)], [delivery('d', 'a', 1), delivery('w', 'a', 1)])
      await store.removeEndpoint('shop', 'e')
      await store.saveTry('shop', { delivery: { ...delivery('d', 'a', 30), tries: 1 }, attempt: ATTEMPT })
      const { dueAt: _, ...over } = delivery('w', 'a', 1)
      await store.saveTry('shop', { delivery: { ...over, tries: 1, state: 'delivered' }, attempt: ATTEMPT })
      const [arrived, dropped] = await store.deliveries('shop', { limit: 9 })
      expect([arrived?.state, dropped?.state, dropped?.dueAt]).toEqual(['delivered', 'dropped', undefined])
      expect(dropped?.attempts).toHaveLength(1)
    })

    test('that are there no longer take no try', async () => {
      const { store } = await begin()
      const tried = { delivery: delivery('gone', 'a', 1), attempt: ATTEMPT, disabled: { at: 1, reason: 'gone' } }
      await store.saveTry('shop', tried)
      expect((await store.endpoints('shop'))[0]?.disabled).toBeUndefined()
    })

    test('are listed newest first by what is asked, and resent by their own', async () => {
      const { store } = await begin()
      await tell(store, [sending('a', 1), sending('b', 2, { transactionId: 'u' })])
      await store.addDeliveries('shop', [delivery('x', 'a', 1), delivery('y', 'b', 2, 'f'), delivery('z', 'a', 3)])
      const list = async (query: object, whose = 'shop') =>
        (await store.deliveries(whose, { limit: 9, ...query })).map(one => one.deliveryId)
      expect(await list({})).toEqual(['z', 'y', 'x'])
      expect(await list({ limit: 1 })).toEqual(['z'])
      expect(await list({ endpointId: 'f' })).toEqual(['y'])
      expect(await list({ transactionId: 't' })).toEqual(['z', 'x'])
      expect(await list({ state: 'delivered' })).toEqual([])
      expect(await list({}, 'other')).toEqual([])
      expect(await store.resend('other', 'x', 7)).toBeUndefined()
      expect(await store.resend('shop', 'x', 7)).toMatchObject({ deliveryId: 'x', dueAt: 7, state: 'waiting' })
    })
  })

  test(`${name}: delivery plans come oldest first and are used up`, async () => {
    const { store, reopen } = await begin()
    const plan = { planId: 'p', match: { payerId: 'x' }, do: 'drop' as const, on: 'PAYMENT_REFUND', after: 5, left: 2 }
    await store.addPlan('shop', plan)
    await store.addPlan('shop', { ...plan, planId: 'q' })
    const again = await reopen()
    expect(await again.plans('shop')).toEqual([plan, { ...plan, planId: 'q' }])
    expect(await again.plans('other')).toEqual([])
    await save(again, {
      told: { ...NOTHING, spentPlans: Object.entries({ p: 1, q: 2 }).map(([planId, times]) => ({ planId, times })) },
    })
    expect(await again.plans('shop')).toEqual([{ ...plan, left: 1 }])
    expect(await again.clearPlans('other')).toBe(0)
    expect(await again.clearPlans('shop')).toBe(1)
  })
}
