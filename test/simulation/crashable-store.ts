import type { Store } from '../../simulator/store/store.ts'
import type { UnitOfWork, WriteSet } from '../../simulator/store/unit-of-work.ts'
import type { DeliveryAttempt } from '../../simulator/store/webhook-store.ts'

type Parts = {
  isAlive(): boolean
  /** Called before a result is handed out; false where the machine crashes at this moment. */
  onResult(): boolean
  /** Called when a unit of work has its result, with what it was said to have saved. */
  onSaved(organizationId: string, saved: WriteSet): void
  /** Called when an attempt to deliver a webhook could not be saved, so that a crash makes it again. */
  onUnsavedAttempt(attempt: DeliveryAttempt): void
}

type Method = (...values: unknown[]) => Promise<unknown>

const never = (): Promise<never> => new Promise(() => undefined)

/**
 * Wraps the store of a simulated machine so that the machine can crash between a result and its caller; calls that a
 * crash cuts off, and later ones, never return.
 */
export const createCrashableStore = (store: Store, parts: Parts): Store => {
  const { isAlive, onResult, onSaved, onUnsavedAttempt } = parts
  const released = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (!isAlive()) return never()
    try {
      const result = await work()
      return isAlive() && onResult() ? result : never()
    } catch (error) {
      if (isAlive()) throw error
      return never()
    }
  }
  const methods = Object.entries(store).map(([name, member]) => {
    if (typeof member !== 'function') return [name, member]
    return [name, (...values: unknown[]) => released(() => (member as Method)(...values))]
  })
  const transact = async <Result>(unit: UnitOfWork<Result>): Promise<Result> => {
    let saved: WriteSet | undefined
    const decide: UnitOfWork<Result>['decide'] = loaded => {
      const decided = unit.decide(loaded)
      saved = decided.save
      return decided
    }
    const result = await released(() => store.transact({ ...unit, decide }))
    if (saved) onSaved(unit.organizationId, saved)
    return result
  }
  const saveAttempt: Store['saveAttempt'] = async (organizationId, made) => {
    const save = async () => {
      try {
        return await store.saveAttempt(organizationId, made)
      } catch (error) {
        onUnsavedAttempt(made.attempt)
        throw error
      }
    }
    return released(save)
  }
  return { ...(Object.fromEntries(methods) as Store), transact, saveAttempt, close: store.close }
}
