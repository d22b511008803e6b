import type { ClockSetting } from '../support/clock.ts'

/** Instants on an organization's clock: rows that ended at or before them are deleted. */
export type RetentionCutoffs = {
  /** For idempotency keys, mocks and fault counts, which have no effect once expired (I3, 2.7). */
  expired: number
  /** For BLIK codes that no phone shows. */
  blikCodes: number
  /** For messages with their deliveries and attempts, clock moves, mandates and the codes of phones. */
  messages: number
  /** For payments, by creation time, with their events and messages; undefined keeps them. */
  payments?: number | undefined
  /** For ledger entries, the end of a day: a report of a past day does not change (D-75); undefined keeps them. */
  ledgerEntries?: number | undefined
}

/** Store operation that deletes expired rows. */
export type RetentionStore = {
  /**
   * Deletes at most `most` rows of each kind and returns how many it deleted. Messages with a pending delivery, and
   * payments with a job or a pending delivery, stay. A store that replicas share deletes nothing where the cutoffs are
   * outdated by the organization's clock, which another replica may have set back.
   */
  deleteExpired(
    organizationId: string,
    horizon: RetentionCutoffs,
    most: number,
    isOutdatedBy?: (clock: ClockSetting) => boolean,
  ): Promise<number>
}
