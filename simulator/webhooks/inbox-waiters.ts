import { pause } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'
import type { Signal } from '../support/wake-up-signal.ts'

/** Calls of one organization that may wait for its inbox at once. */
const MOST_WAITERS = 100
/** Milliseconds between two looks at an inbox: a delayed notification becomes due without a signal. */
const LOOK_INTERVAL = 100

type Parts = {
  newsSignal: Signal
  closing: AbortSignal
  /** Id of the newest message of an organization's inbox, which changes when one becomes due. */
  newest(organizationId: string): Promise<string | undefined>
}

type Watch = { begun: Promise<unknown>; changed: Promise<void> }

/**
 * Creates the waiting for news of organizations' inboxes: all calls of one share one look at what becomes due, and
 * there are at most 100 of them.
 */
export const createInboxWaiters = ({ newsSignal, closing, newest }: Parts) => {
  const counts = new Map<string, number>()
  const watches = new Map<string, Watch>()

  const watch = (organizationId: string): Watch => {
    const known = watches.get(organizationId)
    if (known) return known
    const begun = newest(organizationId)
    const untilChanged = async (): Promise<void> => {
      const before = await begun
      do await pause(LOOK_INTERVAL, closing)
      while (!closing.aborted && counts.has(organizationId) && (await newest(organizationId)) === before)
    }
    const changed = untilChanged().finally(() => watches.delete(organizationId))
    changed.catch(() => undefined)
    watches.set(organizationId, { begun, changed })
    return { begun, changed }
  }

  return {
    /** Counts a call that waits, until what it does ends; refuses one too many. */
    waiting: async <Result>(organizationId: string, act: () => Promise<Result>): Promise<Result> => {
      const count = counts.get(organizationId) ?? 0
      if (count >= MOST_WAITERS)
        throw new ControlError(
          'conflict',
          `${MOST_WAITERS} calls wait for this inbox already: let some end, or read …/inbox instead.`,
        )
      counts.set(organizationId, count + 1)
      try {
        return await act()
      } finally {
        const left = (counts.get(organizationId) ?? 1) - 1
        if (left === 0) counts.delete(organizationId)
        else counts.set(organizationId, left)
      }
    },
    /** Returns a promise of news after this moment. */
    news: async (organizationId: string): Promise<{ come: Promise<void> }> => {
      const notified = newsSignal.wait(organizationId)
      const { begun, changed } = watch(organizationId)
      await begun
      const come = Promise.race([notified, changed])
      come.catch(() => undefined) // a call that has found its message waits for no more
      return { come }
    },
  }
}
