import { describe, expect, test } from 'vitest'
import { REAL_TIME } from '../../simulator/clock.ts'
import type { Save, Store } from '../../simulator/store/port.ts'
import { mandatesContract } from './mandates-contract.ts'
import { readsContract } from './reads-contract.ts'
import { change, look, organization, payment, save } from './records.ts'
import { type OpenStore, twoShops } from './two-shops.ts'

const NOTHING = { events: [], postings: [], faults: [], mocks: [], faultsMet: 0 }
/** What every adapter behind the store's port promises; an adapter passes it or is none. */
export const storeContract = (name: string, openStore: OpenStore): void => {
  const begin = () => twoShops(openStore)

  describe(`${name}: a unit of work`, () => {
    const everything: Save = {
      change: change(payment('t'), [{ name: 'shopper-window', dueAt: 5 }]),
      usedCodeId: 'c',
      remember: { key: 'k', fingerprint: 'f', reply: { http: 200, body: '{}' }, expiresAt: 9 },
    }
    const nothingOf = async (store: Store) => {
      expect(await look(store, { transactionId: 't', key: 'k', events: true })).toMatchObject({
        payment: undefined,
        events: [],
        remembered: undefined,
      })
      expect(await store.nextDue('shop')).toBeUndefined()
    }

    test('I3: saves payment, events, jobs, reply and used code in one piece', async () => {
      const { store } = await begin()
      await store.addBlikCode('shop', { codeId: 'c', code: '123456', expiresAt: 10 })
      await save(store, everything)
      const seen = await look(store, { transactionId: 't', key: 'k', blikCode: '123456', events: true })
      expect(seen.payment).toEqual(payment('t'))
      expect(seen.events).toEqual(everything.change?.events)
      expect(seen.remembered).toEqual({ fingerprint: 'f', reply: { http: 200, body: '{}' } })
      expect(seen.blikCode).toMatchObject({ codeId: 'c', transactionId: 't' })
      expect(await store.nextDue('shop')).toBe(5)
    })

    test('that throws while it decides saves nothing and passes the error on', async () => {
      const { store } = await begin()
      const failing = store.perform({
        organizationId: 'shop',
        now: 0,
        needs: {},
        decide: () => {
          throw new RangeError('no')
        },
      })
      await expect(failing).rejects.toThrow(RangeError)
      await nothingOf(store)
      await save(store, everything)
      expect((await look(store, { transactionId: 't' })).payment).toBeDefined()
    })

    test('that fails while it is saved leaves nothing behind', async () => {
      const { store } = await begin()
      const bad = { ...everything, remember: { ...everything.remember, body: undefined, reply: {} } } as unknown as Save
      await expect(save(store, bad)).rejects.toThrow()
      await nothingOf(store)
    })

    test('I3: those that come at once do not overlap', async () => {
      const { store } = await begin()
      await save(store, { change: change(payment('t')) })
      const take = () =>
        store.perform({
          organizationId: 'shop',
          now: 0,
          needs: { transactionId: 't' },
          decide: ({ payment: found }) => {
            const captured = (found?.captured ?? 0) + 1
            return { result: captured, save: { change: change(payment('t', { captured })) } }
          },
        })
      const results = await Promise.all(Array.from({ length: 30 }, take))
      expect(results.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
      expect((await look(store, { transactionId: 't' })).payment?.captured).toBe(30)
    })

    test('without events changes no payment', async () => {
      const { store } = await begin()
      await save(store, { change: change(payment('t')) })
      await save(store, { change: { ...change(payment('t', { captured: 9 })), events: [] } })
      expect((await look(store, { transactionId: 't' })).payment?.captured).toBe(0)
    })

    test('6: tells events in the order of saving, and only where asked', async () => {
      const { store } = await begin()
      for (const type of ['a', 'b', 'c']) await save(store, { change: change(payment('t'), [], type) })
      await save(store, { change: change(payment('u'), [], 'of another') })
      const { events } = await look(store, { transactionId: 't', events: true })
      expect(events.map(({ type }) => type)).toEqual(['a', 'b', 'c'])
      expect((await look(store, { transactionId: 't' })).events).toEqual([])
    })
  })

  describe(`${name}: organizations are apart`, () => {
    test('payments, events, codes, keys and replies are found by their own only', async () => {
      const { store } = await begin()
      await store.addBlikCode('shop', { codeId: 'c', code: '123456', expiresAt: 10 })
      const remember = { key: 'k', fingerprint: 'f', reply: { http: 200, body: '{}' }, expiresAt: 9 }
      await save(store, { change: change(payment('t'), [{ name: 'hold', dueAt: 5 }]), remember })
      const needs = { transactionId: 't', key: 'k', blikCode: '123456', events: true }
      expect(await look(store, needs, 'other')).toEqual(NOTHING)
      expect(await store.nextDue('other')).toBeUndefined()
      expect(await store.dueJob('other', 99)).toBeUndefined()
      expect(await store.blikCodeById('other', 'c')).toBeUndefined()
      expect(await store.liveBlikCode('other', '123456', 0)).toBeUndefined()
      expect(await store.signingKey('other', 'shop-key')).toBeUndefined()
    })

    test('5.1, 5.2: certificate and key tell whose they are', async () => {
      const { store } = await begin()
      expect(await store.certificate('other:AA')).toEqual(organization('other').certificates[0])
      expect(await store.certificate('nobody:AA')).toBeUndefined()
      expect(await store.signingKey('shop', 'shop-key')).toEqual(organization('shop').signingKeys[0])
      expect(await store.signingKey('shop', 'no-key')).toBeUndefined()
    })

    test('they are listed in the order in which they came; one id is there once', async () => {
      const { store } = await begin()
      await store.addOrganization(organization('another'))
      expect((await store.organizations()).map(one => one.organizationId)).toEqual(['shop', 'other', 'another'])
      const twice = { ...organization('shop'), certificates: [], signingKeys: [] }
      await expect(store.addOrganization(twice)).rejects.toThrow()
      expect(await store.organizations()).toHaveLength(3)
    })

    test('one that cannot be added in full is not added at all', async () => {
      const { store } = await begin()
      const thief = { ...organization('thief'), signingKeys: organization('shop').signingKeys }
      await expect(store.addOrganization(thief)).rejects.toThrow()
      expect(await store.organization('thief')).toBeUndefined()
      expect(await store.certificate('thief:AA')).toBeUndefined()
    })
  })

  describe(`${name}: what waits and what ends`, () => {
    test('I3: a reply is remembered until it ends, then the key is free for another', async () => {
      const { store } = await begin()
      const remember = (body: string, expiresAt: number) => ({
        remember: { key: 'k', fingerprint: body, reply: { http: 200, body }, expiresAt },
      })
      await save(store, remember('first', 10))
      expect((await look(store, { key: 'k' }, 'shop', 9)).remembered?.reply.body).toBe('first')
      expect((await look(store, { key: 'k' }, 'shop', 10)).remembered).toBeUndefined()
      await save(store, remember('second', 20))
      for (const now of [10, 9, 19])
        expect((await look(store, { key: 'k' }, 'shop', now)).remembered?.reply.body).toBe('second')
    })

    test('jobs come by due time, then in the order of saving, and no sooner', async () => {
      const { store } = await begin()
      const jobs = [
        { name: 'settlement' as const, dueAt: 30, movementId: 'm' },
        { name: 'settlement' as const, dueAt: 10, movementId: 'n' },
        { name: 'hold' as const, dueAt: 30 },
      ]
      await save(store, { change: change(payment('t', { state: 'PARTIALLY_CAPTURED' }), jobs) })
      expect(await store.nextDue('shop')).toBe(10)
      expect(await store.dueJob('shop', 9)).toBeUndefined()
      const ran = []
      for (let job = await store.dueJob('shop', 30); job; job = await store.dueJob('shop', 30)) {
        if (job.name !== 'late-answer') ran.push([job.name, job.dueAt, job.movementId, job.transactionId])
        await save(store, { finishedJobId: job.jobId })
      }
      expect(ran).toEqual([
        ['settlement', 10, 'n', 't'],
        ['settlement', 30, 'm', 't'],
        ['hold', 30, undefined, 't'],
      ])
      expect(await store.nextDue('shop')).toBeUndefined()
    })

    test('R3 to R7: a payment’s jobs go when its state has no more use for them, others’ stay', async () => {
      const { store } = await begin()
      await save(store, { change: change(payment('t'), [{ name: 'shopper-window', dueAt: 5 }]) })
      await save(store, { change: change(payment('u'), [{ name: 'shopper-window', dueAt: 6 }]) })
      await save(store, { change: change(payment('t', { state: 'AUTHENTICATED' })) })
      expect(await store.nextDue('shop')).toBe(6)
    })

    test('R6: a code lives until it ends, used or not, and is found by its id ever after', async () => {
      const { store } = await begin()
      const code = { codeId: 'c', code: '012345', expiresAt: 10 }
      await store.addBlikCode('shop', code)
      expect(await store.liveBlikCode('shop', '012345', 9)).toEqual(code)
      await save(store, { change: change(payment('t')), usedCodeId: 'c' })
      expect(await store.liveBlikCode('shop', '012345', 9)).toEqual({ ...code, transactionId: 't' })
      expect(await store.liveBlikCode('shop', '012345', 10)).toBeUndefined()
      expect(await store.blikCodeById('shop', 'c')).toEqual({ ...code, transactionId: 't' })
    })

    test('E4: a redirect finds its payment', async () => {
      const { store } = await begin()
      const provider = { ...payment('t').provider, redirectId: 'secret' }
      await save(store, { change: change(payment('t', { provider })) })
      expect((await store.paymentByRedirect('secret'))?.transactionId).toBe('t')
      expect(await store.paymentByRedirect('other')).toBeUndefined()
    })

    test('settings are there once written, the last wins', async () => {
      const { store } = await begin()
      expect(await store.setting('a')).toBeUndefined()
      await store.saveSetting('a', '1')
      await store.saveSetting('a', '2')
      expect(await store.setting('a')).toBe('2')
    })
  })

  mandatesContract(name, begin)
  readsContract(name, begin)

  test(`${name}: I3: what was acknowledged is there after it was closed and opened again`, async () => {
    const { store, reopen } = await begin()
    await store.addBlikCode('shop', { codeId: 'c', code: '123456', expiresAt: 10 })
    await store.setClock('shop', { anchorReal: 5, anchorVirtual: 86_400_000, rate: 0.25 })
    await store.saveSetting('a', '1')
    const remember = { key: 'k', fingerprint: 'f', reply: { http: 422, body: '{"é":1}' }, expiresAt: 9 }
    await save(store, { change: change(payment('t'), [{ name: 'shopper-window', dueAt: 5 }]), remember })
    const again = await reopen()
    const seen = await look(again, { transactionId: 't', key: 'k', blikCode: '123456', events: true })
    expect(seen).toMatchObject({ payment: payment('t'), remembered: { fingerprint: 'f', reply: remember.reply } })
    expect([seen.events.length, seen.blikCode?.codeId]).toEqual([1, 'c'])
    expect(await again.dueJob('shop', 5)).toMatchObject({ name: 'shopper-window', transactionId: 't' })
    const clocks = (await again.organizations()).map(one => one.clock)
    expect(clocks).toEqual([{ anchorReal: 5, anchorVirtual: 86_400_000, rate: 0.25 }, REAL_TIME])
    const { certificates: _c, signingKeys: _k, ...other } = organization('other')
    expect(await again.organization('other')).toEqual({ ...other, capabilities: {} })
    expect([await again.setting('a'), (await again.certificate('shop:AA'))?.organizationId]).toEqual(['1', 'shop'])
    expect(await again.signingKey('shop', 'shop-key')).toBeDefined()
  })
}
