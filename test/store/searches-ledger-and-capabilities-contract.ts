import { describe, expect, test } from 'vitest'
import type { LedgerEntry } from '../../simulator/payments/payment.ts'
import type { Store } from '../../simulator/store/store.ts'
import type { PaymentQuery } from '../../simulator/store/unit-of-work.ts'
import { readInUnit, writeInUnit } from './run-unit-of-work.ts'
import { change, organization, payment } from './sample-records.ts'

type Begin = () => Promise<{ store: Store; reopen: () => Promise<Store> }>

const ledgerEntry = (captureOrRefundId: string, at: number, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  kind: 'capture',
  captureOrRefundId,
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

/**
 * Defines the contract tests of every store on searches, ledger entries, lists of organizations and account
 * capabilities.
 */
export const searchesAndListsContract = (name: string, begin: Begin): void => {
  const find = async (store: Store, query: Partial<PaymentQuery>, organizationId = 'shop') => {
    const { paymentPage: found } = await readInUnit(store, { payments: { limit: 9, ...query } }, organizationId)
    return found && [found.payments.map(({ transactionId }) => transactionId), found.next]
  }

  describe(`${name}: lists of organizations`, () => {
    test('are filtered by a part of the id and paged, with total counts', async () => {
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
    test('D-73: a search returns the newest first, and payments of one instant in reverse order of saving', async () => {
      const { store } = await begin()
      for (const [id, createdAt] of [
        ['b', 5],
        ['d', 7],
        ['a', 5],
        ['c', 5],
      ] as const)
        await writeInUnit(store, { change: change(payment(id, { createdAt })) })
      await writeInUnit(store, { change: change(payment('b', { createdAt: 5, captured: 1 })) })
      expect(await find(store, {})).toEqual([['d', 'c', 'a', 'b'], undefined])
      expect(await find(store, { limit: 2 })).toEqual([['d', 'c'], 'c'])
      expect(await find(store, { limit: 2, after: 'c' })).toEqual([['a', 'b'], undefined])
      expect(await find(store, { createdFrom: 5, createdTo: 6, limit: 1, after: 'd' })).toEqual([['c'], 'c'])
      expect((await readInUnit(store, { payments: { limit: 1, after: 'c' } })).paymentPage?.payments).toEqual([
        payment('a', { createdAt: 5 }),
      ])
    })

    test('D-73: a search returns the oldest first where its query says so', async () => {
      const { store } = await begin()
      for (const [id, createdAt] of [
        ['b', 5],
        ['d', 7],
        ['a', 5],
        ['c', 6],
      ] as const)
        await writeInUnit(store, { change: change(payment(id, { createdAt })) })
      const oldestFirst = true
      expect(await find(store, { oldestFirst })).toEqual([['b', 'a', 'c', 'd'], undefined])
      expect(await find(store, { oldestFirst, limit: 2 })).toEqual([['b', 'a'], 'a'])
      expect(await find(store, { oldestFirst, limit: 1, after: 'a' })).toEqual([['c'], 'c'])
      expect(await find(store, { oldestFirst, createdFrom: 6, limit: 2, after: 'b' })).toEqual([['c', 'd'], undefined])
      expect(await find(store, { oldestFirst, createdTo: 6, providerId: 'BLIK', after: 'b' })).toEqual([
        ['a', 'c'],
        undefined,
      ])
    })

    test('8: a text with NUL is stored with its payment and can be searched', async () => {
      const { store } = await begin()
      const odd = payment('t', { clientTransactionId: 'a\0b', payerId: '\0', description: '\0' })
      await writeInUnit(store, { change: change(odd) })
      expect(await find(store, { clientTransactionId: 'a\0b', payerId: '\0' })).toEqual([['t'], undefined])
      expect(await find(store, { clientTransactionId: 'ab' })).toEqual([[], undefined])
      expect(await find(store, { state: 'AWAITING_SHOPPER' })).toEqual([['t'], undefined])
      expect((await readInUnit(store, { transactionId: 't' })).payment).toEqual(odd)
      expect((await readInUnit(store, { transactionId: 't\0', key: '\0', blikCode: '\0' })).payment).toBeUndefined()
    })

    test.each(['\0', '\ud800', 'a\udc00b', '\\u0000', '\\\ud800', '"\\', '\\"state":"CAPTURED"'])(
      'D-73: payments are searched by their state whatever their description, such as %j',
      async description => {
        const { store } = await begin()
        await writeInUnit(store, { change: change(payment('t', { description })) })
        expect(await find(store, { state: 'AWAITING_SHOPPER' })).toEqual([['t'], undefined])
        expect(await find(store, { state: 'CAPTURED' })).toEqual([[], undefined])
      },
    )

    test('D-73: every criterion filters, by the current values', async () => {
      const { store } = await begin()
      await writeInUnit(store, { change: change(payment('t', { payerId: 'anna' })) })
      await writeInUnit(store, {
        change: change(
          payment('u', { processingAccountId: 'shop-2', clientTransactionId: 'r', providerId: 'IRIS', amount: 5 }),
        ),
      })
      // biome-ignore format: a table reads by its columns
      for (const query of [
        { accountId: 'shop-1' }, { clientTransactionId: 'order' }, { payerId: 'anna' }, { providerId: 'BLIK' },
        { amountFrom: 6 }, { amountFrom: 1000, amountTo: 1000 }, { status: 'PENDING', accountId: 'shop-1' },
        { status: 'PENDING', state: 'AWAITING_SHOPPER', amountFrom: 6 },
      ])
        expect(await find(store, query)).toEqual([['t'], undefined])
      await writeInUnit(store, { change: change(payment('t', { payerId: 'anna', state: 'DECLINED' })) })
      expect([await find(store, { status: 'PENDING' }), await find(store, { status: 'DECLINED' })]).toEqual([
        [['u'], undefined],
        [['t'], undefined],
      ])
      expect([await find(store, { state: 'DECLINED' }), await find(store, { state: 'SETTLED' })]).toEqual([
        [['t'], undefined],
        [[], undefined],
      ])
    })

    test('7.1: a search and its cursor are limited to the organization', async () => {
      const { store } = await begin()
      await writeInUnit(store, { change: change(payment('t')) })
      expect(await find(store, {}, 'other')).toEqual([[], undefined])
      expect(await find(store, { after: 't' }, 'other')).toBeUndefined()
      expect(await find(store, { after: 'u' })).toBeUndefined()
      expect((await readInUnit(store, {})).paymentPage).toBeUndefined()
    })

    test('4: ledger entries are listed by account and period', async () => {
      const { store, reopen } = await begin()
      const first = ledgerEntry('m', 10)
      const last = ledgerEntry('n', 20, { kind: 'refund', amount: 100 })
      await writeInUnit(store, { change: change(payment('t'), [], 'payment.captured', [first]) })
      await writeInUnit(store, { change: change(payment('t'), [], 'payment.refunded', [last, ledgerEntry('o', 20)]) })
      const again = await reopen()
      const list = async (accountIds: string[], from: number, to: number, organizationId = 'shop') =>
        (await readInUnit(again, { ledgerEntries: { accountIds, from, to } }, organizationId)).ledgerEntries
      const booked = {
        accountId: 'shop-1',
        transactionId: 't',
        reference: 'order',
        providerId: 'BLIK',
        currency: 'PLN',
      }
      expect(await list(['shop-2', 'shop-1'], 10, 20)).toEqual([{ ...first, ...booked }])
      expect((await list(['shop-1'], 11, 21)).map(({ captureOrRefundId }) => captureOrRefundId)).toEqual(['n', 'o'])
      expect(await list(['shop-2'], 0, 99)).toEqual([])
      expect(await list(['shop-1'], 0, 99, 'other')).toEqual([])
      expect((await readInUnit(again, {})).ledgerEntries).toEqual([])
    })

    test('2.1, 2.6: a text keeps every character that JSON allows, and is found by it', async () => {
      const { store, reopen } = await begin()
      for (const [id, text] of HARD_TEXTS)
        await writeInUnit(store, {
          change: change(payment(id, { clientTransactionId: text }), [], 'payment.captured', [
            ledgerEntry(id, 10, { clientTransactionId: text }),
          ]),
          idempotentReply: { key: `key ${id}`, fingerprint: 'f', reply: { http: 200, body: text }, expiresAt: 9 },
        })
      const again = await reopen()
      for (const [id, text] of HARD_TEXTS) {
        expect(await find(again, { clientTransactionId: text })).toEqual([[id], undefined])
        const { idempotentReply: remembered, ledgerEntries } = await readInUnit(again, {
          key: `key ${id}`,
          ledgerEntries: { accountIds: ['shop-1'], from: 0, to: 99 },
        })
        expect(remembered?.reply?.body).toBe(text)
        expect(ledgerEntries.find(({ captureOrRefundId }) => captureOrRefundId === id)?.clientTransactionId).toBe(text)
      }
      expect((await readInUnit(again, { transactionId: '\0' })).payment).toBeUndefined()
      expect(await again.organization('\0')).toBeUndefined()
    })

    test('the dialect of an organization is kept until it is taken away', async () => {
      const { store, reopen } = await begin()
      await store.setDialect('shop', 'naming: snake_case\n')
      const again = await reopen()
      expect((await again.organizations()).map(({ dialect }) => dialect)).toEqual(['naming: snake_case\n', undefined])
      await again.setDialect('shop', undefined)
      expect(await again.organization('shop')).not.toHaveProperty('dialect')
    })

    test('D-77: capabilities are replaced per account', async () => {
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
