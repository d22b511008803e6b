import type { Database } from 'better-sqlite3'
import type { SnapshotRecord, SnapshotStore } from '../organization-snapshot-store.ts'

type ListedRow = { name: string; taken_at: number; bytes: number }
type Row = { name: string; taken_at: number; document: string }

/** Opens the SQLite store of saved snapshots of organizations. */
export const openSnapshots = (database: Database) => {
  const list = database.prepare<[string], ListedRow>(`
    SELECT name, taken_at, LENGTH(CAST(document AS BLOB)) AS bytes FROM snapshots WHERE organization_id = ?
    ORDER BY snapshot_id DESC`)
  const one = database.prepare<[string, string], Row>('SELECT * FROM snapshots WHERE organization_id = ? AND name = ?')
  const drop = database.prepare<[string, string]>('DELETE FROM snapshots WHERE organization_id = ? AND name = ?')
  const add = database.prepare<[string, string, number, string]>(
    'INSERT INTO snapshots (organization_id, name, taken_at, document) VALUES (?, ?, ?, ?)',
  )
  const save = database.transaction((organizationId: string, { name, takenAt, document }: SnapshotRecord): boolean => {
    const replaced = drop.run(organizationId, name).changes === 1
    add.run(organizationId, name, takenAt, document)
    return replaced
  })
  return {
    saveSnapshot: async (organizationId, snapshot) => save.immediate(organizationId, snapshot),
    snapshots: async organizationId =>
      list.all(organizationId).map(({ name, taken_at, bytes }) => ({ name, takenAt: taken_at, bytes })),
    snapshot: async (organizationId, name) => {
      const row = one.get(organizationId, name)
      return row && { name: row.name, takenAt: row.taken_at, document: row.document }
    },
    deleteSnapshot: async (organizationId, name) => drop.run(organizationId, name).changes === 1,
  } satisfies SnapshotStore
}
