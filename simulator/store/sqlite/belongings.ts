import type { Database } from 'better-sqlite3'
import { BELONGINGS, type Whose } from '../belongings.ts'
import type { Cell, Life } from '../port.ts'
import type { Column } from '../unfit-rows.ts'
import { HASH, hashingRows } from './hashes.ts'

const OF: Record<Whose, string> = {
  organization_id: 'organization_id = ?',
  transaction_id: 'transaction_id IN (SELECT transaction_id FROM payments WHERE organization_id = ?)',
}

/** The part of the store that empties, reads and fills all of an organization's tables at once, but for what follows from the rest. */
export const openBelongings = (database: Database) => {
  const hashRows = hashingRows(database)
  const tables = BELONGINGS.map(([table, whose, key]) => {
    const all = database.pragma(`table_info(${table})`) as Column[]
    const columns = all.filter(({ name }) => name !== key && name !== HASH)
    const names = columns.map(({ name }) => name).join(', ')
    return {
      table,
      whose,
      columns,
      clear: database.prepare<[string]>(`DELETE FROM ${table} WHERE ${OF[whose]}`),
      read: database
        .prepare<[string], Cell[]>(
          `SELECT ${names} FROM ${table} WHERE ${OF[whose]} ORDER BY ${key ?? columns[0]?.name}`,
        )
        .raw(),
    }
  })

  /** Rows that hang on payments go before these do. */
  const clear = (organizationId: string): void => {
    for (const { clear } of tables) clear.run(organizationId)
  }

  const read = (organizationId: string): Life['tables'] =>
    Object.fromEntries(
      tables.map(({ table, columns, read }) => [
        table,
        { columns: columns.map(({ name }) => name), rows: read.all(organizationId) },
      ]),
    )

  const fill = (life: Life['tables']): void => {
    for (const [table, { columns, rows }] of Object.entries(life)) {
      if (rows.length === 0) continue
      const marks = columns.map(() => '?').join(', ')
      const insert = database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks})`)
      for (const row of rows) insert.run(row)
    }
    hashRows()
  }

  const unfit = async (organizationId: string, life: Life) => {
    const { unfitLife } = await import('../unfit-life.ts')
    return unfitLife(tables, organizationId, life)
  }

  return { clear, read, fill, unfit }
}

/** Rows whose unique value another organization has already. */
export const isTaken = (error: unknown): boolean =>
  ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'].includes((error as { code?: string }).code ?? '')
