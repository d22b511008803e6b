/** A committed unit of work, as far as it concerns the scheduler, the dispatcher and waiting readers. */
type Commit = {
  organizationId: string
  /** Each due time that was saved: of a deadline, a late call or a delivery. */
  dueTimes: readonly number[]
  /** Whether new messages were saved. */
  hasMessages: boolean
  /** Deliveries whose first attempt the caller waits for. */
  awaitedDeliveryIds: readonly string[]
}

/** Function called after each commit of the store; the caller of the unit of work waits for its result. */
type CommitListener = (commit: Commit) => Promise<void> | void

/** Listeners called after each commit of the store, which the outbox publishes; running parts subscribe at start. */
export type CommitListeners = {
  publish(commit: Commit): Promise<void>
  subscribe(listener: CommitListener): void
}

/** Creates the list of listeners to the commits of the store. */
export const createCommitListeners = (): CommitListeners => {
  const listeners: CommitListener[] = []
  return {
    publish: async commit => {
      for (const listener of listeners) await listener(commit)
    },
    subscribe: listener => void listeners.push(listener),
  }
}
