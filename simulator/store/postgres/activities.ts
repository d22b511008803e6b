import sql, { raw } from 'sql-template-tag'
import type { Activity, ActivityStore } from '../activity-store.ts'
import { type ScheduledItemRow, toScheduledItem } from '../row-mapping.ts'
import {
  type OrganizationClock,
  type OrganizationClockRow,
  SELECT_ORGANIZATION_CLOCKS,
  toOrganizationClock,
} from '../select-organization-clocks.ts'
import type { Db } from './pool.ts'
import { allOf, isAboutPayment } from './query-fragments.ts'

/** Inserts an activity of an organization; does nothing if the organization has been removed meanwhile. */
export const insertActivity = (db: Db, organizationId: string, activity: Activity): Promise<unknown>[] => {
  const [transactionId, until] =
    activity.kind === 'shopper' ? [activity.transactionId, activity.at] : [null, activity.until]
  return [
    db.run(sql`
      INSERT INTO activities (organization_id, transaction_id, ended_at, record)
      SELECT organization_id, ${transactionId}, ${until}, ${JSON.stringify(activity)} FROM organizations
      WHERE organization_id = ${organizationId}`),
  ]
}

/** Maximum number of organizations per statement, which keeps it far below the statement timeout (D-114). */
const BATCH_SIZE = 10_000

/** Creates the PostgreSQL store of activities, scheduled items and organization clocks. */
export const createActivityStore = (db: Db): ActivityStore => ({
  addActivity: async (organizationId, activity) =>
    void (await Promise.all(insertActivity(db, organizationId, activity))),
  activities: async (organizationId, transactionId, from) =>
    (
      await db.rows<{ record: string }>(sql`
        SELECT position, record FROM activities WHERE organization_id = ${organizationId} AND transaction_id = ${transactionId}
        UNION ALL
        SELECT position, record FROM activities
          WHERE organization_id = ${organizationId} AND transaction_id IS NULL AND ended_at >= ${from}
        ORDER BY position`)
    ).map(({ record }) => JSON.parse(record) as Activity),
  // At one instant jobs come before deliveries, which is the order in which they run.
  scheduledItems: async (organizationId, { transactionId, limit }) =>
    (
      await db.rows<ScheduledItemRow>(sql`
        SELECT at, name, transaction_id, delivery_id FROM (
          (SELECT due_at AS at, name, transaction_id, NULL AS delivery_id, 0 AS kind, job_id AS place
            FROM jobs WHERE ${allOf(
              sql`organization_id = ${organizationId}`,
              transactionId !== undefined && sql`transaction_id = ${transactionId}`,
            )} ORDER BY due_at, job_id LIMIT ${limit})
          UNION ALL
          (SELECT deliveries.due_at, 'delivery', transaction_id, delivery_id, 1, deliveries.position
            FROM deliveries JOIN messages USING (message_id)
            WHERE ${allOf(
              sql`deliveries.organization_id = ${organizationId} AND deliveries.due_at IS NOT NULL`,
              transactionId !== undefined && isAboutPayment(organizationId, transactionId),
            )} ORDER BY deliveries.due_at, deliveries.position LIMIT ${limit})
        ) AS coming ORDER BY at, kind, place LIMIT ${limit}`)
    ).map(toScheduledItem),
  organizationClocks: async () => {
    const all: OrganizationClock[] = []
    for (let more = true; more; ) {
      const rows = await db.rows<OrganizationClockRow>(sql`
        ${raw(SELECT_ORGANIZATION_CLOCKS)} WHERE organization_id > ${all.at(-1)?.organizationId ?? ''}
        ORDER BY organization_id LIMIT ${BATCH_SIZE}`)
      all.push(...rows.map(toOrganizationClock))
      more = rows.length === BATCH_SIZE
    }
    return all
  },
})
