import type { Cell, Life, Organization, TableRows } from '../store/port.ts'
import { OperatorError } from './operator-error.ts'

/** A life, and whose it is. */
type Owned = Life & { organizationId: string; processingAccountIds: readonly string[] }

/** Columns that name whose a row is, and columns whose JSON does. */
const NAMING = { organization_id: 'organizationId', account_id: 'processingAccountId' } as const
const JSON_COLUMNS = ['record', 'body']

/**
 * The life in a document as that of this organization: its own unchanged; another one's with accounts in the place of
 * accounts, one for one. What was remembered under keys stays behind then, as it answers calls that named the others.
 */
export const movedTo = (document: Owned, { organizationId, accountIds }: Organization): Life => {
  const { organizationId: from, processingAccountIds: before, tables, capabilities } = document
  if (from === organizationId && before.join('\n') === accountIds.join('\n')) return document
  if (before.length !== accountIds.length)
    throw new OperatorError(
      'conflict',
      `The snapshot has ${before.length} accounts and ${organizationId} has ${accountIds.length}: restore it where there are as many.`,
    )
  if (hasLateCalls(tables))
    throw new OperatorError(
      'conflict',
      `The snapshot has calls whose answer is still awaited: take one after a drain to move it to ${organizationId}.`,
    )
  const names = new Map([[from, organizationId], ...before.map((id, at) => [id, accountIds[at] ?? id] as const)])
  const { remembered: _, ...others } = tables
  return {
    tables: Object.fromEntries(Object.entries(others).map(([table, content]) => [table, renamed(content, names)])),
    capabilities: Object.fromEntries(Object.entries(capabilities).map(([id, able]) => [names.get(id) ?? id, able])),
  }
}

const hasLateCalls = ({ jobs }: Life['tables']): boolean => {
  const at = jobs?.columns.indexOf('call_key') ?? -1
  return at >= 0 && jobs?.rows.some(row => row[at] !== null) === true
}

type Names = ReadonlyMap<string, string>

const renamed = ({ columns, rows }: TableRows, names: Names): TableRows => {
  const rename = columns.map(column => {
    if (column in NAMING) return (cell: Cell) => (typeof cell === 'string' ? (names.get(cell) ?? cell) : cell)
    if (JSON_COLUMNS.includes(column)) return (cell: Cell) => renamedJson(cell, names)
    return (cell: Cell) => cell
  })
  return { columns, rows: rows.map(row => row.map((cell, at) => rename[at]?.(cell) ?? null)) }
}

const MEMBERS: readonly string[] = Object.values(NAMING)

const renamedJson = (cell: Cell, names: Names): Cell => {
  if (typeof cell !== 'string') return cell
  const record = JSON.parse(cell, (name, value) =>
    MEMBERS.includes(name) && typeof value === 'string' ? (names.get(value) ?? value) : value,
  )
  return JSON.stringify(record)
}
