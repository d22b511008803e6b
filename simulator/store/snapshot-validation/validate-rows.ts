import { slicesOf } from '../../support/slices-across-event-loop-turns.ts'
import type { Cell, TableRows } from '../organization-state-store.ts'
import { COLUMN_SHAPES, ROW_CHECKS } from './column-shapes.ts'
import { validateValue } from './validate-value.ts'

/** A column of a store table, as `PRAGMA table_info` of SQLite describes it. */
export type TableColumn = { name: string; type: string; notnull: number; pk: number; dflt_value: string | null }

type Table = { table: string; columns: readonly TableColumn[] }

/** Returns why the rows of an imported snapshot are not rows of this table and organization, or undefined. */
export const validateRows = async (
  { table, columns: known }: Table,
  { columns, rows }: TableRows,
  organizationId: string,
): Promise<string | undefined> => {
  const found = columns.flatMap(name => known.find(column => column.name === name) ?? [])
  const unknown = columns.find((name, at) => found[at]?.name !== name || columns.indexOf(name) !== at)
  if (unknown !== undefined) return `the table ${table} has no column ${unknown.slice(0, 40)}, or it is there twice`
  const missing = known.find(column => !mayBeNull(column) && column.dflt_value === null && !found.includes(column))
  if (missing) return `the rows of ${table} have no ${missing.name}`
  const owner = columns.indexOf('organization_id')
  const reasonAgainst = (row: readonly Cell[]): string | undefined => {
    if (row.length !== columns.length) return `a row of ${table} has ${row.length} values for ${columns.length} columns`
    for (const [at, column] of found.entries()) {
      const invalid = validateCell(table, column, row[at])
      if (invalid !== undefined) return invalid
    }
    if (ROW_CHECKS[table]?.(name => row[columns.indexOf(name)]) === false) return `a row of ${table} contradicts itself`
    if (owner >= 0 && row[owner] !== organizationId) return `a row of ${table} is not of ${organizationId.slice(0, 60)}`
    return undefined
  }
  for await (const slice of slicesOf(rows))
    for (const row of slice) {
      const reason = reasonAgainst(row)
      if (reason !== undefined) return reason
    }
  return undefined
}

/** Returns all values of one column of a table's rows in an imported snapshot. */
export const columnOf = (content: TableRows | undefined, name: string): Cell[] => {
  const at = content?.columns.indexOf(name) ?? -1
  return at < 0 ? [] : (content?.rows ?? []).map(row => row[at] ?? null)
}

const mayBeNull = ({ notnull, pk }: TableColumn): boolean => notnull === 0 && pk === 0

const validateCell = (table: string, column: TableColumn, value: Cell | undefined): string | undefined => {
  if (value === null && mayBeNull(column)) return undefined
  const name = `${column.name} of ${table}`
  const isOfType = column.type === 'INTEGER' ? Number.isSafeInteger(value) : typeof value === 'string'
  if (!isOfType) return `${name} holds ${JSON.stringify(value)?.slice(0, 40)}`
  const shape = COLUMN_SHAPES[table]?.[column.name]
  return shape && validateValue(name, value, shape)
}
