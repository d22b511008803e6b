import type { Cell, OrganizationState, TableRows } from '../store/organization-state-store.ts'
import type { Organization } from '../store/organization-store.ts'
import { ControlError } from '../support/control-error.ts'
import { slicesOf } from '../support/slices-across-event-loop-turns.ts'

/** State of an organization with the ids of that organization and its accounts. */
type OwnedState = OrganizationState & { organizationId: string; processingAccountIds: readonly string[] }

/** Columns that hold an organization or account id, with the JSON members of the same meaning; and the JSON columns. */
const OWNER_COLUMNS = { organization_id: 'organizationId', account_id: 'processingAccountId' } as const
const JSON_COLUMNS = ['record', 'body']

/**
 * Converts the state in a snapshot to state of this organization: another's gets its organization and account ids, and
 * loses idempotent replies, which belong to requests that named the other ids.
 */
export const rewriteSnapshotOwner = async (
  document: OwnedState,
  { organizationId, accountIds }: Organization,
): Promise<OrganizationState> => {
  const { organizationId: from, processingAccountIds: before, tables, capabilities } = document
  if (from === organizationId && before.join('\n') === accountIds.join('\n')) return document
  if (before.length !== accountIds.length)
    throw new ControlError(
      'conflict',
      `The snapshot has ${before.length} accounts and ${organizationId} has ${accountIds.length}: restore it where there are as many.`,
    )
  if (hasLateCalls(tables))
    throw new ControlError(
      'conflict',
      `The snapshot has calls that still wait for the provider: take one after a drain to move it to ${organizationId}.`,
    )
  const newIds = new Map([[from, organizationId], ...before.map((id, at) => [id, accountIds[at] ?? id] as const)])
  const { idempotency_keys: _, ...others } = tables
  return {
    tables: await renamedTables(others, newIds),
    capabilities: Object.fromEntries(Object.entries(capabilities).map(([id, able]) => [newIds.get(id) ?? id, able])),
  }
}

const hasLateCalls = ({ jobs }: OrganizationState['tables']): boolean => {
  const at = jobs?.columns.indexOf('late_call_key') ?? -1
  return at >= 0 && jobs?.rows.some(row => row[at] !== null) === true
}

type NewIds = ReadonlyMap<string, string>

const renamedTables = async (tables: OrganizationState['tables'], newIds: NewIds) => {
  const all: Record<string, TableRows> = {}
  for (const [table, content] of Object.entries(tables)) all[table] = await renamed(content, newIds)
  return all
}

const renamed = async ({ columns, rows }: TableRows, newIds: NewIds): Promise<TableRows> => {
  const rename = columns.map(column => {
    if (column in OWNER_COLUMNS) return (cell: Cell) => (typeof cell === 'string' ? (newIds.get(cell) ?? cell) : cell)
    if (JSON_COLUMNS.includes(column)) return (cell: Cell) => renamedJson(cell, newIds)
    return (cell: Cell) => cell
  })
  const all: Cell[][] = []
  for await (const slice of slicesOf(rows))
    for (const row of slice) all.push(row.map((cell, at) => rename[at]?.(cell) ?? null))
  return { columns, rows: all }
}

const OWNER_MEMBERS: readonly string[] = Object.values(OWNER_COLUMNS)

const renamedJson = (cell: Cell, newIds: NewIds): Cell => {
  if (typeof cell !== 'string') return cell
  const record = JSON.parse(cell, (name, value) =>
    OWNER_MEMBERS.includes(name) && typeof value === 'string' ? (newIds.get(value) ?? value) : value,
  )
  return JSON.stringify(record)
}
