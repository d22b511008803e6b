import { describe, expect, test } from 'vitest'
import type { Store } from '../../simulator/store/store.ts'
import type { MandateQuery } from '../../simulator/store/unit-of-work.ts'
import { readInUnit, writeInUnit } from './run-unit-of-work.ts'
import { change, mandate, payment } from './sample-records.ts'

type Begin = () => Promise<{ store: Store; reopen: () => Promise<Store> }>

/** Defines the contract tests of every store on mandates and phones. */
export const mandatesAndPhonesContract = (name: string, begin: Begin): void => {
  describe(`${name}: mandates`, () => {
    test('D-63: a mandate is found by its token, or as the newest valid one of its payer', async () => {
      const { store } = await begin()
      for (const [token, expiresAt] of [
        ['older', 30],
        ['newer', 20],
      ] as const)
        await writeInUnit(store, { change: change(payment(token)), mandate: { ...mandate(token), expiresAt } })
      const named = {
        processingAccountId: 'shop-1',
        providerId: 'BLIK',
        payerId: 'payer',
        paymentToken: undefined,
      } as const
      const find = async (more: Partial<MandateQuery> = {}, now = 10, organizationId = 'shop') =>
        (await readInUnit(store, { mandate: { ...named, ...more } }, organizationId, now)).mandate?.paymentToken
      expect([await find(), await find({}, 19), await find({}, 20), await find({}, 30)]).toEqual([
        'newer',
        'newer',
        'older',
        undefined,
      ])
      expect(await find({ paymentToken: 'newer' }, 99)).toBe('newer')
      for (const more of [{ processingAccountId: 'shop-2' }, { providerId: 'IRIS' }] as const)
        expect([await find(more), await find({ ...more, paymentToken: 'newer' })]).toEqual([undefined, undefined])
      expect([await find({ payerId: 'other' }), await find({ payerId: undefined })]).toEqual([undefined, undefined])
      expect([await find({}, 10, 'other'), await find({ paymentToken: 'newer' }, 10, 'other')]).toEqual([
        undefined,
        undefined,
      ])
      expect((await readInUnit(store, {})).mandate).toBeUndefined()
    })

    test('D-96: a mandate keeps the scenario of its payment', async () => {
      const { store, reopen } = await begin()
      await writeInUnit(store, { change: change(payment('t')), mandate: { ...mandate('m'), scenario: 'OK' } })
      expect(await (await reopen()).mandates('shop', 9)).toEqual([{ ...mandate('m'), scenario: 'OK' }])
    })

    test('D-62: a mandate is revoked once, by its organization only', async () => {
      const { store, reopen } = await begin()
      await writeInUnit(store, { change: change(payment('t')), mandate: mandate('m') })
      expect(await store.revokeMandate('other', 'm', 5)).toBeUndefined()
      expect(await store.revokeMandate('shop', 'm', 5)).toEqual({ ...mandate('m'), revokedAt: 5 })
      expect(await store.revokeMandate('shop', 'm', 6)).toEqual({ ...mandate('m'), revokedAt: 5 })
      await writeInUnit(store, { change: change(payment('u')), mandate: mandate('n') })
      const again = await reopen()
      expect((await again.mandates('shop', 9)).map(({ paymentToken }) => paymentToken)).toEqual(['n', 'm'])
      expect(await again.mandates('shop', 1)).toEqual([mandate('n')])
      expect(await again.mandates('other', 9)).toEqual([])
    })

    test('a phone has its own codes and mandates, and belongs to one organization', async () => {
      const { store, reopen } = await begin()
      const phone = { phoneId: 'p', bankId: 'zuraw' } as const
      await store.addPhone('shop', phone)
      const code = { codeId: 'c', code: '012345', expiresAt: 10, phoneId: 'p' }
      await store.addBlikCode('shop', code)
      const kept = ['first', 'second'].map(token => ({ ...mandate(token), phoneId: 'p' }))
      for (const one of [...kept, mandate('without a phone'), { ...mandate('of another'), phoneId: 'q' }])
        await writeInUnit(store, { change: change(payment(one.paymentToken)), mandate: one })
      const again = await reopen()
      expect([await again.phone('shop', 'p'), await again.phone('shop', 'q')]).toEqual([phone, undefined])
      expect(await again.phone('other', 'p')).toBeUndefined()
      expect([await again.phoneCount('shop'), await again.phoneCount('other')]).toEqual([1, 0])
      expect(await again.blikCodeById('shop', 'c')).toEqual(code)
      expect(await again.mandatesOfPhone('shop', 'p', 9)).toEqual(kept.reverse())
      expect(await again.mandatesOfPhone('shop', 'p', 1)).toEqual(kept.slice(0, 1))
      expect(await again.mandatesOfPhone('other', 'p', 9)).toEqual([])
      expect((await again.revokeMandate('shop', 'first', 5))?.phoneId).toBe('p')
    })

    test('a phone lists the codes that it showed, newest first, and those of no other phone', async () => {
      const { store } = await begin()
      const code = (codeId: string, expiresAt: number, phoneId = 'p') => ({
        codeId,
        code: '012345',
        expiresAt,
        phoneId,
      })
      for (const one of [code('old', 10), code('new', 30), code('middle', 20), code('elsewhere', 40, 'q')])
        await store.addBlikCode('shop', one)
      const listed = async (organizationId: string, limit: number) =>
        (await store.blikCodesOfPhone(organizationId, 'p', limit)).map(({ codeId }) => codeId)
      expect(await listed('shop', 9)).toEqual(['new', 'middle', 'old'])
      expect(await listed('shop', 2)).toEqual(['new', 'middle'])
      expect(await listed('other', 9)).toEqual([])
    })

    test('7.5: a code keeps whether its bank supports recurring payments', async () => {
      const { store } = await begin()
      const code = { codeId: 'c', code: '012345', expiresAt: 10, recurring: false }
      await store.addBlikCode('shop', code)
      expect(await store.liveBlikCode('shop', '012345', 9)).toEqual(code)
      expect((await readInUnit(store, { blikCode: '012345' })).blikCode).toEqual(code)
    })
  })
}
