import sql, { raw } from 'sql-template-tag'
import type { Cell, OrganizationState } from '../organization-state-store.ts'
import type { TableColumn } from '../snapshot-validation/validate-rows.ts'
import { ORGANIZATION_TABLES } from '../tables-emptied-by-reset.ts'
import type { Db } from './pool.ts'

/** Conditions that select an organization's rows, by owner column. */
const OWNED_BY = {
  organization_id: (id: string) => sql`organization_id = ${id}`,
  transaction_id: (id: string) =>
    sql`transaction_id IN (SELECT transaction_id FROM payments WHERE organization_id = ${id})`,
}

/** Deletes an organization's state from PostgreSQL; events come first, as they are found through their payments. */
export const clearOrganizationTables = async (db: Db, organizationId: string): Promise<void> => {
  // One after the other: the time limit of a response counts from when its statement is sent.
  for (const [table, owner] of ORGANIZATION_TABLES)
    await db.run(sql`DELETE FROM ${raw(table)} WHERE ${OWNED_BY[owner](organizationId)}`)
}

/** Reads an organization's rows from PostgreSQL by table, in order of their keys, without the integer keys. */
export const readOrganizationTables = async (db: Db, organizationId: string): Promise<OrganizationState['tables']> => {
  const read = ORGANIZATION_TABLES.map(async ([table, owner, key]) => {
    const columns = (await columnsOf(db, table, key)).map(({ name }) => name)
    const order = raw(key ?? columns[0] ?? '')
    const rows = await db.rows<Record<string, Cell>>(sql`
      SELECT ${raw(columns.join(', '))} FROM ${raw(table)} WHERE ${OWNED_BY[owner](organizationId)} ORDER BY ${order}`)
    return [table, { columns, rows: rows.map(row => columns.map(name => row[name] ?? null)) }] as const
  })
  return Object.fromEntries(await Promise.all(read))
}

/**
 * Inserts an organization's rows into PostgreSQL by table; a batch is one JSON parameter, so that each table needs one
 * SQL text.
 */
export const fillOrganizationTables = async (db: Db, rowsByTable: OrganizationState['tables']): Promise<void> => {
  for (const [table, { columns, rows }] of Object.entries(rowsByTable)) {
    const names = raw(columns.toSorted().join(', '))
    for (let at = 0; at < rows.length; at += BATCH_SIZE)
      await db.run(sql`
        INSERT INTO ${raw(table)} (${names})
        SELECT ${names} FROM json_populate_recordset(NULL::${raw(table)}, ${recordsOf(columns, rows.slice(at, at + BATCH_SIZE))})
          WITH ORDINALITY ORDER BY ordinality`)
  }
}
/** Maximum number of rows per statement, which keeps it far below the statement timeout. */
const BATCH_SIZE = 5_000

/** Converts rows to JSON objects; lone surrogates, which PostgreSQL refuses in JSON, become U+FFFD. */
const recordsOf = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  JSON.stringify(rows.map(row => Object.fromEntries(columns.map((name, at) => [name, wellFormed(row[at])]))))

const wellFormed = (cell: Cell | undefined) => (typeof cell === 'string' ? cell.toWellFormed() : cell)

/** Returns why an organization state from outside does not fit the tables of this PostgreSQL database, or undefined. */
export const validateAgainstSchema = async (
  db: Db,
  organizationId: string,
  state: OrganizationState,
): Promise<string | undefined> => {
  const tables = await Promise.all(
    ORGANIZATION_TABLES.map(async ([table, owner, key]) => ({
      table,
      owner,
      columns: await columnsOf(db, table, key),
    })),
  )
  const { validateState } = await import('../snapshot-validation/validate-state.ts')
  return validateState(tables, organizationId, state)
}

const columnsOf = (db: Db, table: string, key: string | undefined): Promise<TableColumn[]> =>
  db.rows<TableColumn>(sql`
    SELECT column_name AS name, CASE data_type WHEN 'text' THEN 'TEXT' ELSE 'INTEGER' END AS type,
      CASE is_nullable WHEN 'NO' THEN 1 ELSE 0 END AS notnull, 0 AS pk, column_default AS dflt_value
    FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = ${table} AND column_name <> ${key ?? ''}
    ORDER BY ordinal_position`)
