import type { Database } from 'better-sqlite3'
import type { Activity, ActivityStore } from '../activity-store.ts'
import { type ScheduledItemRow, toScheduledItem } from '../row-mapping.ts'
import {
  type OrganizationClockRow,
  SELECT_ORGANIZATION_CLOCKS,
  toOrganizationClock,
} from '../select-organization-clocks.ts'
import { allOf, createStatementCache, deliveriesWithMessages, IS_ABOUT_PAYMENT } from './query-fragments.ts'

type ScheduleParameters = { organizationId: string; transactionId: string | undefined; limit: number }

/** Opens the SQLite store of activities, scheduled items and organization clocks. */
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
  const clocks = database.prepare<[], OrganizationClockRow>(`${SELECT_ORGANIZATION_CLOCKS} ORDER BY organization_id`)
  const agenda = createStatementCache<[ScheduleParameters], ScheduledItemRow>(database)

  const add = (organizationId: string, activity: Activity): void => {
    const [transactionId, until] =
      activity.kind === 'shopper' ? [activity.transactionId, activity.at] : [null, activity.until]
    insert.run(transactionId, until, JSON.stringify(activity), organizationId)
  }
  const port: ActivityStore = {
    addActivity: async (organizationId, activity) => add(organizationId, activity),
    activities: async (organizationId, transactionId, from) =>
      list.all(organizationId, transactionId, organizationId, from).map(({ record }) => JSON.parse(record) as Activity),
    organizationClocks: async () => clocks.all().map(toOrganizationClock),
    scheduledItems: async (organizationId, { transactionId, limit }) =>
      agenda(scheduledItemsQuery(transactionId)).all({ organizationId, transactionId, limit }).map(toScheduledItem),
  }
  return { add, port }
}

/** SQL that selects scheduled items: at one instant jobs come before deliveries, the order in which they run. */
const scheduledItemsQuery = (transactionId: string | undefined): string => `
  SELECT at, name, transaction_id, delivery_id FROM (
    SELECT * FROM (SELECT due_at AS at, name, transaction_id, NULL AS delivery_id, 0 AS kind, job_id AS place
      FROM jobs ${transactionId === undefined ? '' : 'INDEXED BY jobs_by_payment'}
      WHERE ${allOf('organization_id = @organizationId', transactionId !== undefined && 'transaction_id = @transactionId')}
      ORDER BY due_at, job_id LIMIT @limit)
    UNION ALL
    SELECT * FROM (SELECT deliveries.due_at, 'delivery', transaction_id, delivery_id, 1, deliveries.position
      FROM ${deliveriesWithMessages(transactionId)}
      WHERE ${allOf('deliveries.organization_id = @organizationId AND deliveries.due_at IS NOT NULL', transactionId !== undefined && IS_ABOUT_PAYMENT)}
      ORDER BY deliveries.due_at, deliveries.position LIMIT @limit)
  ) ORDER BY at, kind, place LIMIT @limit`
