import { describe, expect, test } from 'vitest'
import { REAL_TIME } from '../../simulator/clock.ts'
import type { Life, Store } from '../../simulator/store/port.ts'
import { change, look, mandate, organization, payment, save } from './records.ts'
import { type OpenStore, twoShops } from './two-shops.ts'

const FROZEN = { anchorReal: 1, anchorVirtual: 2, rate: 0 }
const NEEDS = {
  transactionId: 't',
  key: 'k',
  blikCode: '123456',
  events: true,
  providerCall: 'refund',
  postings: { accountIds: ['shop-1'], from: 0, to: 99 },
}

/** What every adapter promises of beginning anew and of states that are put by. */
export const livesContract = (name: string, openStore: OpenStore): void => {
  const begin = async () => (await twoShops(openStore)).store

  /** Something of every kind that can happen to the shop. */
  const live = async (store: Store, id = 't') => {
    const posting = { kind: 'capture', movementId: 'm', clientTransactionId: 'c', amount: 5, at: 3 } as const
    await store.addBlikCode('shop', { codeId: `code-${id}`, code: '123456', expiresAt: 10 })
    const jobs = [{ name: 'shopper-window', dueAt: 5 }] as const
    await save(store, {
      change: change(payment(id), jobs, 'first', [posting]),
      usedCodeId: `code-${id}`,
      mandate: mandate(`token-${id}`),
      remember: { key: 'k', fingerprint: 'f', reply: { http: 200, body: '{"é":1}' }, expiresAt: 9 },
    })
    for (const type of ['second', 'third']) await save(store, { change: change(payment(id), [], type) })
    await store.addFault('shop', { operation: 'refund', kind: 'error', left: 2 })
    const asked = { organizationId: 'shop', accountIds: [], capabilities: {}, operation: 'capture', request: {} }
    const late = { key: 'l', fingerprint: 'f', transactionId: id, dueAt: 20, call: JSON.stringify(asked) }
    await save(store, { late })
    await store.setCapabilities('shop', 'shop-1', { BLIK: { partialCapture: false } })
    await store.setClock('shop', FROZEN)
  }
  const everything = async (store: Store, organizationId = 'shop') => {
    const { faults, ...seen } = await look(store, NEEDS, organizationId)
    return {
      ...seen,
      faults: faults.map(({ faultId: _, ...fault }) => fault),
      mandates: await store.mandates(organizationId, 9),
      organization: await store.organization(organizationId),
      firstDue: await store.nextDue(organizationId),
    }
  }

  describe(`${name}: beginning anew`, () => {
    test('takes back all that happened to one organization, and no more', async () => {
      const store = await begin()
      const [before, othersBefore] = [await everything(store), await everything(store, 'other')]
      await live(store)
      expect(await everything(store)).not.toEqual(before)
      await store.saveSnapshot('shop', { name: 'kept', takenAt: 1, document: '{}' })
      await save(store, { change: change(payment('u', { organizationId: 'other' })) }, 'other')
      await store.resetOrganization('shop')
      expect(await everything(store)).toEqual(before)
      expect((await store.certificates('shop')).length + (await store.signingKeys('shop')).length).toBe(2)
      expect(await store.snapshots('shop')).toHaveLength(1)
      expect(await everything(store, 'other')).toEqual(othersBefore)
      expect((await look(store, { transactionId: 'u', events: true }, 'other')).events).toHaveLength(1)
    })

    test('a job that was taken away meanwhile leaves nothing behind', async () => {
      const store = await begin()
      await live(store)
      const job = await store.dueJob('shop', 5)
      await store.resetOrganization('shop')
      await save(store, { change: change(payment('t')), finishedJobId: job?.jobId })
      expect((await look(store, { transactionId: 't' })).payment).toBeUndefined()
    })

    test('R4: a job that was done takes no later one away, where two ran it at once', async () => {
      const store = await begin()
      await save(store, { change: change(payment('t', { state: 'SETTLED' }), [{ name: 'dispute', dueAt: 1 }]) })
      const { jobId } = (await store.dueJob('shop', 1)) ?? {}
      const disputed = change(payment('t', { state: 'DISPUTED' }), [{ name: 'dispute-decision', dueAt: 2 }])
      for (const done of [{ change: disputed }, {}]) await save(store, { ...done, finishedJobId: jobId })
      expect(await store.dueJob('shop', 2)).toMatchObject({ name: 'dispute-decision', dueAt: 2 })
    })

    test('removing leaves nothing of an organization, even where a call comes too late', async () => {
      const store = await begin()
      await live(store)
      await store.saveSnapshot('shop', { name: 'gone', takenAt: 1, document: '{}' })
      expect([await store.removeOrganization('shop'), await store.removeOrganization('shop')]).toEqual([true, false])
      await save(store, { change: change(payment('t')) })
      expect((await store.organizations()).map(one => one.organizationId)).toEqual(['other'])
      expect([await store.certificate('shop:AA'), await store.signingKey('shop', 'shop-key')]).toEqual([
        undefined,
        undefined,
      ])
      await store.addOrganization(organization('shop'))
      expect((await store.organizations()).map(one => one.organizationId)).toEqual(['other', 'shop'])
      expect(await look(store, NEEDS)).toMatchObject({ payment: undefined, events: [], postings: [], faults: [] })
      expect([await store.snapshots('shop'), await store.mandates('shop', 9)]).toEqual([[], []])
    })
  })

  describe(`${name}: a life that is put by`, () => {
    test('comes back whole and in order, as often as it is asked for', async () => {
      const store = await begin()
      await live(store)
      const [life, before] = [await store.life('shop'), await everything(store)]
      const copy = JSON.parse(JSON.stringify(life)) as Life
      expect(await store.unfitLife('shop', copy)).toBeUndefined()
      for (const id of ['later', 'latest']) {
        await live(store, id)
        expect(await store.replaceLife('shop', copy, FROZEN)).toBe(true)
        expect(await everything(store)).toEqual(before)
        expect((await look(store, { transactionId: id })).payment).toBeUndefined()
      }
      expect((await everything(store)).events.map(({ type }) => type)).toEqual(['first', 'second', 'third'])
    })

    test('does not come twice: what another organization has stays there, and nothing changes here', async () => {
      const store = await begin()
      await live(store)
      const mine = await store.life('shop')
      await save(store, { change: change(payment('u', { organizationId: 'other' })) }, 'other')
      const table = mine.tables.payments ?? { columns: [], rows: [] }
      const rows = table.rows.map(row =>
        row.map(cell => (typeof cell === 'string' ? cell.replaceAll('shop', 'other') : cell)),
      )
      const stolen = { capabilities: {}, tables: { payments: { ...table, rows } } }
      expect(await store.unfitLife('other', stolen)).toBeUndefined()
      expect(await store.replaceLife('other', stolen, REAL_TIME)).toBe(false)
      expect((await look(store, { transactionId: 'u' }, 'other')).payment).toBeDefined()
      expect((await look(store, { transactionId: 't' }, 'other')).payment).toBeUndefined()
    })

    const FAULT = ['organization_id', 'operation', 'remaining', 'record']
    const DEEP = `{"operation":"capture","kind":"error","x":${'['.repeat(40)}${']'.repeat(40)}}`
    const COLUMNS = ['organization_id', 'key', 'fingerprint', 'http', 'body', 'expires_at']
    const REMEMBERED = ['shop', 'k', 'f', 200, '{}', 9]
    const remembered = (columns: string[], ...row: (string | number | null)[]) => ({
      remembered: { columns, rows: [row] },
    })
    // biome-ignore format: a table reads by its columns
    test.each<[string, Life['tables']]>([
      ['a table that is none',          { secrets: { columns: [], rows: [] } }],
      ['a table that it must not touch', { signing_keys: { columns: [], rows: [] } }],
      ['a column that is none',         remembered([...COLUMNS, 'x'], 'shop', 'k', 'f', 200, '{}', 9, 1)],
      ['SQL for a column',              remembered([...COLUMNS.slice(0, 5), 'expires_at) --'], 'shop', 'k', 'f', 200, '{}', 9)],
      ['a column twice',                remembered([...COLUMNS, 'key'], 'shop', 'k', 'f', 200, '{}', 9, 'k')],
      ['no value for a column',         remembered(COLUMNS.slice(0, 5), 'shop', 'k', 'f', 200, '{}')],
      ['a row that is too short',       remembered(COLUMNS, 'shop', 'k', 'f', 200, '{}')],
      ['a text for a number',           remembered(COLUMNS, 'shop', 'k', 'f', '200', '{}', 9)],
      ['a number for a text',           remembered(COLUMNS, 'shop', 'k', 'f', 200, 7, 9)],
      ['nothing where there must be',   remembered(COLUMNS, 'shop', 'k', null, 200, '{}', 9)],
      ["another organization's row",    remembered(COLUMNS, 'other', 'k', 'f', 200, '{}', 9)],
      ['a body of a status that is none', remembered(COLUMNS, 'shop', 'k', 'f', 7, '{}', 9)],
      ['a key twice',                   { remembered: { columns: COLUMNS, rows: [REMEMBERED, REMEMBERED] } }],
      ['a late answer to no call',      { jobs: { columns: ['organization_id', 'due_at', 'name'], rows: [['shop', 9, 'late-answer']] } }],
      ['a time that no date can hold',  { deeds: { columns: ['organization_id', 'until', 'record'], rows: [['shop', 9e15, '{}']] } }],
      ['events of no payment',          { events: { columns: ['transaction_id', 'record'], rows: [['t', '{}']] } }],
    ])('is unfit with %s', async (_what, tables) => {
      const store = await begin()
      expect(await store.unfitLife('shop', { capabilities: {}, tables })).toMatch(/\w+ \w+/)
    })

    test.each([
      ['{"operation":"capture","kind":"error","after":-1}', 'after in record of faults must be >= 0'],
      ['{"operation":"capture"}', "record of faults must have required property 'kind'"],
      ['{', 'record of faults is no JSON'],
      [DEEP, 'record of faults is nested too deep'],
    ])('is unfit with %s in a fault, and the reason tells what is wrong and where', async (record, reason) => {
      const store = await begin()
      const tables = { faults: { columns: FAULT, rows: [['shop', 'capture', 1, record]] } }
      expect(await store.unfitLife('shop', { capabilities: {}, tables })).toBe(reason)
    })

    test('documents are kept by name, the last wins, newest first', async () => {
      const store = await begin()
      expect(await store.saveSnapshot('shop', { name: 'a', takenAt: 1, document: '{"é":1}' })).toBe(false)
      expect(await store.saveSnapshot('shop', { name: 'b', takenAt: 2, document: '{}' })).toBe(false)
      expect(await store.saveSnapshot('shop', { name: 'b', takenAt: 3, document: '[]' })).toBe(true)
      expect(await store.snapshots('shop')).toEqual([
        { name: 'b', takenAt: 3, bytes: 2 },
        { name: 'a', takenAt: 1, bytes: 8 },
      ])
      expect(await store.snapshot('shop', 'b')).toEqual({ name: 'b', takenAt: 3, document: '[]' })
      expect([await store.snapshot('other', 'b'), await store.snapshots('other')]).toEqual([undefined, []])
      expect([await store.dropSnapshot('other', 'b'), await store.dropSnapshot('shop', 'b')]).toEqual([false, true])
      expect(await store.snapshots('shop')).toHaveLength(1)
    })
  })
}
