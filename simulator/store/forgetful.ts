import { setImmediate } from 'node:timers/promises'
import { DAY, HOUR } from '../duration.ts'
import { LIFETIMES } from '../payments/deadlines.ts'
import type { Store } from './port.ts'
import type { Horizon } from './retention-port.ts'

type Settings = {
  /** How long payments are kept; for ever where absent. */
  keepPayments: number | undefined
  /** The time on an organization's clock. */
  now(organizationId: string): number
  onFault: (error: unknown) => void
}

/** So often, by its own clock, an organization in use is looked through. */
const EVERY = HOUR
/** Rows of a kind that go before other work gets its turn. */
const SLICE = 200

/**
 * The store that forgets what is over, by the clock of each organization (D-109). It looks about once an hour of that clock,
 * when something is done there: a clock that leaps has leapt over the hour, and what nobody uses does not grow.
 */
export const forgetful = (store: Store, { keepPayments, now, onFault }: Settings): Store => {
  const looked = new Map<string, number>()
  const underWay = new Map<string, Promise<void>>()
  let closing = false

  /** Each slice by the time that is: a reset or a restore between two of them begins another life (I3). */
  const sweep = async (organizationId: string): Promise<void> => {
    const horizon = () => horizonAt(now(organizationId), keepPayments)
    do await setImmediate()
    while (!closing && (await store.dropOver(organizationId, horizon(), SLICE)) > 0)
  }
  const look = (organizationId: string): void => {
    const at = now(organizationId)
    const since = Math.abs(at - (looked.get(organizationId) ?? Number.NEGATIVE_INFINITY)) // a reset sets clocks back
    if (closing || since < EVERY || underWay.has(organizationId)) return
    looked.set(organizationId, at)
    const sweeping = sweep(organizationId).catch(onFault)
    underWay.set(
      organizationId,
      sweeping.finally(() => underWay.delete(organizationId)),
    )
  }

  return {
    ...store,
    perform: unit => {
      look(unit.organizationId)
      return store.perform(unit)
    },
    close: async () => {
      closing = true
      await Promise.all(underWay.values())
      await store.close()
    },
  }
}

const horizonAt = (now: number, keepPayments: number | undefined): Horizon => ({
  over: now,
  codes: now - DAY,
  past: now - LIFETIMES.message,
  payments: keepPayments === undefined ? undefined : now - keepPayments,
})
