import type { Database } from 'better-sqlite3'
import type { InsertedRow, InsertTarget } from '../inserted-rows.ts'

/** Prepares the insertion of a row into a table of SQLite, in the transaction of the caller. */
export const prepareInsertion = <Column extends string>(
  database: Database,
  { table, columns, onConflict = '' }: InsertTarget<Column>,
): ((row: InsertedRow<Column>) => void) => {
  const names = Object.keys(columns) as Column[]
  const statement = database.prepare<(string | number | null)[]>(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) ${onConflict}`,
  )
  return row => void statement.run(...names.map(name => row[name] ?? null))
}
