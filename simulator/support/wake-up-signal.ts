/** Wake-up signal of each organization: wakes all who wait for news of the organization; keeps no count. */
export type Signal = {
  /** Wakes all that wait for this organization. */
  notify(organizationId: string): void
  /** Resolves at the next notification of this organization. */
  wait(organizationId: string): Promise<void>
}

/** Creates a wake-up signal for those who wait for news of an organization. */
export const createSignal = (): Signal => {
  const waiting = new Map<string, { notified: Promise<void>; notify: () => void }>()
  return {
    notify: organizationId => {
      waiting.get(organizationId)?.notify()
      waiting.delete(organizationId)
    },
    wait: organizationId => {
      const known = waiting.get(organizationId)
      if (known) return known.notified
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.set(organizationId, { notified: promise, notify: resolve })
      return promise
    },
  }
}
