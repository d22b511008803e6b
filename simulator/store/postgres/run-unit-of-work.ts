import sql from 'sql-template-tag'
import type { ReplicaEvent } from '../replica-coordination-store.ts'
import type { Db } from '../sql-statements.ts'
import type { Loaded, UnitOfWork, WriteSet } from '../unit-of-work.ts'
import { errorCodeOf, isOfConnection, isOfStatement, LOCK_TIMED_OUT } from './database-errors.ts'
import { createEarlyStatistics } from './gather-statistics-early.ts'
import { createUnitGathering, type Outcome } from './gather-units-of-work.ts'
import { joinChanges, readForUnits, readTogether } from './join-queries-in-one-statement.ts'
import { withFewWaiting } from './limit-waits-of-organization.ts'
import { isJobThere, loadReadSet } from './load-read-set.ts'
import { lockUnitOfWork, tryToLockUnits } from './locks.ts'
import { BEGIN, type Pool, runAll, type Transaction } from './pool.ts'
import { LOCKED, type RowLock, WITHOUT_LOCK } from './query-fragments.ts'
import { saveWriteSets } from './save-write-sets.ts'

type Unit = UnitOfWork<unknown>
/** What a unit of work returns, and what it has written. */
type Done = { result: unknown; changes: WriteSet }

/** Share of the connections that units of one organization may take while they wait for locks. */
const SHARE_OF_WAITING = 0.2

/**
 * Creates the function that runs units of work on PostgreSQL. One that changes something takes two round trips, with
 * those that gather meanwhile in one transaction: locks and reads, then writes and the commit; one that only reads is a
 * single statement without locks. A transaction that failed without a lasting effect, as by a deadlock, is retried:
 * `decide` has no side effects. Other replicas hear of a change after the commit, which no notification holds up.
 */
export const createRunUnitOfWork = (pool: Pool, announce: (event: ReplicaEvent) => void) => {
  const most = Math.max(1, Math.floor(pool.most * SHARE_OF_WAITING))
  const alone = withFewWaiting<Done>(most, unit => pool.transact(db => runAlone(db, unit)))
  const gathered = createUnitGathering<Done>({ alone, together: units => runTogether(pool, units) })
  const countUnit = createEarlyStatistics(pool)
  return async <Result>(unit: UnitOfWork<Result>): Promise<Result> => {
    if (unit.needs.isReadOnly) return onlyRead(pool, unit)
    const { result, changes } = await gathered(unit)
    countUnit()
    for (const event of eventsOf(unit.organizationId, changes)) announce(event)
    return result as Result
  }
}

const onlyRead = async <Result>(pool: Pool, unit: UnitOfWork<Result>): Promise<Result> => {
  const { result, save } = unit.decide(await loadReadSet(readTogether(pool), unit))
  if (changesSomething(save)) throw new Error('A unit of work that is said to read only has changed something.')
  return result
}

/**
 * Runs a unit of work in a transaction of its own: waits for its locks, also those of the rows that it may use up. They
 * are read again once they are locked, as a mock that was replaced meanwhile is none of those that were looked for.
 */
const runAlone = async (db: Transaction, unit: Unit): Promise<Done> => {
  const lockAndLoad = () => load(readTogether(db), unit, LOCKED)
  const [, , first, again] = await Promise.all([
    db.run(BEGIN),
    lockUnitOfWork(db, unit),
    lockAndLoad(),
    unit.needs.providerCall === undefined ? undefined : lockAndLoad(),
  ])
  const done = decide(unit, again ?? first)
  await save(db, [{ unit, done }])
  return done
}

/**
 * Runs units of work in one transaction that waits for no lock. If one of them makes it fail before the commit, nothing
 * is saved, and each has to run alone.
 */
