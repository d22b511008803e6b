import sql, { type Sql } from 'sql-template-tag'
import type { Activity } from '../shopper-click-and-clock-move-store.ts'
import type { OfOrganization } from './insert-rows.ts'

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
