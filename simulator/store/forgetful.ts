import { setImmediate } from 'node:timers/promises'
import { DAY, HOUR } from '../duration.ts'
import { LIFETIMES } from '../payments/deadlines.ts'
import type { Store } from './port.ts'
import type { Horizon } from './retention-port.ts'

type Settings = {
  /** How long payments are kept; for ever where absent. */
  keepPayments: number | undefined
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
export const forgetful = (store: Store, { keepPayments, onFault }: Settings): Store => {
  const looked = new Map<string, number>()
  const underWay = new Map<string, Promise<void>>()
  const beginning = new Set<string>()
  let closing = false

  const isOver = (organizationId: string): boolean => closing || beginning.has(organizationId)
  const sweep = async (organizationId: string, now: number): Promise<void> => {
    const horizon = horizonAt(now, keepPayments)
    do await setImmediate()
    while (!isOver(organizationId) && (await store.dropOver(organizationId, horizon, SLICE)) > 0)
  }
  const look = (organizationId: string, now: number): void => {
    const since = Math.abs(now - (looked.get(organizationId) ?? Number.NEGATIVE_INFINITY)) // a reset sets clocks back
    if (isOver(organizationId) || since < EVERY || underWay.has(organizationId)) return
    looked.set(organizationId, now)
    const sweeping = sweep(organizationId, now).catch(onFault)
    underWay.set(
      organizationId,
      sweeping.finally(() => underWay.delete(organizationId)),
    )
  }

  /** Another life has another time: what was to go by the time that was is left alone. */
  const anew = async <Result>(organizationId: string, begin: () => Promise<Result>): Promise<Result> => {
    beginning.add(organizationId)
    try {
      await underWay.get(organizationId)
      return await begin()
    } finally {
      beginning.delete(organizationId)
      looked.delete(organizationId)
    }
  }

  return {
    ...store,
    perform: async unit => {
      const result = await store.perform(unit)
      look(unit.organizationId, unit.now)
      return result
    },
    resetOrganization: organizationId => anew(organizationId, () => store.resetOrganization(organizationId)),
    replaceLife: (organizationId, ...life) => anew(organizationId, () => store.replaceLife(organizationId, ...life)),
    removeOrganization: organizationId => anew(organizationId, () => store.removeOrganization(organizationId)),
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
