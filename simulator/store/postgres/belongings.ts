import sql, { bulk, raw } from 'sql-template-tag'
import { BELONGINGS, unfitLife } from '../belongings.ts'
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

export const fillBelongings = async (db: Db, life: Life['tables']): Promise<void> => {
  for (const [table, { columns, rows }] of Object.entries(life)) {
    const most = Math.floor(MOST_PARAMETERS / Math.max(1, columns.length))
    for (let at = 0; at < rows.length; at += most)
      await db.run(sql`
        INSERT INTO ${raw(table)} (${raw(columns.join(', '))}) VALUES ${bulk(rows.slice(at, at + most).map(row => [...row]))}`)
  }
}
/** So many parameters the protocol allows in one statement. */
const MOST_PARAMETERS = 65_000

/** Why rows that came from elsewhere have no place here, if they have none. */
export const unfitBelongings = async (
  db: Db,
  organizationId: string,
  life: Life['tables'],
): Promise<string | undefined> => {
  const tables = await Promise.all(
    BELONGINGS.map(async ([table, whose, key]) => ({ table, whose, columns: await columnsOf(db, table, key) })),
  )
  return unfitLife(tables, organizationId, life)
}

const columnsOf = (db: Db, table: string, key: string | undefined): Promise<Column[]> =>
  db.rows<Column>(sql`
    SELECT column_name AS name, CASE data_type WHEN 'text' THEN 'TEXT' ELSE 'INTEGER' END AS type,
      CASE is_nullable WHEN 'NO' THEN 1 ELSE 0 END AS notnull, 0 AS pk, column_default AS dflt_value
    FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = ${table} AND column_name <> ${key ?? ''}
    ORDER BY ordinal_position`)
