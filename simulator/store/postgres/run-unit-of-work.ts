import sql from 'sql-template-tag'
import type { ReplicaEvent } from '../replica-coordination-store.ts'
import type { UnitOfWork, WriteSet } from '../unit-of-work.ts'
import { readTogether, writeTogether } from './join-queries-in-one-statement.ts'
import { loadReadSet } from './load-read-set.ts'
import { lockUnitOfWork } from './locks.ts'
import { BEGIN, type Db, type Pool, type Transaction } from './pool.ts'
import { saveWriteSet } from './save-write-set.ts'

type Announce = (event: ReplicaEvent) => void

/**
 * Runs a unit of work on PostgreSQL in two round trips: locks and one statement of reads, then one of writes and the
 * commit; one that only reads in a single statement without locks. A unit that failed without a lasting effect, as by a
 * deadlock, is retried: `decide` has no side effects. Other replicas hear of it after the commit, which no notification
 * holds up.
 */
export const runUnitOfWork = async <Result>(
  pool: Pool,
  announce: Announce,
  unit: UnitOfWork<Result>,
): Promise<Result> => {
  if (unit.needs.isReadOnly) {
    const { result, save } = unit.decide(await loadReadSet(readTogether(pool), unit))
    if (changesSomething(save)) throw new Error('A unit of work that is said to read only has changed something.')
    return result
  }
  const { result, changes } = await pool.transact(db => attempt(db, unit))
  for (const event of eventsOf(unit.organizationId, changes)) announce(event)
  return result
}

const attempt = async <Result>(
  db: Transaction,
  unit: UnitOfWork<Result>,
): Promise<{ result: Result; changes: WriteSet }> => {
  const { organizationId, needs } = unit
  const [, , loaded, isJobThere] = await Promise.all([
    db.run(BEGIN),
    lockUnitOfWork(db, unit),
    loadReadSet(readTogether(db), unit),
    needs.jobId === undefined ? true : deleteJobAfterReads(db, organizationId, needs.jobId),
  ])
  const { result, save: changes } = unit.decide(loaded)
  // If a reset, a restore or another replica has deleted the job meanwhile, nothing is written.
  const finished = needs.jobId === undefined ? changes?.finishedJobId : undefined
  const isGone = !isJobThere || (finished !== undefined && !(await deleteJob(db, organizationId, finished)))
  if (isGone) {
    await db.run(sql`ROLLBACK`)
    return { result, changes: {} }
  }
  if (!changesSomething(changes)) {
    void db.commit().catch(() => undefined) // nothing but locks to release: a unit that only reads need not wait for it
    return { result, changes: {} }
  }
  await Promise.all([...saveWriteSet(writeTogether(db), organizationId, changes), commitAfter(db)])
  return { result, changes }
}

/** Whether a write set has anything in it. */
const changesSomething = (save: WriteSet | undefined): save is WriteSet =>
  save !== undefined && Object.values(save).some(part => part !== undefined)

/** Sends the commit behind the writes, which are sent together in the next microtask. */
const commitAfter = async (db: Transaction): Promise<void> => {
  await Promise.resolve()
  await db.commit()
}

/** Deletes the job that a unit finishes behind its reads, which are sent together in the next microtask and may see it. */
const deleteJobAfterReads = async (db: Db, organizationId: string, jobId: number): Promise<boolean> => {
  await Promise.resolve()
  return deleteJob(db, organizationId, jobId)
}

const deleteJob = async (db: Db, organizationId: string, jobId: number): Promise<boolean> =>
  (await db.run(sql`DELETE FROM jobs WHERE job_id = ${jobId} AND organization_id = ${organizationId}`)) === 1

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
