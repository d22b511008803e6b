import type { Database } from 'better-sqlite3'
import type { Activity } from '../shopper-click-and-clock-move-store.ts'

/** Prepares the insertion of shoppers' clicks and clock moves into SQLite. */
export const prepareActivityInsertion = (database: Database) => {
  const insert = database.prepare<[string | null, number, string, string]>(
    `INSERT INTO activities (organization_id, transaction_id, ended_at, record)
    SELECT organization_id, ?, ?, ? FROM organizations WHERE organization_id = ?`,
  )

  return (organizationId: string, activity: Activity): void => {
    const [transactionId, until] =
      activity.kind === 'shopper' ? [activity.transactionId, activity.at] : [null, activity.until]
    insert.run(transactionId, until, JSON.stringify(activity), organizationId)
  }
}
