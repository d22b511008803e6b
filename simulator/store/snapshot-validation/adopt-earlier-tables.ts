import type { OrganizationState, TableRows } from '../organization-state-store.ts'
import { RENAMED_COLUMNS, renameResponses } from '../rename-answer-to-response-migration.ts'

/** Column that earlier versions saved over PostgreSQL: which replica was about to deliver a webhook. */
const CLAIM = 'claimed_by'

/** Converts the tables of a snapshot of any version to the present columns, members and words. */
export const adoptEarlierTables = (tables: OrganizationState['tables']): OrganizationState['tables'] =>
  Object.fromEntries(Object.entries(tables).map(([table, content]) => [table, adopt(table, content)]))

const adopt = (table: string, { columns, rows }: TableRows): TableRows => {
  const claim = table === 'deliveries' ? columns.indexOf(CLAIM) : -1
  if (claim >= 0) return { columns: columns.toSpliced(claim, 1), rows: rows.map(row => row.toSpliced(claim, 1)) }
  const renamed = columns.indexOf(RENAMED_COLUMNS[table] ?? '')
  if (renamed < 0) return { columns, rows }
  const rename = (row: TableRows['rows'][number]) => {
    const text = row[renamed]
    const now = typeof text === 'string' ? renameResponses(text) : text
    return now === undefined || now === text ? row : row.with(renamed, now)
  }
  return { columns, rows: rows.map(rename) }
}
