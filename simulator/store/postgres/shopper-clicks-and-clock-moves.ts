import sql from 'sql-template-tag'
import type { Activity, ActivityStore } from '../shopper-click-and-clock-move-store.ts'
import type { Db } from './pool.ts'

/**
 * Inserts a shopper's click or a clock move of an organization; does nothing if the organization has been removed
 * meanwhile.
 */
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

/** Creates the PostgreSQL store of shoppers' clicks and clock moves. */
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
})
