import sql, { raw } from 'sql-template-tag'
import type { ClockSetting } from '../../support/clock.ts'
import { type ScheduledItemRow, toScheduledItem } from '../row-mapping.ts'
import type { ScheduleStore } from '../schedule-store.ts'
import {
  type OrganizationClock,
  type OrganizationClockRow,
  SELECT_ORGANIZATION_CLOCKS,
  toOrganizationClock,
} from '../select-organization-clocks.ts'
import { allOf, type Db } from '../sql-statements.ts'
import { isAboutPayment } from './query-fragments.ts'

/** Maximum number of organizations per statement, which keeps it far below the statement timeout (D-114). */
const BATCH_SIZE = 10_000

/** Finds the clock setting of an organization in PostgreSQL. */
export const findClock = async (db: Db, organizationId: string): Promise<ClockSetting | undefined> => {
  const [clock] = await db.rows<ClockSetting>(sql`
    SELECT clock_anchor_real AS "anchorReal", clock_anchor_virtual AS "anchorVirtual", clock_rate AS rate
    FROM organizations WHERE organization_id = ${organizationId}`)
  return clock
}

/** Creates the PostgreSQL store of scheduled items and organization clocks. */
export const createScheduleStore = (db: Db): ScheduleStore => ({
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
