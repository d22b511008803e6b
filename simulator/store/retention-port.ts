/** Instants on an organization's clock: what ended at or before them may go. */
export type Horizon = {
  /** Keys with what they remember, mocks and met faults: of no effect any more (I3, 2.7). */
  over: number
  codes: number
  /** Messages with their deliveries and tries, moves of the clock, mandates. */
  past: number
  /** Payments with all that hangs on them, by their beginning; none go where it is absent. */
  payments?: number | undefined
}

/** The part of the port that forgets. */
export type RetentionStore = {
  /**
   * Removes so many of each kind at most, oldest first, and tells how many there were. What still waits for the clock
   * stays, with the payment it is about.
   */
  dropOver(organizationId: string, horizon: Horizon, most: number): Promise<number>
}
