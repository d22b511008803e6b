import type { ClockSetting } from '../support/clock.ts'
import { PING } from './webhook-store.ts'

/** Clock setting of an organization, with the time of its next job or delivery and of its latest message. */
export type OrganizationClock = {
  organizationId: string
  clock: ClockSetting
  /** Due time of the first of its jobs and deliveries. */
  nextDue: number | undefined
  /** Latest due time of its messages, but for those changed by a delivery plan, which may lie ahead. */
  lastMessageAt: number | undefined
}

export type OrganizationClockRow = {
  organization_id: string
  clock_anchor_real: number
  clock_anchor_virtual: number
  clock_rate: number
  next_due: number | null
  last_message_at: number | null
}

/** SQL of both stores that selects the clocks of organizations; each subquery reads one end of an index. */
export const SELECT_ORGANIZATION_CLOCKS = `
  SELECT organization_id, clock_anchor_real, clock_anchor_virtual, clock_rate,
    (SELECT min(due_at) FROM (
      SELECT min(due_at) AS due_at FROM jobs WHERE jobs.organization_id = organizations.organization_id
      UNION ALL
      SELECT min(due_at) FROM deliveries
        WHERE deliveries.organization_id = organizations.organization_id AND due_at IS NOT NULL) AS coming) AS next_due,
    (SELECT due_at FROM messages
      WHERE messages.organization_id = organizations.organization_id AND type <> '${PING}'
        AND is_from_plan = 0
      ORDER BY due_at DESC, position DESC LIMIT 1) AS last_message_at
  FROM organizations`

export const toOrganizationClock = (row: OrganizationClockRow): OrganizationClock => ({
  organizationId: row.organization_id,
  clock: { anchorReal: row.clock_anchor_real, anchorVirtual: row.clock_anchor_virtual, rate: row.clock_rate },
  nextDue: row.next_due ?? undefined,
  lastMessageAt: row.last_message_at ?? undefined,
})
