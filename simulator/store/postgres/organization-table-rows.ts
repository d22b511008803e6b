import sql, { raw } from 'sql-template-tag'
import { slicesOf } from '../../support/slices-across-event-loop-turns.ts'
import type { Cell, OrganizationState, TableRows } from '../organization-state-store.ts'
import type { TableColumn } from '../snapshot-validation/validate-rows.ts'
import type { Db } from '../sql-statements.ts'
import { IDENTITY_TABLES, ORGANIZATION_TABLES, type TableOwner } from '../tables-emptied-by-reset.ts'
import { deleteSharedCalls } from './journal-sharing.ts'
import { escapeNul } from './nul-escaping.ts'

/** Maximum number of rows per statement, which keeps it far below the statement timeout. */
const BATCH_SIZE = 1_000

type StateTable = { table: string; owner: TableOwner; key: string | undefined; columns: readonly TableColumn[] }
type Row = Record<string, Cell>

/**
 * Fetches an organization's rows of a table batch by batch, through a cursor that the transaction closes: it does not
 * come again by the rows that were deleted since, as a query with LIMIT would.
 */
async function* fetchRows(db: Db, table: string, organizationId: string, columns: string, lock = '') {
  const cursor = raw(`${table}_of_organization`)
  const declare = sql`
    DECLARE ${cursor} NO SCROLL CURSOR FOR
    SELECT ${raw(columns)} FROM ${raw(table)} WHERE organization_id = ${organizationId} ${raw(lock)}`
  const fetch = () => db.rows<Row>(sql`FETCH ${raw(String(BATCH_SIZE))} FROM ${cursor}`)
  let [, rows] = await Promise.all([db.run(declare), fetch()])
  for (; rows.length > 0; rows = await fetch()) yield rows
}

/** Condition that selects the rows that belong to some payments. */
const ofPayments = (payments: readonly Row[]) =>
  sql`transaction_id = ANY(${payments.map(row => row.transaction_id)}::text[])`

/** Deletes an organization's state from PostgreSQL, payments together with what is found through them. */
export const clearOrganizationTables = async (db: Db, organizationId: string): Promise<void> => {
  // One after the other: the time limit of a response counts from when its statement is sent.
  for (const [table, owner] of ORGANIZATION_TABLES) {
    if (owner !== 'organization_id') continue
    const columns = table === 'payments' ? 'ctid, transaction_id' : 'ctid'
    for await (const rows of fetchRows(db, table, organizationId, columns, 'FOR UPDATE')) {
      if (table === 'payments')
        for (const [other] of ORGANIZATION_TABLES.filter(([, whose]) => whose === 'transaction_id'))
          await db.run(sql`DELETE FROM ${raw(other)} WHERE ${ofPayments(rows)}`)
      await db.run(sql`DELETE FROM ${raw(table)} WHERE ctid = ANY(${rows.map(row => row.ctid)}::tid[])`)
    }
  }
}

/**
 * Deletes from PostgreSQL all that belongs to an organization except its row: state, shared journal entries,
 * certificates, keys, snapshots, secret of the inbox.
 */
export const clearOrganization = async (db: Db, organizationId: string): Promise<void> => {
  await clearOrganizationTables(db, organizationId)
  await deleteSharedCalls(db, organizationId)
  await db.run(sql`DELETE FROM settings WHERE name = ${`inbox-secret:${organizationId}`}`)
  for (const table of IDENTITY_TABLES)
    await db.run(sql`DELETE FROM ${raw(table)} WHERE organization_id = ${organizationId}`)
}

/** Reads an organization's rows from PostgreSQL by table, in order of their integer keys, without these. */
export const readOrganizationTables = async (
  db: Db,
  organizationId: string,
  onRows: (rows: Cell[][]) => void = () => undefined,
): Promise<OrganizationState['tables']> => {
  const tables = await describeTables(db)
  const found = new Map(tables.map(({ table }) => [table, [] as Row[]]))
  const add = (table: string, rows: Row[]): void => {
    onRows(rows.map(row => Object.values(row)))
    found.get(table)?.push(...rows)
  }
  for (const { table, owner, ...selected } of tables) {
    if (owner !== 'organization_id') continue
    for await (const rows of fetchRows(db, table, organizationId, columnList(selected))) {
      add(table, rows)
      if (table === 'payments')
        for (const other of tables.filter(({ owner }) => owner === 'transaction_id'))
          add(
            other.table,
            await db.rows(sql`
            SELECT ${raw(columnList(other))} FROM ${raw(other.table)} WHERE ${ofPayments(rows)}`),
          )
    }
  }
  const read: Record<string, TableRows> = {}
  for (const table of tables) read[table.table] = await toTableRows(table, found.get(table.table) ?? [])
  return read
}

const columnList = ({ key, columns }: Pick<StateTable, 'key' | 'columns'>): string =>
  [...(key === undefined ? [] : [key]), ...columns.map(({ name }) => name)].join(', ')

const toTableRows = async ({ key, columns }: StateTable, found: readonly Row[]): Promise<TableRows> => {
  const names = columns.map(({ name }) => name)
  const ordered = key === undefined ? found : found.toSorted((one, other) => Number(one[key]) - Number(other[key]))
  const rows: Cell[][] = []
  for await (const slice of slicesOf(ordered)) rows.push(...slice.map(row => names.map(name => row[name] ?? null)))
  return { columns: names, rows }
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
/**
 * Converts rows to JSON objects, as bytes, in which the pool escapes nothing once more; lone surrogates, which
 * PostgreSQL refuses in JSON, become U+FFFD.
 */
const recordsOf = (columns: readonly string[], rows: readonly (readonly Cell[])[]): Buffer =>
  Buffer.from(JSON.stringify(rows.map(row => Object.fromEntries(columns.map((name, at) => [name, stored(row[at])])))))

const stored = (cell: Cell | undefined) => (typeof cell === 'string' ? escapeNul(cell.toWellFormed()) : cell)

/** Returns why an organization state from outside does not fit the tables of this PostgreSQL database, or undefined. */
export const validateAgainstSchema = async (
  db: Db,
  organizationId: string,
  state: OrganizationState,
): Promise<string | undefined> => {
  const tables = await describeTables(db)
  const { validateState } = await import('../snapshot-validation/validate-state.ts')
  return validateState(tables, organizationId, state)
}

const describeTables = (db: Db): Promise<StateTable[]> =>
  Promise.all(
    ORGANIZATION_TABLES.map(async ([table, owner, key]) => ({
      table,
      owner,
      key,
      columns: await columnsOf(db, table, key),
    })),
  )

/** Columns of a table that are of its state: not which replica is about to deliver a webhook. */
const columnsOf = (db: Db, table: string, key: string | undefined): Promise<TableColumn[]> =>
  db.rows<TableColumn>(sql`
    SELECT column_name AS name, CASE data_type WHEN 'text' THEN 'TEXT' ELSE 'INTEGER' END AS type,
      CASE is_nullable WHEN 'NO' THEN 1 ELSE 0 END AS notnull, 0 AS pk, column_default AS dflt_value
    FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = ${table} AND column_name NOT IN (${key ?? ''}, 'claimed_by')
    ORDER BY ordinal_position`)
