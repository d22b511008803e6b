import type { ClockSetting } from '../clock.ts'
import { PING } from '../webhooks/notification.ts'

/** How an organization's clock runs, and what it is wanted for. */
export type OrganizationClock = {
  organizationId: string
  clock: ClockSetting
  /** When the first of its jobs and deliveries is due. */
  nextDue: number | undefined
  /** The newest instant of which it was told, but for what plans dated ahead. */
  lastTold: number | undefined
}

export type OrganizationClockRow = {
  organization_id: string
  clock_anchor_real: number
  clock_anchor_virtual: number
  clock_rate: number
  next_due: number | null
  last_told: number | null
}

/** Of organizations in one go: each column is the end of an index. */
export const CLOCKS = `
  SELECT organization_id, clock_anchor_real, clock_anchor_virtual, clock_rate,
    (SELECT min(due_at) FROM (
      SELECT min(due_at) AS due_at FROM jobs WHERE jobs.organization_id = organizations.organization_id
      UNION ALL
      SELECT min(due_at) FROM deliveries
        WHERE deliveries.organization_id = organizations.organization_id AND due_at IS NOT NULL) AS coming) AS next_due,
    (SELECT due_at FROM notifications
      WHERE notifications.organization_id = organizations.organization_id AND type <> '${PING}'
        AND variant NOT LIKE '%"deeds"%'
      ORDER BY due_at DESC, position DESC LIMIT 1) AS last_told
  FROM organizations`

export const organizationClockOf = (row: OrganizationClockRow): OrganizationClock => ({
  organizationId: row.organization_id,
  clock: { anchorReal: row.clock_anchor_real, anchorVirtual: row.clock_anchor_virtual, rate: row.clock_rate },
  nextDue: row.next_due ?? undefined,
  lastTold: row.last_told ?? undefined,
})
