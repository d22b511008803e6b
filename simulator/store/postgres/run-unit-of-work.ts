import sql from 'sql-template-tag'
import type { ReplicaEvent } from '../replica-coordination-store.ts'
import type { UnitOfWork, WriteSet } from '../unit-of-work.ts'
import { loadReadSet } from './load-read-set.ts'
import { lockUnitOfWork } from './locks.ts'
import { BEGIN, type Db, type Pool, type Transaction } from './pool.ts'
import type { ReplicaCoordination } from './replica-coordination.ts'
import { saveWriteSet } from './save-write-set.ts'

type NotifyOnCommit = ReplicaCoordination['notifyOnCommit']

/**
 * Runs a unit of work in two round trips: locks and reads, then writes and commit. A unit that failed without a lasting
 * effect, as by a deadlock, is retried: `decide` has no side effects.
 */
export const runUnitOfWork = <Result>(
  pool: Pool,
  notifyOnCommit: NotifyOnCommit,
  unit: UnitOfWork<Result>,
): Promise<Result> => pool.transact(db => attempt(db, notifyOnCommit, unit))

const attempt = async <Result>(
  db: Transaction,
  notifyOnCommit: NotifyOnCommit,
  unit: UnitOfWork<Result>,
): Promise<Result> => {
  const { organizationId } = unit
  const [, , loaded] = await Promise.all([db.run(BEGIN), lockUnitOfWork(db, unit), loadReadSet(db, unit)])
  const { result, save: changes } = unit.decide(loaded)
  // If a reset, a restore or another replica has deleted the job meanwhile, nothing is written.
  if (changes?.finishedJobId !== undefined && !(await deleteJob(db, organizationId, changes.finishedJobId))) {
    await db.run(sql`ROLLBACK`)
    return result
  }
  if (!changes) {
    void db.commit().catch(() => undefined) // nothing but locks to release: a unit that only reads need not wait for it
    return result
  }
  const saved = saveWriteSet(db, organizationId, changes)
  const published = eventsOf(organizationId, changes).map(one => notifyOnCommit(db, one))
  await Promise.all([...saved, ...published, db.commit()])
  return result
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
