import { AGREEING, CONTENTS } from './contents.ts'
import { faultOf } from './fault-of.ts'
import type { Cell, TableRows } from './port.ts'

/** A column as SQLite describes it. */
export type Column = { name: string; type: string; notnull: number; pk: number; dflt_value: string | null }

type Table = { table: string; columns: readonly Column[] }

/** Why rows that came from elsewhere are not rows of this table and organization, if they are not. */
export const unfitRows = (
  { table, columns: known }: Table,
  { columns, rows }: TableRows,
  organizationId: string,
): string | undefined => {
  const found = columns.flatMap(name => known.find(column => column.name === name) ?? [])
  const stranger = columns.find((name, at) => found[at]?.name !== name || columns.indexOf(name) !== at)
  if (stranger !== undefined) return `the table ${table} has no column ${stranger.slice(0, 40)}, or it is there twice`
  const missing = known.find(column => !mayBeNull(column) && column.dflt_value === null && !found.includes(column))
  if (missing) return `the rows of ${table} have no ${missing.name}`
  const whose = columns.indexOf('organization_id')
  for (const row of rows) {
    if (row.length !== columns.length) return `a row of ${table} has ${row.length} values for ${columns.length} columns`
    for (const [at, column] of found.entries()) {
      const fault = cellFault(table, column, row[at])
      if (fault !== undefined) return fault
    }
    if (AGREEING[table]?.(name => row[columns.indexOf(name)]) === false) return `a row of ${table} contradicts itself`
    if (whose >= 0 && row[whose] !== organizationId) return `a row of ${table} is not of ${organizationId.slice(0, 60)}`
  }
  return undefined
}

/** All values of one column. */
export const columnOf = (content: TableRows | undefined, name: string): Cell[] => {
  const at = content?.columns.indexOf(name) ?? -1
  return at < 0 ? [] : (content?.rows ?? []).map(row => row[at] ?? null)
}

const mayBeNull = ({ notnull, pk }: Column): boolean => notnull === 0 && pk === 0

const cellFault = (table: string, column: Column, value: Cell | undefined): string | undefined => {
  if (value === null && mayBeNull(column)) return undefined
  const name = `${column.name} of ${table}`
  const isOfType = column.type === 'INTEGER' ? Number.isSafeInteger(value) : typeof value === 'string'
  if (!isOfType) return `${name} holds ${JSON.stringify(value)?.slice(0, 40)}`
  const shape = CONTENTS[table]?.[column.name]
  return shape && faultOf(name, value, shape)
}
