/** How one attempt to deliver a webhook ended: by a 2xx response, another one, or none. */
export type AttemptOutcome = 'delivered' | 'refused' | 'failed'

/**
 * Observer of the work that a sandbox does when it is due. Lags are real milliseconds since it was due, undefined where
 * the organization's clock goes slower than real time. Observing never fails, and changes nothing.
 */
export type WorkObserver = {
  /** A job that ran. */
  job(job: { organizationId: string; name: string; lag: number | undefined }): void
  /** An attempt to deliver a webhook. */
  attempt(attempt: { organizationId: string; outcome: AttemptOutcome; lag: number | undefined }): void
}
