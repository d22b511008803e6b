import type { Database } from 'better-sqlite3'
import { type ScheduledItemRow, toScheduledItem } from '../row-mapping.ts'
import type { ScheduleStore } from '../schedule-store.ts'
import {
  type OrganizationClockRow,
  SELECT_ORGANIZATION_CLOCKS,
  toOrganizationClock,
} from '../select-organization-clocks.ts'
import { allOf, deliveriesWithMessages, IS_ABOUT_PAYMENT } from './query-fragments.ts'
import { createStatementCache } from './statement-cache.ts'

type ScheduleParameters = { organizationId: string; transactionId: string | undefined; limit: number }

/** Opens the SQLite store of scheduled items and organization clocks. */
export const openSchedule = (database: Database): ScheduleStore => {
  const clocks = database.prepare<[], OrganizationClockRow>(`${SELECT_ORGANIZATION_CLOCKS} ORDER BY organization_id`)
  const schedule = createStatementCache<[ScheduleParameters], ScheduledItemRow>(database)
  return {
    organizationClocks: async () => clocks.all().map(toOrganizationClock),
    scheduledItems: async (organizationId, { transactionId, limit }) =>
      schedule(scheduledItemsQuery(transactionId)).all({ organizationId, transactionId, limit }).map(toScheduledItem),
  }
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
