import sql, { type Sql } from 'sql-template-tag'
import type { Activity, ActivityStore } from '../shopper-click-and-clock-move-store.ts'
import type { Db } from '../sql-statements.ts'
import type { OfOrganization } from './insert-rows.ts'
import { runAll } from './pool.ts'

/** Returns the statement that inserts shoppers' clicks or clock moves, but for organizations that have been removed meanwhile. */
export const insertActivities = (saved: readonly OfOrganization<{ activity: Activity }>[]): Sql[] => {
  const rows = saved.map(({ organizationId, activity }) => {
    const [transactionId, until] =
      activity.kind === 'shopper' ? [activity.transactionId, activity.at] : [null, activity.until]
    return { organizationId, transactionId, until, record: JSON.stringify(activity) }
  })
  if (rows.length === 0) return []
  return [
    sql`
      INSERT INTO activities (organization_id, transaction_id, ended_at, record)
      SELECT organization_id, transaction_id, ended_at, record
      FROM organizations JOIN unnest(${rows.map(row => row.organizationId)}::text[],
        ${rows.map(row => row.transactionId)}::text[], ${rows.map(row => row.until)}::bigint[],
        ${rows.map(row => row.record)}::text[]) WITH ORDINALITY
        AS t (organization_id, transaction_id, ended_at, record, nth) USING (organization_id)
      ORDER BY nth`,
  ]
}

/** Creates the PostgreSQL store of shoppers' clicks and clock moves. */
export const createActivityStore = (db: Db): ActivityStore => ({
  addActivity: async (organizationId, activity) =>
    void (await runAll(db, insertActivities([{ organizationId, activity }]))),
  activities: async (organizationId, transactionId, from) =>
    (
      await db.rows<{ record: string }>(sql`
        SELECT position, record FROM activities WHERE organization_id = ${organizationId} AND transaction_id = ${transactionId}
        UNION ALL
        SELECT position, record FROM activities
          WHERE organization_id = ${organizationId} AND transaction_id IS NULL AND ended_at >= ${from}
        ORDER BY position`)
    ).map(({ record }) => JSON.parse(record) as Activity),
})
