import type { UnitOfWork } from '../unit-of-work.ts'
import { lockTimedOut } from './database-errors.ts'

/** Time limit to wait for a turn, as for a free connection (D-114). */
const TURN_TIMEOUT_MS = 3_000

type Run<Done> = (unit: UnitOfWork<unknown>) => Promise<Done>

/**
 * Wraps a function that runs units of work which may wait for locks, each on a connection: at most so many of one
 * organization at once. While another replica resets one, its units leave the other connections to other organizations.
 */
export const withFewWaiting = <Done>(most: number, run: Run<Done>): Run<Done> => {
  const organizations = new Map<string, { running: number; queue: Set<() => void> }>()
  return async unit => {
    const own = organizations.get(unit.organizationId) ?? { running: 0, queue: new Set() }
    organizations.set(unit.organizationId, own)
    if (own.running >= most) await nextTurn(own.queue)
    else own.running += 1
    try {
      return await run(unit)
    } finally {
      const [next] = own.queue
      if (next) next()
      else own.running -= 1
      if (own.running === 0) organizations.delete(unit.organizationId)
    }
  }
}

/** Waits until what ends gives its turn to the first of the queue. */
const nextTurn = (queue: Set<() => void>): Promise<void> =>
  new Promise((resolve, reject) => {
    const take = (): void => {
      clearTimeout(timer)
      queue.delete(take)
      resolve()
    }
    const timer = setTimeout(() => {
      queue.delete(take)
      reject(lockTimedOut('Units of work before this one wait for a lock.'))
    }, TURN_TIMEOUT_MS)
    queue.add(take)
  })
