import type { Database } from 'better-sqlite3'
import type { Activity, ActivityStore } from '../shopper-click-and-clock-move-store.ts'

/** Opens the SQLite store of shoppers' clicks and clock moves. */
export const openActivities = (database: Database) => {
  const insert = database.prepare<[string | null, number, string, string]>(
    `INSERT INTO activities (organization_id, transaction_id, ended_at, record)
    SELECT organization_id, ?, ?, ? FROM organizations WHERE organization_id = ?`,
  )
  const list = database.prepare<[string, string, string, number], { record: string }>(`
    SELECT position, record FROM activities WHERE organization_id = ? AND transaction_id = ?
    UNION ALL
    SELECT position, record FROM activities WHERE organization_id = ? AND transaction_id IS NULL AND ended_at >= ?
    ORDER BY position`)

  const add = (organizationId: string, activity: Activity): void => {
    const [transactionId, until] =
      activity.kind === 'shopper' ? [activity.transactionId, activity.at] : [null, activity.until]
    insert.run(transactionId, until, JSON.stringify(activity), organizationId)
  }
  const port: ActivityStore = {
    addActivity: async (organizationId, activity) => add(organizationId, activity),
    activities: async (organizationId, transactionId, from) =>
      list.all(organizationId, transactionId, organizationId, from).map(({ record }) => JSON.parse(record) as Activity),
  }
  return { add, port }
}
