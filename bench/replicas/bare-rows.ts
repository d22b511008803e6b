import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { type LoadRun, runLoad } from '../load/http-load.ts'

/** The rows that an initiate writes, by table, with the columns that are of that call alone. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  payments: ['transaction_id', 'redirect_id'],
  payment_events: ['transaction_id'],
  jobs: ['transaction_id'],
  idempotency_keys: ['idempotency_key'],
  messages: ['message_id', 'notification_id', 'transaction_id'],
}

/** Writer of the rows of an initiate by a plain client of PostgreSQL, in one statement that is one commit. */
export type BareRows = { run(calls: number): Promise<LoadRun>; close(): Promise<void> }

/**
 * Opens a writer of the rows that the last initiate in a schema has written, with new ids, on so many connections: what
 * PostgreSQL does for them with the same tables and indexes and nothing else.
 */
export const openBareRows = async (url: string, connections: number): Promise<BareRows> => {
  const pool = new pg.Pool({ connectionString: url, max: connections })
  const { text, values } = await statementOf(pool)
  const write = async (): Promise<void> => {
    const id = randomUUID()
    await pool.query({ name: 'bare-rows', text, values: values.map(value => (value === FRESH ? id : value)) })
  }
  return {
    run: calls =>
      runLoad(
        pool,
        Array.from({ length: calls }, () => write),
        connections,
      ),
    close: () => pool.end(),
  }
}

/** Stands for the id of a new call among the values of a statement. */
const FRESH = Symbol('fresh')

/** The statement that inserts one row into each table like the newest there. */
const statementOf = async (pool: pg.Pool) => {
  const values: unknown[] = []
  const inserts: string[] = []
  for (const [table, own] of Object.entries(TABLES)) {
    const { rows } = await pool.query(`SELECT * FROM ${table} ORDER BY ctid DESC LIMIT 1`)
    const generated = await pool.query<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attidentity <> ''`,
      [table],
    )
    const made = new Set(generated.rows.map(({ name }) => name))
    const columns = Object.entries(rows[0] ?? {}).filter(([name]) => !made.has(name))
    const places = columns.map(
      ([name, value]) => `$${values.push(own.includes(name) && value !== null ? FRESH : value)}`,
    )
    inserts.push(`i${inserts.length} AS (INSERT INTO ${table} (${columns.map(([name]) => name)}) VALUES (${places}))`)
  }
  return { text: `WITH ${inserts.join(', ')} SELECT`, values }
}
