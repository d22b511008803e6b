import pg from 'pg'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../simulator/store/postgres/migrate.ts'
import { openPool, type Pool } from '../../simulator/store/postgres/pool.ts'
import { MIGRATIONS } from '../../simulator/store/postgres/schema-migrations.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { pollUntil } from '../support/poll-until.ts'
import { startPostgres } from '../support/postgres-server.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.remove())

/** Number of the migrations of the version before the first index that is built concurrently. */
const BEFORE = MIGRATIONS.findIndex(migration => typeof migration !== 'string')

const open = async () => {
  const url = await createPostgresSchema(postgres?.url ?? '')
  const pool = openPool(url, () => undefined, { statement_timeout: 0, query_timeout: 0 })
  onTestFinished(() => pool.end())
  const other = new pg.Client(url)
  await other.connect()
  onTestFinished(() => other.end())
  return { url, pool, other }
}
/** Waits until a statement that begins so waits for a lock; not by a client in a transaction, which sees one picture of them. */
const waiting = (pool: Pool, beginning: string) =>
  pollUntil(
    () =>
      pool.run(sql`
      SELECT FROM pg_stat_activity WHERE starts_with(query, ${beginning}) AND wait_event_type = 'Lock'`),
    count => count === 1,
  )
const appliedOf = async (pool: Pool) =>
  (await pool.rows<{ count: number }>(sql`SELECT count(*) AS count FROM assay_migrations`))[0]?.count
const ADD_COLUMN = 'ALTER TABLE settings ADD COLUMN note TEXT'

describe.skipIf(postgres === undefined)('migrations of a schema that is in use (D-114)', () => {
  test('one that waits for a lock lets the calls behind it through, and is tried again', async () => {
    const { pool, other, url } = await open()
    await migrate(pool)
    await other.query('BEGIN; SELECT FROM settings')
    const migrated = migrate(pool, [...MIGRATIONS, ADD_COLUMN])
    await waiting(pool, ADD_COLUMN)
    const call = new pg.Client(url)
    await call.connect()
    await call.query("INSERT INTO settings (name, value) VALUES ('a', 'b')") // behind the migration, which gives way
    await call.end()
    expect(await appliedOf(pool)).toBe(MIGRATIONS.length)
    await other.query('COMMIT')
    await migrated
    expect(await appliedOf(pool)).toBe(MIGRATIONS.length + 1)
  })

  test('an index is built while calls write, also where an attempt left it invalid', async () => {
    const { pool, other, url } = await open()
    const earlier = MIGRATIONS.slice(0, BEFORE)
    await migrate(pool, earlier)
    await other.query("BEGIN; INSERT INTO shared_calls (replica, journal_entry) VALUES ('a', '{}')")
    const first = new pg.Client(url)
    await first.connect()
    first.on('error', () => undefined)
    const failed = expect(
      first.query('CREATE INDEX CONCURRENTLY shared_calls_by_organization ON shared_calls (organization_id)'),
    ).rejects.toThrow()
    await waiting(pool, 'CREATE INDEX CONCURRENTLY')
    await pool.run(
      sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONCURRENTLY%' AND pid <> pg_backend_pid()`,
    )
    await failed
    await other.query('COMMIT')

    await other.query("BEGIN; INSERT INTO shared_calls (replica, journal_entry) VALUES ('a', '{}')")
    const both = [migrate(pool), migrate(pool)] // as two replicas that start at once
    await waiting(pool, 'DROP INDEX CONCURRENTLY')
    await pool.run(sql`INSERT INTO shared_calls (replica, journal_entry) VALUES ('b', '{}')`)
    await other.query('COMMIT')
    await Promise.all(both)
    const [index] = await pool.rows(sql`
      SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'shared_calls_by_organization'::regclass`)
    expect(index).toEqual({ valid: true })
    expect(await appliedOf(pool)).toBe(MIGRATIONS.length)
  })
})

test.skipIf(postgres === undefined)('a connection whose plans are from before a migration is replaced', async () => {
  const { pool, other } = await open()
  await migrate(pool)
  const read = () => pool.rows(sql`SELECT * FROM settings`)
  await read()
  await other.query(ADD_COLUMN)
  expect(await read()).toEqual([])
})

describe.skipIf(postgres === undefined)('names of advisory locks', () => {
  test('are those of one schema: sandboxes in one database do not wait for each other', async () => {
    const [one, two] = [await open(), await open()]
    for (const { pool } of [one, two]) await migrate(pool)
    const keyOf = async (pool: Pool) =>
      (await pool.rows<{ key: string }>(sql`SELECT advisory_key('payment x')::text AS key`))[0]?.key
    expect(await keyOf(one.pool)).not.toBe(await keyOf(two.pool))
  })

  test('stay as they were in a schema from before, whose replicas are upgraded one by one', async () => {
    const { pool } = await open()
    await migrate(pool, MIGRATIONS.slice(0, 4))
    await pool.run(sql`INSERT INTO organizations (organization_id, account_ids, kit) VALUES ('shop', '[]', '{}')`)
    await migrate(pool)
    const [row] = await pool.rows(sql`SELECT advisory_key('payment x') = hashtextextended('payment x', 0) AS same`)
    expect(row).toEqual({ same: true })
  })
})
