import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../support/clock.ts'
import { DAY, HOUR } from '../support/duration.ts'
import { LIFETIMES } from '../support/lifetimes.ts'
import type { RetentionCutoffs } from './retention-store.ts'
import type { Store } from './store.ts'

type Settings = {
  /** How long payments are kept, in milliseconds; for ever if undefined. */
  keepPayments: number | undefined
  clock: Pick<Clock, 'now' | 'isSetBackBy'>
  onError: (error: unknown) => void
}

/** Interval of sweeps for expired rows of an active organization, in milliseconds of its own clock. */
const SWEEP_INTERVAL = HOUR
/** Maximum number of expired rows of a kind that are deleted before other work gets its turn. */
const BATCH_SIZE = 200

/**
 * Wraps a store so that expired rows are deleted, by the clock of each organization (D-109). A unit of work starts a
 * sweep if an hour of that clock has passed since the last one; an organization that is not in use does not grow.
 */
export const withRetention = (store: Store, { keepPayments, clock, onError }: Settings): Store => {
  const lastSweeps = new Map<string, number>()
  /** Organizations with a sweep to come or under way; one follows the other, so that a start does not hold every connection. */
  const sweeping = new Set<string>()
  let lastEnd: Promise<unknown> = Promise.resolve()
  let closing = false

  /** Each batch has its own cutoffs, as a reset or restore between two batches replaces state and clock (I3). */
  const sweep = async (organizationId: string): Promise<void> => {
    const deleteSome = (now: number) =>
      store.deleteExpired(
        organizationId,
        cutoffsAt(now, keepPayments),
        BATCH_SIZE,
        setting => clock.now(organizationId) < now || clock.isSetBackBy(organizationId, setting),
      )
    do await setImmediate()
    while (!closing && (await deleteSome(clock.now(organizationId))) > 0)
  }
  const sweepIfDue = (organizationId: string): void => {
    const at = clock.now(organizationId)
    const since = Math.abs(at - (lastSweeps.get(organizationId) ?? Number.NEGATIVE_INFINITY)) // a reset sets clocks back
    if (closing || since < SWEEP_INTERVAL || sweeping.has(organizationId)) return
    lastSweeps.set(organizationId, at)
    sweeping.add(organizationId)
    lastEnd = lastEnd
      .then(() => sweep(organizationId))
      .catch(onError)
      .finally(() => sweeping.delete(organizationId))
  }

  return {
    ...store,
    transact: unit => {
      sweepIfDue(unit.organizationId)
      return store.transact(unit)
    },
    close: async () => {
      closing = true
      await lastEnd
      await store.close()
    },
  }
}

const cutoffsAt = (now: number, keepPayments: number | undefined): RetentionCutoffs => {
  const payments = keepPayments === undefined ? undefined : now - keepPayments
  return {
    expired: now,
    blikCodes: now - DAY,
    messages: now - LIFETIMES.message,
    payments,
    ledgerEntries: payments === undefined ? undefined : Math.floor(payments / DAY) * DAY - 1,
  }
}
