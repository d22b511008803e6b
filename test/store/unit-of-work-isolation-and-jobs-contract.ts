import { describe, expect, test } from 'vitest'
import type { Store } from '../../simulator/store/store.ts'
import type { WriteSet } from '../../simulator/store/unit-of-work.ts'
import { REAL_TIME_SETTING } from '../../simulator/support/clock.ts'
import { mandatesAndPhonesContract } from './mandates-and-shopper-phones-contract.ts'
import { type OpenStore, openTwoOrganizations } from './open-two-organizations.ts'
import { dueJob, nextDue, readInUnit, writeInUnit } from './run-unit-of-work.ts'
import { change, organization, payment } from './sample-records.ts'
import { searchesAndListsContract } from './searches-ledger-and-capabilities-contract.ts'

const NOTHING = { isJobDue: false, events: [], ledgerEntries: [], faults: [], mocks: [], faultTriggerCount: 0 }
/** Defines the contract tests of every store on units of work, organizations, jobs, codes and settings. */
export const unitOfWorkContract = (name: string, openStore: OpenStore): void => {
  const begin = () => openTwoOrganizations(openStore)

  describe(`${name}: a unit of work`, () => {
    const everything: WriteSet = {
      change: change(payment('t'), [{ name: 'shopper-window', dueAt: 5 }]),
      usedCodeId: 'c',
      idempotentReply: { key: 'k', fingerprint: 'f', reply: { http: 200, body: '{}' }, expiresAt: 9 },
    }
    const nothingOf = async (store: Store) => {
      expect(await readInUnit(store, { transactionId: 't', key: 'k', events: true })).toMatchObject({
        payment: undefined,
        events: [],
        idempotentReply: undefined,
      })
      expect(await nextDue(store, 'shop')).toBeUndefined()
    }

    test('I3: saves payment, events, jobs, reply and used code atomically', async () => {
      const { store } = await begin()
      await store.addBlikCode('shop', { codeId: 'c', code: '123456', expiresAt: 10 })
      await writeInUnit(store, everything)
      const seen = await readInUnit(store, { transactionId: 't', key: 'k', blikCode: '123456', events: true })
      expect(seen.payment).toEqual(payment('t'))
      expect(seen.events).toEqual(everything.change?.events)
      expect(seen.idempotentReply).toEqual({ fingerprint: 'f', reply: { http: 200, body: '{}' } })
      expect(seen.blikCode).toMatchObject({ codeId: 'c', transactionId: 't' })
      expect(await nextDue(store, 'shop')).toBe(5)
    })

    test('whose decision throws saves nothing and rejects with the error', async () => {
      const { store } = await begin()
      const failing = store.transact({
        organizationId: 'shop',
        now: 0,
        needs: {},
        decide: () => {
          throw new RangeError('no')
        },
      })
      await expect(failing).rejects.toThrow(RangeError)
      await nothingOf(store)
      await writeInUnit(store, everything)
      expect((await readInUnit(store, { transactionId: 't' })).payment).toBeDefined()
    })

    test('that fails while saving leaves nothing behind', async () => {
      const { store } = await begin()
      const bad = {
        ...everything,
        idempotentReply: { ...everything.idempotentReply, body: undefined, reply: {} },
      } as unknown as WriteSet
      await expect(writeInUnit(store, bad)).rejects.toThrow()
      await nothingOf(store)
    })

    test('I3: is serialized with concurrent ones', async () => {
      const { store } = await begin()
      await writeInUnit(store, { change: change(payment('t')) })
      const take = () =>
        store.transact({
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
      expect((await readInUnit(store, { transactionId: 't' })).payment?.captured).toBe(30)
    })

    test('with a change without events does not change the payment', async () => {
      const { store } = await begin()
      await writeInUnit(store, { change: change(payment('t')) })
      await writeInUnit(store, { change: { ...change(payment('t', { captured: 9 })), events: [] } })
      expect((await readInUnit(store, { transactionId: 't' })).payment?.captured).toBe(0)
    })

    test('6: loads events in the order of saving, and only on request', async () => {
      const { store } = await begin()
      for (const type of ['a', 'b', 'c']) await writeInUnit(store, { change: change(payment('t'), [], type) })
      await writeInUnit(store, { change: change(payment('u'), [], 'of another') })
      const { events } = await readInUnit(store, { transactionId: 't', events: true })
      expect(events.map(({ type }) => type)).toEqual(['a', 'b', 'c'])
      expect((await readInUnit(store, { transactionId: 't' })).events).toEqual([])
    })

    test('3: loads with a payment whether one of its own jobs is due', async () => {
      const { store } = await begin()
      await writeInUnit(store, { change: change(payment('t'), [{ name: 'hold', dueAt: 5 }]) })
      await writeInUnit(store, { change: change(payment('u'), [{ name: 'hold', dueAt: 3 }]) })
      const isDueAt = async (now: number) => (await readInUnit(store, { transactionId: 't' }, 'shop', now)).isJobDue
      expect([await isDueAt(4), await isDueAt(5), await isDueAt(6)]).toEqual([false, true, true])
    })
  })

  describe(`${name}: isolation of organizations`, () => {
    test('payments, events, codes, keys and replies are found by their own organization only', async () => {
      const { store } = await begin()
      await store.addBlikCode('shop', { codeId: 'c', code: '123456', expiresAt: 10 })
      const remember = { key: 'k', fingerprint: 'f', reply: { http: 200, body: '{}' }, expiresAt: 9 }
      await writeInUnit(store, {
        change: change(payment('t'), [{ name: 'hold', dueAt: 5 }]),
        idempotentReply: remember,
      })
      const needs = { transactionId: 't', key: 'k', blikCode: '123456', events: true }
      expect(await readInUnit(store, needs, 'other')).toEqual(NOTHING)
      expect(await nextDue(store, 'other')).toBeUndefined()
      expect(await dueJob(store, 'other', 99)).toBeUndefined()
      expect(await store.blikCodeById('other', 'c')).toBeUndefined()
      expect(await store.liveBlikCode('other', '123456', 0)).toBeUndefined()
      expect(await store.signingKey('other', 'shop-key')).toBeUndefined()
    })

    test('5.1, 5.2: certificates and keys are found with their organization', async () => {
      const { store } = await begin()
      expect(await store.certificate('other:AA')).toEqual(organization('other').certificates[0])
      expect(await store.certificate('nobody:AA')).toBeUndefined()
      expect(await store.signingKey('shop', 'shop-key')).toEqual(organization('shop').signingKeys[0])
      expect(await store.signingKey('shop', 'no-key')).toBeUndefined()
    })

    test('organizations are listed in the order of creation, and ids are unique', async () => {
      const { store } = await begin()
      await store.addOrganization(organization('another'))
      expect((await store.organizations()).map(one => one.organizationId)).toEqual(['shop', 'other', 'another'])
      const twice = { ...organization('shop'), certificates: [], signingKeys: [] }
      await expect(store.addOrganization(twice)).rejects.toThrow()
      expect(await store.organizations()).toHaveLength(3)
    })

    test('an organization is added completely or not at all', async () => {
      const { store } = await begin()
      const thief = { ...organization('thief'), signingKeys: organization('shop').signingKeys }
      await expect(store.addOrganization(thief)).rejects.toThrow()
      expect(await store.organization('thief')).toBeUndefined()
      expect(await store.certificate('thief:AA')).toBeUndefined()
    })
  })

  describe(`${name}: jobs, codes and expiry`, () => {
    test('I3: an idempotent reply is found until it expires, then its key can be reused', async () => {
      const { store } = await begin()
      const remember = (body: string, expiresAt: number) => ({
        idempotentReply: { key: 'k', fingerprint: body, reply: { http: 200, body }, expiresAt },
      })
      await writeInUnit(store, remember('first', 10))
      expect((await readInUnit(store, { key: 'k' }, 'shop', 9)).idempotentReply?.reply?.body).toBe('first')
      expect((await readInUnit(store, { key: 'k' }, 'shop', 10)).idempotentReply).toBeUndefined()
      await writeInUnit(store, remember('second', 20))
      for (const now of [10, 9, 19])
        expect((await readInUnit(store, { key: 'k' }, 'shop', now)).idempotentReply?.reply?.body).toBe('second')
    })

    test('I4: a key without a response keeps its request until the response replaces it, in one row', async () => {
      const { store } = await begin()
      const request = { key: 'k', fingerprint: 'f', expiresAt: 20 }
      const kept = async () => (await readInUnit(store, { key: 'k' }, 'shop', 9)).idempotentReply
      const rows = async () => (await store.organizationState('shop')).tables.idempotency_keys?.rows.length
      await writeInUnit(store, { idempotentReply: { ...request, reply: undefined } })
      expect([await kept(), await rows()]).toEqual([{ fingerprint: 'f', reply: undefined }, 1])
      const reply = { http: 200, body: '{}' }
      await writeInUnit(store, { idempotentReply: { ...request, reply, replaces: true } })
      expect([await kept(), await rows()]).toEqual([{ fingerprint: 'f', reply }, 1])
    })

    test('jobs come by due time, then in the order of saving, and not before they are due', async () => {
      const { store } = await begin()
      const jobs = [
        { name: 'settlement' as const, dueAt: 30, captureOrRefundId: 'm' },
        { name: 'settlement' as const, dueAt: 10, captureOrRefundId: 'n' },
        { name: 'hold' as const, dueAt: 30 },
      ]
      await writeInUnit(store, { change: change(payment('t', { state: 'PARTIALLY_CAPTURED' }), jobs) })
      expect(await nextDue(store, 'shop')).toBe(10)
      expect(await dueJob(store, 'shop', 9)).toBeUndefined()
      const ran = []
      for (let job = await dueJob(store, 'shop', 30); job; job = await dueJob(store, 'shop', 30)) {
        if (job.name !== 'late-answer') ran.push([job.name, job.dueAt, job.captureOrRefundId, job.transactionId])
        await writeInUnit(store, { finishedJobId: job.jobId })
      }
      expect(ran).toEqual([
        ['settlement', 10, 'n', 't'],
        ['settlement', 30, 'm', 't'],
        ['hold', 30, undefined, 't'],
      ])
      expect(await nextDue(store, 'shop')).toBeUndefined()
    })

    test('R3 to R7: jobs of a payment are removed when its new state does not need them', async () => {
      const { store } = await begin()
      await writeInUnit(store, { change: change(payment('t'), [{ name: 'shopper-window', dueAt: 5 }]) })
      await writeInUnit(store, { change: change(payment('u'), [{ name: 'shopper-window', dueAt: 6 }]) })
      await writeInUnit(store, { change: change(payment('t', { state: 'AUTHENTICATED' })) })
      expect(await nextDue(store, 'shop')).toBe(6)
    })

    test('R6: a code is valid until it expires, used or not, and is found by its id afterwards', async () => {
      const { store } = await begin()
      const code = { codeId: 'c', code: '012345', expiresAt: 10 }
      await store.addBlikCode('shop', code)
      expect(await store.liveBlikCode('shop', '012345', 9)).toEqual(code)
      await writeInUnit(store, { change: change(payment('t')), usedCodeId: 'c' })
      expect(await store.liveBlikCode('shop', '012345', 9)).toEqual({ ...code, transactionId: 't' })
      expect(await store.liveBlikCode('shop', '012345', 10)).toBeUndefined()
      expect(await store.blikCodeById('shop', 'c')).toEqual({ ...code, transactionId: 't' })
    })

    test('E4: a payment is found by its redirect id', async () => {
      const { store } = await begin()
      const provider = { ...payment('t').provider, redirectId: 'secret' }
      await writeInUnit(store, { change: change(payment('t', { provider })) })
      expect((await store.paymentByRedirect('secret'))?.transactionId).toBe('t')
      expect(await store.paymentByRedirect('other')).toBeUndefined()
    })

    test('settings are stored, the last value wins', async () => {
      const { store } = await begin()
      expect(await store.setting('a')).toBeUndefined()
      await store.saveSetting('a', '1')
      await store.saveSetting('a', '2')
      const both = await Promise.all(['3', '4'].map(value => store.addSetting('b', value)))
      expect([new Set(both).size, await store.setting('b'), await store.addSetting('a', '5')]).toEqual([
        1,
        both[0],
        '2',
      ])
      expect(await store.setting('a')).toBe('2')
    })
  })

  mandatesAndPhonesContract(name, begin)
  searchesAndListsContract(name, begin)

  test(`${name}: I3: acknowledged changes survive reopening the store`, async () => {
    const { store, reopen } = await begin()
    await store.addBlikCode('shop', { codeId: 'c', code: '123456', expiresAt: 10 })
    await store.setClock('shop', { anchorReal: 5, anchorVirtual: 86_400_000, rate: 0.25 })
    await store.saveSetting('a', '1')
    const remember = { key: 'k', fingerprint: 'f', reply: { http: 422, body: '{"é":1}' }, expiresAt: 9 }
    await writeInUnit(store, {
      change: change(payment('t'), [{ name: 'shopper-window', dueAt: 5 }]),
      idempotentReply: remember,
    })
    const again = await reopen()
    const seen = await readInUnit(again, { transactionId: 't', key: 'k', blikCode: '123456', events: true })
    expect(seen).toMatchObject({ payment: payment('t'), idempotentReply: { fingerprint: 'f', reply: remember.reply } })
    expect([seen.events.length, seen.blikCode?.codeId]).toEqual([1, 'c'])
    expect(await dueJob(again, 'shop', 5)).toMatchObject({ name: 'shopper-window', transactionId: 't' })
    const clocks = (await again.organizations()).map(one => one.clock)
    expect(clocks).toEqual([{ anchorReal: 5, anchorVirtual: 86_400_000, rate: 0.25 }, REAL_TIME_SETTING])
    const { certificates: _c, signingKeys: _k, ...other } = organization('other')
    expect(await again.organization('other')).toEqual({ ...other, capabilities: {} })
    expect([await again.setting('a'), (await again.certificate('shop:AA'))?.organizationId]).toEqual(['1', 'shop'])
    expect(await again.signingKey('shop', 'shop-key')).toBeDefined()
  })
}
