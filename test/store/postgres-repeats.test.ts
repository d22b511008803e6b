import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Loaded, Save, Unit } from '../../simulator/store/port.ts'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import { troubleWithPostgres } from '../../simulator/store/postgres/trouble.ts'
import { openLine } from '../outages/line.ts'
import { startPostgres } from '../support/postgres.ts'
import { schemaFor } from '../support/schema.ts'
import { change, organization, payment, save } from './records.ts'

const postgres = await startPostgres('-c fsync=off -c deadlock_timeout=50ms')
afterAll(() => postgres?.remove())

const SERIALIZABLE = encodeURIComponent(' -c default_transaction_isolation=serializable')
const LOCK_OF_SHOP = `SELECT pg_advisory_xact_lock(hashtextextended('organization shop', 0))`
const LOCK_OF_KEY = `SELECT pg_advisory_xact_lock(hashtextextended('key shop k', 0))`
const ROW = `SELECT FROM payments WHERE transaction_id = 't' FOR UPDATE`
const WAITING = `SELECT pid FROM pg_locks WHERE NOT granted`

describe.skipIf(postgres === undefined)('what left nothing behind in PostgreSQL is done again (D-114)', () => {
  /** A store with a payment and a fault, behind a line that can be cut, and others who work on the same tables. */
  const scene = async (more = '') => {
    const url = `${await schemaFor(postgres?.url ?? '')}${more}`
    const line = await openLine(postgres?.port ?? 0)
    const store = await openPostgresStore(url.replace(`:${postgres?.port}/`, `:${line.port}/`), () => undefined)
    await store.addOrganization(organization('shop'))
    await save(store, { change: change(payment('t')) })
    await store.addFault('shop', { operation: 'refund', kind: 'error', left: 2 })
    const others: pg.Client[] = []
    const another = async () => {
      const client = new pg.Client(url)
      others.push(client)
      await client.connect()
      await client.query(`SET deadlock_timeout = '1h'`) // it is never the one that is undone
      return client
    }
    onTestFinished(async () => {
      for (const client of others) await client.end()
      await store.close()
      line.close()
    })
    const cut = () => line.leadTo(postgres?.port ?? 0)
    const saved = () => save(store, { change: change(payment('new')) })
    return { store, another, cut, saved }
  }
  /** Until so many wait for somebody's lock: their processes. */
  const waiting = async (client: pg.Client, count = 1): Promise<number[]> => {
    let pids: number[] = []
    await expect
      .poll(async () => {
        pids = (await client.query<{ pid: number }>(WAITING)).rows.map(({ pid }) => pid)
        return pids.length
      })
      .toBe(count)
    return pids
  }
  const unit = (saving: Save = {}, needs: Unit<Loaded>['needs'] = { transactionId: 't' }) => {
    const seen: Loaded[] = []
    const decide = (loaded: Loaded) => {
      seen.push(loaded)
      return { result: loaded, save: saving }
    }
    return { unit: { organizationId: 'shop', now: 0, needs, decide }, seen }
  }

  test('a unit of work that PostgreSQL undoes to end a deadlock', async () => {
    const { store, another } = await scene()
    const [first, second] = [await another(), await another()]
    await first.query(`BEGIN; ${ROW}`)
    await second.query('BEGIN; SELECT FROM faults FOR UPDATE')
    const { unit: one } = unit({}, { transactionId: 't', providerCall: 'refund' })
    const done = store.perform(one) // it has the shop, and waits for the payment
    await waiting(first)
    const locked = second.query(LOCK_OF_SHOP)
    await waiting(first, 2)
    await first.query('COMMIT') // and now for the fault, that is, for who waits for the shop
    await locked
    await second.query('COMMIT')
    expect((await done).faults).toHaveLength(1)
  })

  test('a statement of its own that cannot be serialized, where that is usual in the database', async () => {
    const { store, another } = await scene(SERIALIZABLE)
    const other = await another()
    await other.query(`BEGIN; UPDATE organizations SET kit = 'theirs'`)
    const clock = { anchorReal: 1, anchorVirtual: 2, rate: 0 }
    const done = store.setClock('shop', clock)
    await waiting(other)
    await other.query('COMMIT')
    await done
    expect(await store.organization('shop')).toMatchObject({ clock, kit: 'theirs' })
  })

  test('I3: who waited for a key sees what was remembered meanwhile, whatever is usual in the database', async () => {
    const { store, another } = await scene(SERIALIZABLE)
    const other = await another()
    await other.query(`BEGIN; ${LOCK_OF_KEY}`)
    const remember = { key: 'k', fingerprint: 'f', reply: { http: 200, body: '{}' }, expiresAt: 9 }
    const { unit: one, seen } = unit({ remember }, { key: 'k' })
    const done = [store.perform(one), store.perform(one)]
    await waiting(other, 2)
    await other.query('COMMIT')
    await Promise.all(done)
    expect(seen.map(({ remembered }) => remembered?.reply.http)).toEqual([undefined, 200])
  })

  test.each(['ended by an administrator', 'cut'])('a unit whose connection is %s before it commits', async how => {
    const { store, another, cut } = await scene()
    const other = await another()
    await other.query(`BEGIN; ${ROW}`)
    const { unit: one, seen } = unit({ change: change(payment('t', { captured: 5 })) })
    const done = store.perform(one)
    const [pid] = await waiting(other)
    if (how === 'cut') cut()
    else await other.query('SELECT pg_terminate_backend($1)', [pid])
    await expect.poll(async () => (await other.query(WAITING)).rows.some(row => row.pid !== pid)).toBe(true)
    await other.query('COMMIT')
    await done
    expect(seen).toHaveLength(1)
    expect((await store.perform(unit().unit)).payment?.captured).toBe(5)
  })

  test('I3: not a unit whose connection is cut while it commits: it fails, and its key tells what came of it', async () => {
    const { store, another, cut } = await scene()
    const other = await another()
    await other.query(`
      CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock(77); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON payments DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION wait()`)
    await other.query('BEGIN; SELECT pg_advisory_xact_lock(77)')
    const remember = { key: 'k', fingerprint: 'f', reply: { http: 200, body: '{}' }, expiresAt: 9 }
    const { unit: one, seen } = unit({ change: change(payment('new')), remember }, {}) // no lock keeps a second try back
    const failure = store.perform(one).catch((error: unknown) => error)
    await waiting(other)
    cut()
    expect(troubleWithPostgres(await failure)).toMatch('PostgreSQL')
    expect(seen).toHaveLength(1)
    await other.query('COMMIT')
    const { remembered } = await store.perform(unit({}, { key: 'k' }).unit)
    expect(remembered?.reply).toEqual(remember.reply)
  })

  test('not for ever: what is undone each time fails at last', async () => {
    const { another, saved } = await scene()
    const other = await another()
    await other.query(`
      CREATE SEQUENCE tries;
      CREATE FUNCTION undo() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN PERFORM nextval(''tries''); RAISE ''undone'' USING ERRCODE = ''40001''; END';
      CREATE TRIGGER never BEFORE INSERT ON payments FOR EACH ROW EXECUTE FUNCTION undo()`)
    await expect(saved()).rejects.toMatchObject({ code: '40001' })
    expect((await other.query('SELECT last_value FROM tries')).rows).toEqual([{ last_value: '5' }])
  })
})
