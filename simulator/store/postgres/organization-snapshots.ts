import sql from 'sql-template-tag'
import type { SnapshotStore } from '../organization-snapshot-store.ts'
import type { Db } from '../sql-statements.ts'
import type { Pool } from './pool.ts'

type ListedRow = { name: string; taken_at: number; bytes: number }
type Row = { name: string; taken_at: number; document: string }

/** Creates the PostgreSQL store of saved snapshots of organizations. */
export const createSnapshotStore = (pool: Pool): SnapshotStore => {
  const drop = (db: Db, organizationId: string, name: string) =>
    db.run(sql`DELETE FROM snapshots WHERE organization_id = ${organizationId} AND name = ${name}`)
  return {
    saveSnapshot: (organizationId, { name, takenAt, document }) =>
      pool.begin(async db => {
        const count = await drop(db, organizationId, name)
        await db.run(sql`
          INSERT INTO snapshots (organization_id, name, taken_at, document)
          SELECT organization_id, ${name}, ${takenAt}::bigint, ${document}
          FROM organizations WHERE organization_id = ${organizationId}`)
        return count === 1
      }),
    snapshots: async organizationId =>
      (
        await pool.rows<ListedRow>(sql`
          SELECT name, taken_at, octet_length(document)::bigint AS bytes FROM snapshots
          WHERE organization_id = ${organizationId} ORDER BY snapshot_id DESC`)
      ).map(({ name, taken_at, bytes }) => ({ name, takenAt: taken_at, bytes })),
    snapshot: async (organizationId, name) => {
      const [row] = await pool.rows<Row>(sql`
        SELECT name, taken_at, document FROM snapshots WHERE organization_id = ${organizationId} AND name = ${name}`)
      return row && { name: row.name, takenAt: row.taken_at, document: row.document }
    },
    deleteSnapshot: async (organizationId, name) => (await drop(pool, organizationId, name)) === 1,
  }
}
