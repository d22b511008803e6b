import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../simulator/store/postgres/open-database.ts'
import type { Pool } from '../../simulator/store/postgres/pool.ts'
import { createOrganizationStateStore } from '../../simulator/store/postgres/reset-and-replace-organization.ts'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import type { Db } from '../../simulator/store/sql-statements.ts'
import type { Store } from '../../simulator/store/store.ts'
import { EMPTY_STATE } from '../../simulator/store/tables-emptied-by-reset.ts'
import { createMessageAndPlanStore } from '../../simulator/store/webhook-messages-and-plans.ts'
import { REAL_TIME_SETTING } from '../../simulator/support/clock.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { readInUnit, writeInUnit } from './run-unit-of-work.ts'
import { change, payment } from './sample-records.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.remove())

const PAYMENTS = 6_000
/** Maximum number of rows that one statement may read or change, far below what its time limit allows. */
const MOST = 5_000

const FILL = ['shop', 'other'].flatMap(id => {
  const count = id === 'shop' ? PAYMENTS : 10
  return [
    `INSERT INTO organizations (organization_id, account_ids, kit) VALUES ('${id}', '["a"]', '{}')`,
    `INSERT INTO payments (transaction_id, organization_id, account_id, client_transaction_id, provider_id, status,
       created_at, record)
     SELECT '${id}-' || n, '${id}', 'a', 'r' || n, 'IRIS', 'PENDING', n, '{}' FROM generate_series(1, ${count}) AS n`,
    `INSERT INTO payment_events (transaction_id, record)
     SELECT '${id}-' || n, '{"n":' || e || '}' FROM generate_series(1, 2) AS e, generate_series(1, ${count}) AS n`,
    `INSERT INTO phones (phone_id, organization_id, bank_id)
     SELECT '${id}-' || n, '${id}', 'b' FROM generate_series(1, ${count}) AS n`,
    `INSERT INTO deliveries (delivery_id, organization_id, endpoint_id, message_id, first_due_at, attempt_count, state)
     SELECT '${id}-' || n, '${id}', 'e', 'm', 1, 1, 'delivered' FROM generate_series(1, ${count}) AS n`,
  ]
})

/** Wraps a pool so that it keeps the greatest number of rows that a statement of a transaction read or changed. */
const watch = (pool: Pool) => {
  const rows = { most: 0 }
  const note = (count: number): void => {
    rows.most = Math.max(rows.most, count)
  }
  const watched = (db: Db): Db => ({
    rows: async <Row>(statement: Parameters<Db['rows']>[0]) => {
      const found = await db.rows<Row>(statement)
      note(found.length)
      return found
    },
    run: async statement => {
      const count = await db.run(statement)
      note(count)
      return count
    },
  })
  return { rows, pool: { ...pool, ...watched(pool), begin: act => pool.begin(db => act(watched(db))) } satisfies Pool }
}