const runTogether = async (pool: Pool, units: readonly Unit[]): Promise<Outcome<Done>[]> => {
  let isOpen = false
  let isCommitting = false
  try {
    return await pool.transact(db => {
      isOpen = true
      isCommitting = false
      const commit = () => {
        isCommitting = true
        return db.commit()
      }
      return attemptTogether({ ...db, commit }, units)
    })
  } catch (error) {
    const isUndone = isCommitting ? isOfStatement(error) : isOpen && !isOfConnection(error)
    const mayEndOtherwise = units.length > 1 || errorCodeOf(error) === LOCK_TIMED_OUT
    if (isUndone && mayEndOtherwise) return units.map(() => 'alone')
    throw error
  }
}

/** How long a transaction of several units waits for the lock of a row or of an index at most; then each runs alone. */
const LOCK_TIMEOUT = sql`SET LOCAL lock_timeout = '50ms'`

const attemptTogether = async (db: Transaction, units: readonly Unit[]): Promise<Outcome<Done>[]> => {
  const readOf = readForUnits(db)
  const [, , locked, all] = await Promise.all([
    db.run(BEGIN),
    db.run(LOCK_TIMEOUT),
    tryToLockUnits(db, units),
    Promise.all(units.map(unit => load(readOf(), unit, WITHOUT_LOCK))),
  ])
  const decided: { unit: Unit; done: Done }[] = []
  const outcomes = units.map((unit, at): Outcome<Done> => {
    const found = all[at]
    if (!found || locked.includes(unit) || usesUpSharedRows(found.loaded)) return 'alone'
    try {
      const done = decide(unit, found)
      decided.push({ unit, done })
      return { done }
    } catch (error) {
      return { error }
    }
  })
  await save(db, decided)
  return outcomes
}

type Found = { loaded: Loaded; isThere: boolean }

const load = async (db: Db, unit: Unit, lock: RowLock): Promise<Found> => {
  const [loaded, isThere] = await Promise.all([loadReadSet(db, unit, lock), isJobThere(db, unit)])
  return { loaded, isThere }
}

/** Whether a unit has loaded rows that units of other payments use up too, so that it has to lock them. */
const usesUpSharedRows = ({ faults, mocks, subscriptions }: Loaded): boolean =>
  faults.length > 0 || mocks.some(({ oneTime }) => oneTime) || (subscriptions?.plans.length ?? 0) > 0

/** Decides; nothing is to be saved if a reset, a restore or another replica has deleted the job meanwhile. */
const decide = (unit: Unit, { loaded, isThere }: Found): Done => {
  const { result, save: changes = {} } = unit.decide(loaded)
  return { result, changes: isThere ? changes : {} }
}

/** Writes what units of work have decided and commits; where there is nothing but locks to release, without waiting. */
const save = async (db: Transaction, decided: readonly { unit: Unit; done: Done }[]): Promise<void> => {
  const saved = decided
    .filter(({ done }) => changesSomething(done.changes))
    .map(({ unit, done }) => ({ organizationId: unit.organizationId, ...done.changes }))
  if (saved.length === 0) return void db.commit().catch(() => undefined)
  const { together, apart } = saveWriteSets(saved)
  await Promise.all([runAll(db, [...joinChanges(together), ...apart]), db.commit()])
}

/** Whether a write set has anything in it. */
const changesSomething = (save: WriteSet | undefined): boolean =>
  save !== undefined && Object.values(save).some(part => part !== undefined)

/** Returns the events for other replicas that follow from what a unit of work wrote. */
const eventsOf = (organizationId: string, { change, lateCall: late, outbox: told }: WriteSet): ReplicaEvent[] => {
  const instants = [
    ...(change?.deadlines ?? []).map(({ dueAt }) => dueAt),
    ...(late ? [late.dueAt] : []),
    ...(told?.deliveries ?? []).flatMap(({ dueAt }) => (dueAt === undefined ? [] : [dueAt])),
  ]
  return [
    ...(instants.length > 0 ? [{ kind: 'scheduled', organizationId, dueAt: Math.min(...instants) } as const] : []),
    ...(told ? [{ kind: 'messages', organizationId } as const] : []),
  ]
}
