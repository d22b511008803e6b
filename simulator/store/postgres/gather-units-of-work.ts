import type { UnitOfWork } from '../unit-of-work.ts'
import { locksOf } from './locks.ts'

/** Outcome of one unit of work among several: its result, its error, or that it has to run alone. */
export type Outcome<Done> = { done: Done } | { error: unknown } | 'alone'

type Runners<Done> = {
  /** Runs units of work in one transaction without waiting for locks. */
  together(units: readonly UnitOfWork<unknown>[]): Promise<Outcome<Done>[]>
  /** Runs a unit of work in a transaction of its own, which may wait. */
  alone(unit: UnitOfWork<unknown>): Promise<Done>
}

type Waiting<Done> = {
  unit: UnitOfWork<unknown>
  locks: readonly string[]
  resolve(done: Done): void
  reject(error: unknown): void
}

/** Transactions of gathered units that are under way at once: while they are, units gather for the next. */
const AT_ONCE = 2
/** Maximum number of units of work in one transaction. */
const MOST = 32

/**
 * Creates the function that runs units of work, several in one transaction of PostgreSQL: what arrives while others are
 * under way shares the next commit, and its statements. Units that need the same lock run one after the other, in their
 * order. A unit that would have to wait runs alone, so that none waits for another's locks.
 */
export const createUnitGathering = <Done>({ together, alone }: Runners<Done>) => {
  let queue: Waiting<Done>[] = []
  const held = new Set<string>()
  let underWay = 0
  let isStarting = false

  /** Takes the next units from the queue whose locks nothing here holds, and no unit before them wants. */
  const take = (): Waiting<Done>[] => {
    const taken: Waiting<Done>[] = []
    const wanted = new Set<string>()
    const left: Waiting<Done>[] = []
    for (const waiting of queue) {
      const isFree = waiting.locks.every(name => !held.has(name) && !wanted.has(name))
      for (const name of waiting.locks) wanted.add(name)
      ;(isFree && taken.length < MOST ? taken : left).push(waiting)
    }
    queue = left
    for (const { locks } of taken) for (const name of locks) held.add(name)
    return taken
  }

  const settle = ({ resolve, reject }: Waiting<Done>, outcome: Exclude<Outcome<Done>, 'alone'>): void => {
    if ('error' in outcome) reject(outcome.error)
    else resolve(outcome.done)
  }

  const run = async (taken: readonly Waiting<Done>[]): Promise<void> => {
    underWay += 1
    const units = taken.map(({ unit }) => unit)
    const outcomes = await together(units).catch((error: unknown) => units.map(() => ({ error })))
    underWay -= 1
    for (const { locks } of taken) for (const name of locks) held.delete(name)
    let jobBefore: Promise<unknown> = Promise.resolve()
    for (const [at, waiting] of taken.entries()) {
      const outcome = outcomes[at] ?? 'alone'
      if (outcome !== 'alone') settle(waiting, outcome)
      else if (waiting.unit.needs.jobId === undefined) alone(waiting.unit).then(waiting.resolve, waiting.reject)
      else jobBefore = jobBefore.then(() => alone(waiting.unit).then(waiting.resolve, waiting.reject)) // jobs keep their order
    }
    startSoon()
  }

  const startSoon = (): void => {
    if (isStarting || queue.length === 0) return
    isStarting = true
    queueMicrotask(start)
  }
  const start = (): void => {
    isStarting = false
    while (underWay < AT_ONCE) {
      const taken = take()
      if (taken.length === 0) return
      void run(taken)
    }
  }

  return (unit: UnitOfWork<unknown>): Promise<Done> =>
    new Promise((resolve, reject) => {
      queue.push({ unit, locks: locksOf(unit), resolve, reject })
      startSoon()
    })
}