describe.skipIf(postgres === undefined)('a large organization in PostgreSQL', () => {
  const begin = async () => {
    const url = await createPostgresSchema(postgres?.url ?? '')
    const { pool, rows } = watch(await openDatabase(url, console.error))
    const client = new pg.Client(url)
    await client.connect()
    onTestFinished(async () => {
      await client.end()
      await pool.end()
    })
    for (const text of FILL) await client.query(text)
    const count = async (table: string) =>
      Number((await client.query(`SELECT count(*) AS count FROM ${table}`)).rows[0].count)
    const left = async () => [
      await count('payments'),
      await count('payment_events'),
      await count('phones'),
      await count('deliveries'),
    ]
    return { url, client, pool, store: createOrganizationStateStore(pool), rows, left }
  }

  test.each([
    ['reset', 'resetOrganization'],
    ['removed', 'removeOrganization'],
  ] as const)('is %s in statements of a bounded number of rows', async (_, method) => {
    const { store, rows, left } = await begin()
    await store[method]('shop')
    expect(await left()).toEqual([10, 20, 10, 10])
    expect(rows.most).toBeLessThanOrEqual(MOST)
  })

  test('has its inbox cleared in such statements', async () => {
    const { client, pool, rows } = await begin()
    await client.query(`INSERT INTO messages (message_id, organization_id, notification_id, type, transaction_id,
        client_transaction_id, body, due_at, variation, is_from_plan, in_inbox)
      SELECT 'm' || n, 'shop', 'n', 'PAYMENT_CAPTURE', 't', 'r', '{}', n, '{}', 0, 1 FROM generate_series(1, ${PAYMENTS}) AS n`)
    const store = createMessageAndPlanStore(pool)
    expect(await store.clearInbox('shop', PAYMENTS - 1)).toBe(PAYMENTS - 1)
    const left = await store.inbox('shop', { now: PAYMENTS, order: 'oldest', limit: 9 })
    expect(left.map(({ messageId }) => messageId)).toEqual([`m${PAYMENTS}`])
    expect(rows.most).toBeLessThanOrEqual(MOST)
  })

  test('is read and restored in such statements, in the old order', async () => {
    const { store, rows, left } = await begin()
    const state = await store.organizationState('shop')
    const { columns = [], rows: events = [] } = state.tables.payment_events ?? {}
    expect([columns, events.length]).toEqual([['transaction_id', 'record'], 2 * PAYMENTS])
    expect([events[0], events[1], events.at(-1)]).toEqual([
      ['shop-1', '{"n":1}'],
      ['shop-2', '{"n":1}'],
      [`shop-${PAYMENTS}`, '{"n":2}'],
    ])
    expect(await store.replaceOrganizationState('shop', 'one', state, REAL_TIME_SETTING)).toBe(true)
    expect(await left()).toEqual([PAYMENTS + 10, 2 * PAYMENTS + 20, PAYMENTS + 10, PAYMENTS + 10])
    expect(await store.organizationState('shop')).toEqual(state)
    expect(rows.most).toBeLessThanOrEqual(MOST)
  })

  test('is reset with rows that another replica changes meanwhile', async () => {
    const { client, store, left } = await begin()
    await client.query(`BEGIN; UPDATE deliveries SET claimed_by = 'another' WHERE delivery_id LIKE 'shop-%0'`)
    const reset = store.resetOrganization('shop')
    await expect
      .poll(async () => (await client.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rows.length, {
        timeout: 10_000,
      })
      .toBeGreaterThan(0)
    await client.query('COMMIT')
    await reset
    expect(await left()).toEqual([10, 20, 10, 10])
  })

  test.each([
    ['reset', (store: Store) => store.resetOrganization('shop')],
    ['removed', (store: Store) => store.removeOrganization('shop')],
    ['restored', (store: Store) => store.replaceOrganizationState('shop', 'one', EMPTY_STATE, REAL_TIME_SETTING)],
  ] as const)('takes no connection for its calls while it is %s: those of others are served', async (_, replace) => {
    const { url, client } = await begin()
    const store = await openPostgresStore(url, () => undefined, 2)
    onTestFinished(() => store.close())
    await client.query("BEGIN; UPDATE deliveries SET claimed_by = 'another' WHERE organization_id = 'shop'")
    const replaced = replace(store)
    const waiting = async () => (await client.query('SELECT 1 FROM pg_locks WHERE NOT granted')).rows.length
    await expect.poll(waiting, { timeout: 10_000 }).toBe(1)
    const held = [1, 2, 3].map(n => writeInUnit(store, { change: change(payment(`held-${n}`)) }))
    await writeInUnit(store, { change: change(payment('o', { organizationId: 'other' })) }, 'other')
    await readInUnit(store, { transactionId: 'shop-1', isReadOnly: true })
    expect(await waiting()).toBe(1)
    await client.query('COMMIT')
    await Promise.all([replaced, ...held])
  })
})
