import type { OrganizationClock } from './select-organization-clocks.ts'

/** A deadline, late provider reply or delivery that is scheduled on the organization's clock. */
export type ScheduledItem = { at: number; name: string; transactionId?: string; deliveryId?: string }

/** Store operations for what is scheduled on the clocks of organizations, and for those clocks. */
export type ScheduleStore = {
  /** Pending jobs and deliveries, soonest first; of one payment if `transactionId` is given. */
  scheduledItems(
    organizationId: string,
    query: { transactionId?: string; limit: number },
  ): Promise<readonly ScheduledItem[]>
  /** Clocks and due times of all organizations, ordered by organization id. */
  organizationClocks(): Promise<readonly OrganizationClock[]>
}
