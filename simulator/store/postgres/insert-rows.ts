import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { InsertedRow, InsertTarget } from '../inserted-rows.ts'
import { binaryArray, type Element, type ElementType } from './binary-arrays.ts'

/** A column of values as a parameter of a statement, an array of that type. */
export const columnOf = (type: ElementType, values: readonly Element[]): Sql =>
  sql`${binaryArray(type, values)}::${raw(type)}[]`

/** What is to be saved, with the organization that has it. */
export type OfOrganization<Part> = Part & { organizationId: string }

/**
 * Returns the statement that inserts rows into a table of PostgreSQL in their order, or none without rows. The rows are
 * sent as one array per column, so one text, and one prepared statement, does for any number of rows.
 */
export const insertRows = <Column extends string>(
  { table, columns, onConflict = '' }: InsertTarget<Column>,
  rows: readonly InsertedRow<Column>[],
): Sql[] => {
  if (rows.length === 0) return []
  const names = Object.keys(columns) as Column[]
  const arrays = names.map(name =>
    columnOf(
      columns[name],
      rows.map(row => row[name]),
    ),
  )
  const list = raw(names.join(', '))
  return [
    sql`
      INSERT INTO ${raw(table)} (${list})
      SELECT ${list} FROM unnest(${join(arrays)}) WITH ORDINALITY AS t (${list}, nth) ORDER BY nth
      ${raw(onConflict)}`,
  ]
}
