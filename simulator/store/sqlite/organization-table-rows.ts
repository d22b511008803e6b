import type { Database } from 'better-sqlite3'
import type { Cell, OrganizationState } from '../organization-state-store.ts'
import type { TableColumn } from '../snapshot-validation/validate-rows.ts'
import { ORGANIZATION_TABLES, type TableOwner } from '../tables-emptied-by-reset.ts'
import { HASH_COLUMN, prepareHashBackfill } from './lookup-hash-column.ts'

/** Conditions that select an organization's rows, by owner column. */
const OWNED_BY: Record<TableOwner, string> = {
  organization_id: 'organization_id = ?',
  transaction_id: 'transaction_id IN (SELECT transaction_id FROM payments WHERE organization_id = ?)',
}

/** Opens the tables of organization states in SQLite to clear, read and fill them, without integer keys and hashes. */
export const openOrganizationTables = (database: Database) => {
  const hashRows = prepareHashBackfill(database)
  const tables = ORGANIZATION_TABLES.map(([table, owner, key]) => {
    const all = database.pragma(`table_info(${table})`) as TableColumn[]
    const columns = all.filter(({ name }) => name !== key && name !== HASH_COLUMN)
    const names = columns.map(({ name }) => name).join(', ')
    return {
      table,
      owner,
      columns,
      clear: database.prepare<[string]>(`DELETE FROM ${table} WHERE ${OWNED_BY[owner]}`),
      read: database
        .prepare<[string], Cell[]>(
          `SELECT ${names} FROM ${table} WHERE ${OWNED_BY[owner]} ORDER BY ${key ?? columns[0]?.name}`,
        )
        .raw(),
    }
  })

  /** Events come first: they are found through the payments that they belong to. */
  const clear = (organizationId: string): void => {
    for (const { clear } of tables) clear.run(organizationId)
  }

  const read = (organizationId: string): OrganizationState['tables'] =>
    Object.fromEntries(
      tables.map(({ table, columns, read }) => [
        table,
        { columns: columns.map(({ name }) => name), rows: read.all(organizationId) },
      ]),
    )

  const fill = (rowsByTable: OrganizationState['tables']): void => {
    for (const [table, { columns, rows }] of Object.entries(rowsByTable)) {
      if (rows.length === 0) continue
      const placeholders = columns.map(() => '?').join(', ')
      const insert = database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${placeholders})`)
      for (const row of rows) insert.run(row)
    }
    hashRows()
  }

  const validate = async (organizationId: string, state: OrganizationState) => {
    const { validateState } = await import('../snapshot-validation/validate-state.ts')
    return validateState(tables, organizationId, state)
  }

  return { clear, read, fill, validate }
}
