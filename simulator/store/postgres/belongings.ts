import sql, { raw } from 'sql-template-tag'
import { BELONGINGS } from '../belongings.ts'
import type { Cell, Life } from '../port.ts'
import type { Column } from '../unfit-rows.ts'
import type { Db } from './open.ts'

const OF = {
  organization_id: (id: string) => sql`organization_id = ${id}`,
  transaction_id: (id: string) =>
    sql`transaction_id IN (SELECT transaction_id FROM payments WHERE organization_id = ${id})`,
}

/** Rows that hang on payments go before these do. */
export const clearBelongings = async (db: Db, organizationId: string): Promise<void> => {
  await Promise.all(
    BELONGINGS.map(([table, whose]) => db.run(sql`DELETE FROM ${raw(table)} WHERE ${OF[whose](organizationId)}`)),
  )
}

export const readBelongings = async (db: Db, organizationId: string): Promise<Life['tables']> => {
  const read = BELONGINGS.map(async ([table, whose, key]) => {
    const columns = (await columnsOf(db, table, key)).map(({ name }) => name)
    const order = raw(key ?? columns[0] ?? '')
    const rows = await db.rows<Record<string, Cell>>(sql`
      SELECT ${raw(columns.join(', '))} FROM ${raw(table)} WHERE ${OF[whose](organizationId)} ORDER BY ${order}`)
    return [table, { columns, rows: rows.map(row => columns.map(name => row[name] ?? null)) }] as const
  })
  return Object.fromEntries(await Promise.all(read))
}

/** One text for each table, whatever the order of its columns and the number of rows: they are one parameter. */
export const fillBelongings = async (db: Db, life: Life['tables']): Promise<void> => {
  for (const [table, { columns, rows }] of Object.entries(life)) {
    const names = raw(columns.toSorted().join(', '))
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
      await db.run(sql`
        INSERT INTO ${raw(table)} (${names})
        SELECT ${names} FROM json_populate_recordset(NULL::${raw(table)}, ${recordsOf(columns, rows.slice(at, at + ROWS_AT_ONCE))})
          WITH ORDINALITY ORDER BY ordinality`)
  }
}
/** So many a statement can take in long before its time is over. */
const ROWS_AT_ONCE = 5_000

/** As JSON, in which half of a character would have no place: it becomes what it becomes in every other text. */
const recordsOf = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  JSON.stringify(rows.map(row => Object.fromEntries(columns.map((name, at) => [name, wellFormed(row[at])]))))

const wellFormed = (cell: Cell | undefined) => (typeof cell === 'string' ? cell.toWellFormed() : cell)

/** Why rows that came from elsewhere have no place here, if they have none. */
export const unfitBelongings = async (db: Db, organizationId: string, life: Life): Promise<string | undefined> => {
  const tables = await Promise.all(
    BELONGINGS.map(async ([table, whose, key]) => ({ table, whose, columns: await columnsOf(db, table, key) })),
  )
  const { unfitLife } = await import('../unfit-life.ts')
  return unfitLife(tables, organizationId, life)
}

const columnsOf = (db: Db, table: string, key: string | undefined): Promise<Column[]> =>
  db.rows<Column>(sql`
    SELECT column_name AS name, CASE data_type WHEN 'text' THEN 'TEXT' ELSE 'INTEGER' END AS type,
      CASE is_nullable WHEN 'NO' THEN 1 ELSE 0 END AS notnull, 0 AS pk, column_default AS dflt_value
    FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = ${table} AND column_name <> ${key ?? ''}
    ORDER BY ordinal_position`)
