import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'

/** What the rules of the books look at. */
const TABLES = ['payments', 'events', 'postings', 'jobs', 'notifications', 'deliveries'] as const

/** The books of a PostgreSQL as a file of the embedded store, so that the same rules judge both. */
export const copyBooks = async (url: string, folder: string): Promise<string> => {
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
