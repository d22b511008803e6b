import { promisify } from 'node:util'
import { constants, gunzip, gunzipSync, gzip } from 'node:zlib'
import type { Database } from 'better-sqlite3'
import type { SnapshotRecord, SnapshotStore } from '../organization-snapshot-store.ts'

type ListedRow = { name: string; taken_at: number; bytes: number }
/** A document is compressed, or the text that a version before saved. */
type Row = { name: string; taken_at: number; document: Buffer | string }
type SavedRow = { organizationId: string; name: string; takenAt: number; document: Buffer; bytes: number }

const compress = promisify(gzip)
const expand = promisify(gunzip)

/**
 * Opens the SQLite store of saved snapshots of organizations. Documents are compressed in a thread of their own, as the
 * event loop would wait 100 ms for 14 MB to be inserted as they are.
 */
export const openSnapshots = (database: Database) => {
  const list = database.prepare<[string], ListedRow>(`
    SELECT name, taken_at, COALESCE(bytes, LENGTH(CAST(document AS BLOB))) AS bytes FROM snapshots
    WHERE organization_id = ? ORDER BY snapshot_id DESC`)
  const one = database.prepare<[string, string], Row>('SELECT * FROM snapshots WHERE organization_id = ? AND name = ?')
  const drop = database.prepare<[string, string]>('DELETE FROM snapshots WHERE organization_id = ? AND name = ?')
  const add = database.prepare<[SavedRow]>(`
    INSERT INTO snapshots (organization_id, name, taken_at, document, bytes)
    SELECT organization_id, @name, @takenAt, @document, @bytes FROM organizations WHERE organization_id = @organizationId`)
  const save = database.transaction((row: SavedRow): boolean => {
    const replaced = drop.run(row.organizationId, row.name).changes === 1
    add.run(row)
    return replaced
  })
  const port = {
    saveSnapshot: async (organizationId, { document, ...snapshot }) => {
      const bytes = Buffer.from(document)
      const compressed = await compress(bytes, { level: constants.Z_BEST_SPEED })
      return save.immediate({ organizationId, ...snapshot, document: compressed, bytes: bytes.length })
    },
    snapshots: async organizationId =>
      list.all(organizationId).map(({ name, taken_at, bytes }) => ({ name, takenAt: taken_at, bytes })),
    snapshot: async (organizationId, name) => {
      const row = one.get(organizationId, name)
      if (!row) return undefined
      const { document } = row
      const text = typeof document === 'string' ? document : (await expand(document)).toString()
      return { name: row.name, takenAt: row.taken_at, document: text } satisfies SnapshotRecord
    },
    deleteSnapshot: async (organizationId, name) => drop.run(organizationId, name).changes === 1,
  } satisfies SnapshotStore
  return {
    port,
    /** The document of a snapshot, at once; undefined if there is none. */
    documentOf: (organizationId: string, name: string): string | undefined => {
      const document = one.get(organizationId, name)?.document
      return typeof document === 'object' ? gunzipSync(document).toString() : document
    },
  }
}
