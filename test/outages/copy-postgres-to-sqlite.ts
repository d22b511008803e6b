import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'

/** Tables that the database invariants read. */
const TABLES = ['payments', 'payment_events', 'ledger_entries', 'jobs', 'messages', 'deliveries'] as const

/** Copies a PostgreSQL database into a SQLite file for the database invariants; returns the file. */
export const copyPostgresToSqlite = async (url: string, folder: string): Promise<string> => {
  await openSqliteStore(folder).close()
  const file = join(folder, 'assay.db')
  const database = new Database(file)
  database.pragma('foreign_keys = OFF')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    for (const table of TABLES) {
      const all = (database.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name)
      const columns = all.filter(name => name !== 'hash') // which only the embedded store keeps
      const { rows } = await client.query<Record<string, string | null>>(`SELECT ${columns.join(', ')} FROM ${table}`)
      const insert = database.prepare(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      )
      database.transaction(() => {
        for (const row of rows) insert.run(columns.map(name => row[name] ?? null))
      })()
    }
  } finally {
    await client.end()
    database.close()
  }
  return file
}
