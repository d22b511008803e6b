import { describe, expect, test } from 'vitest'
import type { Posting } from '../../simulator/payments/payment.ts'
import type { PaymentQuery, Store } from '../../simulator/store/port.ts'
import { change, look, organization, payment, save } from './records.ts'

type Begin = () => Promise<{ store: Store; reopen: () => Promise<Store> }>

const posting = (movementId: string, at: number, more: Partial<Posting> = {}): Posting => ({
  kind: 'capture',
  movementId,
  clientTransactionId: 'part',
  amount: 400,
  at,
  ...more,
})

const HARD_TEXTS = [
  ['t', 'a\0b'],
  ['u', 'a\uffff0b'],
  ['v', 'a\uffffb\u0001'],
] as const

/** What every adapter promises about reads across payments, the books, and what accounts can do. */
export const readsContract = (name: string, begin: Begin): void => {
  const find = async (store: Store, query: Partial<PaymentQuery>, organizationId = 'shop') => {
    const { found } = await look(store, { payments: { limit: 9, ...query } }, organizationId)
    return found && [found.payments.map(({ transactionId }) => transactionId), found.next]
  }

  describe(`${name}: many organizations`, () => {
    test('some are found by a part of their id, a page at a time, beside how many there are', async () => {
      const { store } = await begin()
      for (const id of ['shop-2', 'a%b', 'my-shop']) await store.addOrganization(organization(id))
      const idsOf = async (text: string, from = 0, limit = 2) => {
        const { found, ...counts } = await store.findOrganizations({ text, from, limit })
        return { ids: found.map(one => one.organizationId), ...counts }
      }
      expect(await idsOf('')).toEqual({ ids: ['shop', 'other'], fitting: 5, all: 5 })
      expect(await idsOf('', 4)).toEqual({ ids: ['my-shop'], fitting: 5, all: 5 })
      expect(await idsOf('shop', 1)).toEqual({ ids: ['shop-2', 'my-shop'], fitting: 3, all: 5 })
      expect(await idsOf('%')).toEqual({ ids: ['a%b'], fitting: 1, all: 5 })
      for (const [text, from, fitting] of [
        ['shop', 3, 3],
        ['s_op', 0, 0],
      ] as const)
        expect(await idsOf(text, from)).toEqual({ ids: [], fitting, all: 5 })
      const { found } = await store.findOrganizations({ text: 'other', from: 0, limit: 1 })
      expect(found).toEqual([await store.organization('other')])
    })
  })

  describe(`${name}: reads across payments`, () => {
    test('D-73: a search tells the newest first, and those of one instant in the opposite order of saving', async () => {
      const { store } = await begin()
      for (const [id, createdAt] of [
        ['b', 5],
        ['d', 7],
        ['a', 5],
        ['c', 5],
      ] as const)
        await save(store, { change: change(payment(id, { createdAt })) })
      await save(store, { change: change(payment('b', { createdAt: 5, captured: 1 })) })
      expect(await find(store, {})).toEqual([['d', 'c', 'a', 'b'], undefined])
      expect(await find(store, { limit: 2 })).toEqual([['d', 'c'], 'c'])
      expect(await find(store, { limit: 2, after: 'c' })).toEqual([['a', 'b'], undefined])
      expect(await find(store, { createdFrom: 5, createdTo: 6, limit: 1, after: 'd' })).toEqual([['c'], 'c'])
      expect((await look(store, { payments: { limit: 1, after: 'c' } })).found?.payments).toEqual([
        payment('a', { createdAt: 5 }),
      ])
    })

    test('8: a NUL in a text, which a database may not hold, is kept with its payment and searched like any other', async () => {
      const { store } = await begin()
      const odd = payment('t', { clientTransactionId: 'a\0b', payerId: '\0', description: '\0' })
      await save(store, { change: change(odd) })
      expect(await find(store, { clientTransactionId: 'a\0b', payerId: '\0' })).toEqual([['t'], undefined])
      expect(await find(store, { clientTransactionId: 'ab' })).toEqual([[], undefined])
      expect((await look(store, { transactionId: 't' })).payment).toEqual(odd)
      expect((await look(store, { transactionId: 't\0', key: '\0', blikCode: '\0' })).payment).toBeUndefined()
    })

    test('D-73: every criterion narrows; what changes is found as it is now', async () => {
      const { store } = await begin()
      await save(store, { change: change(payment('t', { payerId: 'anna' })) })
      await save(store, {
        change: change(
          payment('u', { processingAccountId: 'shop-2', clientTransactionId: 'r', providerId: 'IRIS', amount: 5 }),
        ),
      })
      // biome-ignore format: a table reads by its columns
      for (const query of [
        { accountId: 'shop-1' }, { clientTransactionId: 'order' }, { payerId: 'anna' }, { providerId: 'BLIK' },
        { amountFrom: 6 }, { amountFrom: 1000, amountTo: 1000 }, { status: 'PENDING', accountId: 'shop-1' },
      ])
        expect(await find(store, query)).toEqual([['t'], undefined])
      await save(store, { change: change(payment('t', { payerId: 'anna', state: 'DECLINED' })) })
      expect([await find(store, { status: 'PENDING' }), await find(store, { status: 'DECLINED' })]).toEqual([
        [['u'], undefined],
        [['t'], undefined],
      ])
    })

    test('7.1: a search stays inside the organization, and so does the place where it goes on', async () => {
      const { store } = await begin()
      await save(store, { change: change(payment('t')) })
      expect(await find(store, {}, 'other')).toEqual([[], undefined])
      expect(await find(store, { after: 't' }, 'other')).toBeUndefined()
      expect(await find(store, { after: 'u' })).toBeUndefined()
      expect((await look(store, {})).found).toBeUndefined()
    })

    test('4: the books tell what moved on an account, from an instant up to another', async () => {
      const { store, reopen } = await begin()
      const first = posting('m', 10)
      const last = posting('n', 20, { kind: 'refund', amount: 100 })
      await save(store, { change: change(payment('t'), [], 'payment.captured', [first]) })
      await save(store, { change: change(payment('t'), [], 'payment.refunded', [last, posting('o', 20)]) })
      const again = await reopen()
      const list = async (accountIds: string[], from: number, to: number, organizationId = 'shop') =>
        (await look(again, { postings: { accountIds, from, to } }, organizationId)).postings
      const booked = {
        accountId: 'shop-1',
        transactionId: 't',
        reference: 'order',
        providerId: 'BLIK',
        currency: 'PLN',
      }
      expect(await list(['shop-2', 'shop-1'], 10, 20)).toEqual([{ ...first, ...booked }])
      expect((await list(['shop-1'], 11, 21)).map(({ movementId }) => movementId)).toEqual(['n', 'o'])
      expect(await list(['shop-2'], 0, 99)).toEqual([])
      expect(await list(['shop-1'], 0, 99, 'other')).toEqual([])
      expect((await look(again, {})).postings).toEqual([])
    })

    test('2.1, 2.6: a text keeps every character that JSON can carry, and is found by it', async () => {
      const { store, reopen } = await begin()
      for (const [id, text] of HARD_TEXTS)
        await save(store, {
          change: change(payment(id, { clientTransactionId: text }), [], 'payment.captured', [
            posting(id, 10, { clientTransactionId: text }),
          ]),
          remember: { key: `key ${id}`, fingerprint: 'f', reply: { http: 200, body: text }, expiresAt: 9 },
        })
      const again = await reopen()
      for (const [id, text] of HARD_TEXTS) {
        expect(await find(again, { clientTransactionId: text })).toEqual([[id], undefined])
        const { remembered, postings } = await look(again, {
          key: `key ${id}`,
          postings: { accountIds: ['shop-1'], from: 0, to: 99 },
        })
        expect(remembered?.reply.body).toBe(text)
        expect(postings.find(({ movementId }) => movementId === id)?.clientTransactionId).toBe(text)
      }
      expect((await look(again, { transactionId: '\0' })).payment).toBeUndefined()
      expect(await again.organization('\0')).toBeUndefined()
    })

    test('D-77: what an account can do otherwise is replaced account by account', async () => {
      const { store, reopen } = await begin()
      expect((await store.organization('shop'))?.capabilities).toEqual({})
      await store.setCapabilities('shop', 'shop-1', { BLIK: { refund: false } })
      await store.setCapabilities('shop', 'a "quoted" $.name', { IRIS: { refund: false } })
      await store.setCapabilities('shop', 'shop-1', { BLIK: { partialRefund: false } })
      const again = await reopen()
      expect((await again.organization('shop'))?.capabilities).toEqual({
        'shop-1': { BLIK: { partialRefund: false } },
        'a "quoted" $.name': { IRIS: { refund: false } },
      })
      expect((await again.organizations()).map(({ capabilities }) => Object.keys(capabilities).length)).toEqual([2, 0])
    })
  })
}
