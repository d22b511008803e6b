import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { describePostgresError } from '../../simulator/store/postgres/database-errors.ts'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import type { Loaded, UnitOfWork, WriteSet } from '../../simulator/store/unit-of-work.ts'
import { openTcpProxy } from '../outages/tcp-proxy.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { writeInUnit } from './run-unit-of-work.ts'
import { change, organization, payment } from './sample-records.ts'

const postgres = await startPostgres('-c fsync=off -c deadlock_timeout=50ms')
afterAll(() => postgres?.remove())

const SERIALIZABLE = encodeURIComponent(' -c default_transaction_isolation=serializable')
const LOCK_OF_SHOP = `SELECT pg_advisory_xact_lock(advisory_key('organization shop'))`
const LOCK_OF_KEY = `SELECT pg_advisory_xact_lock(advisory_key('key shop k'))`
const LOCK_OF_PAYMENT = `SELECT pg_advisory_xact_lock(advisory_key('payment t'))`
const WAITING = `SELECT pid FROM pg_locks WHERE NOT granted`

describe.skipIf(postgres === undefined)('retries of what PostgreSQL rolled back (D-114)', () => {
  /** Opens a store with a payment and a fault over a connection that can be cut, and other clients of its tables. */
  const scene = async (more = '') => {
    const url = `${await createPostgresSchema(postgres?.url ?? '')}${more}`
    const line = await openTcpProxy(postgres?.port ?? 0)
    const store = await openPostgresStore(url.replace(`:${postgres?.port}/`, `:${line.port}/`), () => undefined)
    await store.addOrganization(organization('shop'))
    await writeInUnit(store, { change: change(payment('t')) })
    await store.addFault('shop', { operation: 'refund', kind: 'error', left: 2 })
    const others: pg.Client[] = []
    const another = async () => {
      const client = new pg.Client(url)
      others.push(client)
      await client.connect()
      await client.query(`SET deadlock_timeout = '1h'`) // it is never the deadlock victim
      return client
    }
    onTestFinished(async () => {
      for (const client of others) await client.end()
      await store.close()
      line.close()
    })
    const cut = () => line.leadTo(postgres?.port ?? 0)
    const saved = () => writeInUnit(store, { change: change(payment('new')) })
    return { store, another, cut, saved }
  }
  /** Waits until a number of processes wait for locks; returns their ids. */
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
  const unit = (saving: WriteSet = {}, needs: UnitOfWork<Loaded>['needs'] = { transactionId: 't' }) => {
    const seen: Loaded[] = []
    const decide = (loaded: Loaded) => {
      seen.push(loaded)
      return { result: loaded, save: saving }
    }
    return { unit: { organizationId: 'shop', now: 0, needs, decide }, seen }
  }

  test('a unit of work that is a deadlock victim is retried', async () => {
    const { store, another } = await scene()
    const [first, second] = [await another(), await another()]
    await first.query(`BEGIN; ${LOCK_OF_PAYMENT}`)
    await second.query('BEGIN; SELECT FROM faults FOR UPDATE')
    const { unit: one } = unit({}, { transactionId: 't', providerCall: 'refund' })
    const done = store.transact(one) // it has locked the shop, and waits for the payment
    await waiting(first)
    const locked = second.query(LOCK_OF_SHOP)
    await waiting(first, 2)
    await first.query('COMMIT') // now it waits for the fault, held by a client that waits for the shop: a deadlock
    await locked
    await second.query('COMMIT')
    expect((await done).faults).toHaveLength(1)
  })

  test('a single statement with a serialization failure is retried', async () => {
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

  test('I3: a unit of work that waited for a key sees the reply saved meanwhile, at any default isolation', async () => {
    const { store, another } = await scene(SERIALIZABLE)
    const other = await another()
    await other.query(`BEGIN; ${LOCK_OF_KEY}`)
    const remember = { key: 'k', fingerprint: 'f', reply: { http: 200, body: '{}' }, expiresAt: 9 }
    const { unit: one, seen } = unit({ idempotentReply: remember }, { key: 'k' })
    const done = [store.transact(one), store.transact(one)]
    await waiting(other, 2)
    await other.query('COMMIT')
    await Promise.all(done)
    expect(seen.map(({ idempotentReply: remembered }) => remembered?.reply?.http)).toEqual([undefined, 200])
  })

  test.each(['ended by an administrator', 'cut'])(
    'a unit of work whose connection is %s before commit is retried',
    async how => {
      const { store, another, cut } = await scene()
      const other = await another()
      await other.query(`BEGIN; ${LOCK_OF_PAYMENT}`)
      const { unit: one, seen } = unit({ change: change(payment('t', { captured: 5 })) })
      const done = store.transact(one)
      const [pid] = await waiting(other)
      if (how === 'cut') cut()
      else await other.query('SELECT pg_terminate_backend($1)', [pid])
      await expect.poll(async () => (await other.query(WAITING)).rows.some(row => row.pid !== pid)).toBe(true)
      await other.query('COMMIT')
      await done
      expect(seen).toHaveLength(1)
      expect((await store.transact(unit().unit)).payment?.captured).toBe(5)
    },
  )

  test('I3: a unit of work whose connection is cut during commit fails, and its key has the reply', async () => {
    const { store, another, cut } = await scene()
    const other = await another()
    await other.query(`
      CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN SET LOCAL lock_timeout = 0; PERFORM pg_advisory_xact_lock(77); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON payments DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION wait()`)
    await other.query('BEGIN; SELECT pg_advisory_xact_lock(77)')
    const remember = { key: 'k', fingerprint: 'f', reply: { http: 200, body: '{}' }, expiresAt: 9 }
    const { unit: one, seen } = unit({ change: change(payment('new')), idempotentReply: remember }, {}) // no lock would delay a retry
    const failure = store.transact(one).catch((error: unknown) => error)
    await waiting(other)
    cut()
    expect(describePostgresError(await failure)).toMatch('PostgreSQL')
    expect(seen).toHaveLength(1)
    await other.query('COMMIT')
    const { idempotentReply: remembered } = await store.transact(unit({}, { key: 'k' }).unit)
    expect(remembered?.reply).toEqual(remember.reply)
  })

  test('the number of retries is limited', async () => {
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
