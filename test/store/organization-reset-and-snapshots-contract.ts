import { describe, expect, test } from 'vitest'
import type { OrganizationState } from '../../simulator/store/organization-state-store.ts'
import type { Store } from '../../simulator/store/store.ts'
import { REAL_TIME_SETTING } from '../../simulator/support/clock.ts'
import { type OpenStore, openTwoOrganizations } from './open-two-organizations.ts'
import { dueJob, nextDue, readInUnit, writeInUnit } from './run-unit-of-work.ts'
import { certificate, change, mandate, organization, payment, signingKey } from './sample-records.ts'

const FROZEN = { anchorReal: 1, anchorVirtual: 2, rate: 0 }
const NEEDS = {
  transactionId: 't',
  key: 'k',
  blikCode: '123456',
  events: true,
  providerCall: 'refund',
  ledgerEntries: { accountIds: ['shop-1'], from: 0, to: 99 },
}

/** Defines the contract tests of every store on reset, removal and organization state. */
export const organizationStateContract = (name: string, openStore: OpenStore): void => {
  const begin = async () => (await openTwoOrganizations(openStore)).store

  /** Creates rows of every kind for the shop. */
  const live = async (store: Store, id = 't') => {
    const ledgerEntry = { kind: 'capture', captureOrRefundId: 'm', clientTransactionId: 'c', amount: 5, at: 3 } as const
    await store.addBlikCode('shop', { codeId: `code-${id}`, code: '123456', expiresAt: 10 })
    const jobs = [{ name: 'shopper-window', dueAt: 5 }] as const
    await writeInUnit(store, {
      change: change(payment(id), jobs, 'first', [ledgerEntry]),
      usedCodeId: `code-${id}`,
      mandate: mandate(`token-${id}`),
      idempotentReply: { key: 'k', fingerprint: 'f', reply: { http: 200, body: '{"é":1}' }, expiresAt: 9 },
    })
    for (const type of ['second', 'third']) await writeInUnit(store, { change: change(payment(id), [], type) })
    await store.addFault('shop', { operation: 'refund', kind: 'error', left: 2 })
    const asked = { organizationId: 'shop', accountIds: [], capabilities: {}, operation: 'capture', request: {} }
    const late = { key: 'l', fingerprint: 'f', transactionId: id, dueAt: 20, call: JSON.stringify(asked) }
    await writeInUnit(store, { lateCall: late })
    await store.setCapabilities('shop', 'shop-1', { BLIK: { partialCapture: false } })
    await store.setClock('shop', FROZEN)
  }
  const everything = async (store: Store, organizationId = 'shop') => {
    const { faults, ...seen } = await readInUnit(store, NEEDS, organizationId)
    return {
      ...seen,
      faults: faults.map(({ faultId: _, ...fault }) => fault),
      mandates: await store.mandates(organizationId, 9),
      organization: await store.organization(organizationId),
      firstDue: await nextDue(store, organizationId),
    }
  }

  describe(`${name}: control tokens`, () => {
    test('and the record of access tokens are changed each by itself, one change after the other', async () => {
      const store = await begin()
      const before = (await store.organization('shop'))?.tokens ?? ''
      const add = (token: string) => store.changeTokens('shop', tokens => `${tokens ?? ''}${token}`)
      await Promise.all([add('a'), add('b'), store.changeControlTokens('shop', () => 'x'), add('c')])
      const { tokens = '', controlTokens } = (await store.organization('shop')) ?? {}
      expect([tokens.length, ...[...tokens.slice(before.length)].sort(), controlTokens]).toEqual([
        before.length + 3,
        'a',
        'b',
        'c',
        'x',
      ])
      expect((await store.organization('other'))?.tokens).not.toBe(tokens)
    })

    test('are changed one after the other, kept by a reset, and gone with the organization', async () => {
      const store = await begin()
      const add = (token: string) => store.changeControlTokens('shop', before => `${before ?? ''}${token}`)
      await Promise.all([add('a'), add('b'), add('c')])
      const tokens = async () => (await store.organization('shop'))?.controlTokens
      expect([...((await tokens()) ?? '')].sort()).toEqual(['a', 'b', 'c'])
      const refuse = () => {
        throw new Error('refused')
      }
      await expect(store.changeControlTokens('shop', refuse)).rejects.toThrow('refused')
      await store.changeControlTokens('nobody', () => 'x')
      await store.resetOrganization('shop')
      expect(await tokens()).toHaveLength(3)
      expect((await store.organization('other'))?.controlTokens).toBeUndefined()
    })
  })

  describe(`${name}: reset and removal`, () => {
    test('a reset deletes the state of one organization only', async () => {
      const store = await begin()
      const [before, othersBefore] = [await everything(store), await everything(store, 'other')]
      await live(store)
      expect(await everything(store)).not.toEqual(before)
      await store.saveSnapshot('shop', { name: 'kept', takenAt: 1, document: '{}' })
      await writeInUnit(store, { change: change(payment('u', { organizationId: 'other' })) }, 'other')
      await store.resetOrganization('shop')
      expect(await everything(store)).toEqual(before)
      expect((await store.certificates('shop')).length + (await store.signingKeys('shop')).length).toBe(2)
      expect(await store.snapshots('shop')).toHaveLength(1)
      expect(await everything(store, 'other')).toEqual(othersBefore)
      expect((await readInUnit(store, { transactionId: 'u', events: true }, 'other')).events).toHaveLength(1)
    })

    test('a job that a reset removed saves nothing', async () => {
      const store = await begin()
      await live(store)
      const job = await dueJob(store, 'shop', 5)
      await store.resetOrganization('shop')
      await writeInUnit(store, { change: change(payment('t')), finishedJobId: job?.jobId })
      expect((await readInUnit(store, { transactionId: 't' })).payment).toBeUndefined()
    })

    test('R4: finishing a job twice does not remove the next one', async () => {
      const store = await begin()
      await writeInUnit(store, { change: change(payment('t', { state: 'SETTLED' }), [{ name: 'dispute', dueAt: 1 }]) })
      const { jobId } = (await dueJob(store, 'shop', 1)) ?? {}
      const disputed = change(payment('t', { state: 'DISPUTED' }), [{ name: 'dispute-decision', dueAt: 2 }])
      for (const done of [{ change: disputed }, {}]) await writeInUnit(store, { ...done, finishedJobId: jobId })
      expect(await dueJob(store, 'shop', 2)).toMatchObject({ name: 'dispute-decision', dueAt: 2 })
    })

    test('removal deletes all rows of an organization, and a later call saves nothing', async () => {
      const store = await begin()
      await live(store)
      await store.saveSnapshot('shop', { name: 'gone', takenAt: 1, document: '{}' })
      expect([await store.removeOrganization('shop'), await store.removeOrganization('shop')]).toEqual([true, false])
      await writeInUnit(store, { change: change(payment('t')) })
      expect((await store.organizations()).map(one => one.organizationId)).toEqual(['other'])
      expect([await store.certificate('shop:AA'), await store.signingKey('shop', 'shop-key')]).toEqual([
        undefined,
        undefined,
      ])
      await store.addOrganization(organization('shop'))
      expect((await store.organizations()).map(one => one.organizationId)).toEqual(['other', 'shop'])
      expect(await readInUnit(store, NEEDS)).toMatchObject({
        payment: undefined,
        events: [],
        ledgerEntries: [],
        faults: [],
      })
      expect([await store.snapshots('shop'), await store.mandates('shop', 9)]).toEqual([[], []])
    })
  })

  describe(`${name}: what a call saves for an organization that was removed meanwhile`, () => {
    const saveAll = async (store: Store) => {
      await store.saveSnapshot('shop', { name: 'old', takenAt: 1, document: '{}' })
      await store.addCertificate(certificate({ fingerprint: 'old' }))
      await store.addSigningKey(signingKey({ keyId: 'old' }))
    }
    const saved = async (store: Store) => [
      await store.snapshots('shop'),
      (await store.certificates('shop')).map(({ fingerprint }) => fingerprint),
      (await store.signingKeys('shop')).map(({ keyId }) => keyId),
    ]

    test('is not there', async () => {
      const store = await begin()
      await store.removeOrganization('shop')
      await saveAll(store)
      expect(await saved(store)).toEqual([[], [], []])
    })

    test('is deleted on request, and nothing of an organization that is there', async () => {
      const store = await begin()
      await live(store)
      const state = await store.organizationState('shop')
      expect(await store.clearRemovedOrganization('shop')).toBe(false)
      expect(await store.organizationState('shop')).toEqual(state)
      await store.removeOrganization('shop')
      await store.replaceOrganizationState('shop', 'old', state, FROZEN)
      await store.addFault('shop', { operation: 'refund', kind: 'error', left: 2 })
      expect(await store.clearRemovedOrganization('shop')).toBe(true)
      const { tables } = await store.organizationState('shop')
      expect(Object.values(tables).flatMap(({ rows }) => rows)).toEqual([])
      expect(await store.organization('shop')).toBeUndefined()
    })

    test('is not that of the next one of its id', async () => {
      const store = await begin()
      await store.removeOrganization('shop')
      await Promise.all([saveAll(store), store.saveSetting('inbox-secret:shop', 'old')])
      await store.addOrganization(organization('shop'))
      expect(await saved(store)).toEqual([[], ['shop:AA'], ['shop-key']])
      expect(await store.setting('inbox-secret:shop')).toBeUndefined()
    })
  })

  describe(`${name}: organization state`, () => {
    test('4: of an earlier version, without reference and provider in its ledger, has those of the payments', async () => {
      const store = await begin()
      await live(store)
      const [{ tables, capabilities }, before] = [await store.organizationState('shop'), await everything(store)]
      const { columns = [], rows = [] } = tables.ledger_entries ?? {}
      const kept = columns.filter(column => column !== 'reference' && column !== 'provider_id')
      const ledgerEntries = {
        columns: kept,
        rows: rows.map(row => kept.map(name => row[columns.indexOf(name)] ?? null)),
      }
      const older = { tables: { ...tables, ledger_entries: ledgerEntries }, capabilities }
      expect(await store.validateState('shop', older)).toBeUndefined()
      await store.replaceOrganizationState('shop', 'older', older, FROZEN)
      expect(await everything(store)).toEqual(before)
    })

    test('is restored completely and in order, any number of times', async () => {
      const store = await begin()
      await live(store)
      const [state, before] = [await store.organizationState('shop'), await everything(store)]
      const copy = JSON.parse(JSON.stringify(state)) as OrganizationState
      expect(await store.validateState('shop', copy)).toBeUndefined()
      for (const id of ['later', 'latest']) {
        await live(store, id)
        expect(await store.replaceOrganizationState('shop', 'one', copy, FROZEN)).toBe(true)
        expect(await everything(store)).toEqual(before)
        expect((await readInUnit(store, { transactionId: id })).payment).toBeUndefined()
      }
      expect((await everything(store)).events.map(({ type }) => type)).toEqual(['first', 'second', 'third'])
    })

    test('is restored with NUL and the last character of the plane in its texts', async () => {
      const store = await begin()
      const clientTransactionId = 'a\0b\uffffc\uffff0 \\u0000'
      await writeInUnit(store, { change: change(payment('t', { clientTransactionId })) })
      const state = await store.organizationState('shop')
      expect(state.tables.payments?.rows[0]).toContain(clientTransactionId)
      expect(await store.replaceOrganizationState('shop', 'one', state, FROZEN)).toBe(true)
      expect(await store.organizationState('shop')).toEqual(state)
      expect((await readInUnit(store, { transactionId: 't' })).payment).toMatchObject({ clientTransactionId })
    })

    test('is read no further than its caller wants', async () => {
      const store = await begin()
      await live(store)
      const read: unknown[] = []
      const state = await store.organizationState('shop', rows => void read.push(...rows.flat()))
      const cells = Object.values(state.tables).flatMap(({ rows }) => rows.flat())
      expect(read.length).toBeGreaterThan(20)
      expect(cells.filter(cell => !read.includes(cell))).toEqual([])
      let calls = 0
      const refused = store.organizationState('shop', () => {
        calls += 1
        throw new Error('That is too much.')
      })
      await expect(refused).rejects.toThrow('That is too much.')
      expect(calls).toBe(1)
      expect((await readInUnit(store, { transactionId: 't' })).payment).toBeDefined()
    })

    test('with payments of another organization is refused and changes nothing', async () => {
      const store = await begin()
      await live(store)
      const mine = await store.organizationState('shop')
      await writeInUnit(store, { change: change(payment('u', { organizationId: 'other' })) }, 'other')
      const table = mine.tables.payments ?? { columns: [], rows: [] }
      const rows = table.rows.map(row =>
        row.map(cell => (typeof cell === 'string' ? cell.replaceAll('shop', 'other') : cell)),
      )
      const stolen = { capabilities: {}, tables: { payments: { ...table, rows } } }
      expect(await store.validateState('other', stolen)).toBeUndefined()
      expect(await store.replaceOrganizationState('other', 'one', stolen, REAL_TIME_SETTING)).toBe(false)
      expect((await readInUnit(store, { transactionId: 'u' }, 'other')).payment).toBeDefined()
      expect((await readInUnit(store, { transactionId: 't' }, 'other')).payment).toBeUndefined()
    })

    const FAULT = ['organization_id', 'operation', 'remaining_calls', 'record']
    const DEEP = `{"operation":"capture","kind":"error","x":${'['.repeat(40)}${']'.repeat(40)}}`
    const COLUMNS = [
      'organization_id',
      'idempotency_key',
      'request_fingerprint',
      'response_status',
      'response_body',
      'expires_at',
    ]
    const REMEMBERED = ['shop', 'k', 'f', 200, '{}', 9]
    const remembered = (columns: string[], ...row: (string | number | null)[]) => ({
      idempotency_keys: { columns, rows: [row] },
    })
    // biome-ignore format: a table reads by its columns
    test.each<[string, OrganizationState['tables']]>([
      ['a table that is none',          { secrets: { columns: [], rows: [] } }],
      ['a table that it must not touch', { signing_keys: { columns: [], rows: [] } }],
      ['a column that is none',         remembered([...COLUMNS, 'x'], 'shop', 'k', 'f', 200, '{}', 9, 1)],
      ['SQL for a column',              remembered([...COLUMNS.slice(0, 5), 'expires_at) --'], 'shop', 'k', 'f', 200, '{}', 9)],
      ['a column twice',                remembered([...COLUMNS, 'idempotency_key'], 'shop', 'k', 'f', 200, '{}', 9, 'k')],
      ['no value for a column',         remembered(COLUMNS.slice(0, 5), 'shop', 'k', 'f', 200, '{}')],
      ['a row that is too short',       remembered(COLUMNS, 'shop', 'k', 'f', 200, '{}')],
      ['a text for a number',           remembered(COLUMNS, 'shop', 'k', 'f', '200', '{}', 9)],
      ['a number for a text',           remembered(COLUMNS, 'shop', 'k', 'f', 200, 7, 9)],
      ['nothing where there must be',   remembered(COLUMNS, 'shop', 'k', null, 200, '{}', 9)],
      ["another organization's row",    remembered(COLUMNS, 'other', 'k', 'f', 200, '{}', 9)],
      ['a body of a status that is none', remembered(COLUMNS, 'shop', 'k', 'f', 7, '{}', 9)],
      ['a key twice',                   { idempotency_keys: { columns: COLUMNS, rows: [REMEMBERED, REMEMBERED] } }],
      ['a late answer to no call',      { jobs: { columns: ['organization_id', 'due_at', 'name'], rows: [['shop', 9, 'late-answer']] } }],
      ['a time that no date can hold',  { activities: { columns: ['organization_id', 'ended_at', 'record'], rows: [['shop', 9e15, '{}']] } }],
      ['events of no payment',          { payment_events: { columns: ['transaction_id', 'record'], rows: [['t', '{}']] } }],
    ])('is invalid with %s', async (_what, tables) => {
      const store = await begin()
      expect(await store.validateState('shop', { capabilities: {}, tables })).toMatch(/\w+ \w+/)
    })

    test.each([
      ['{"operation":"capture","kind":"error","after":-1}', 'after in record of faults must be at least 0'],
      ['{"operation":"capture"}', 'kind in record of faults is missing'],
      ['{', 'record of faults is no JSON'],
      [DEEP, 'record of faults is nested too deep'],
    ])('is invalid with %s in a fault, with the reason and its position', async (record, reason) => {
      const store = await begin()
      const tables = { faults: { columns: FAULT, rows: [['shop', 'capture', 1, record]] } }
      expect(await store.validateState('shop', { capabilities: {}, tables })).toBe(reason)
    })

    test('snapshots are stored by name, the last one wins, and listed newest first', async () => {
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
      expect([await store.deleteSnapshot('other', 'b'), await store.deleteSnapshot('shop', 'b')]).toEqual([false, true])
      expect(await store.snapshots('shop')).toHaveLength(1)
    })
  })
}
