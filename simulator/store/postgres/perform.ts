import sql from 'sql-template-tag'
import type { Save, Unit } from '../port.ts'
import type { News } from '../replicas-port.ts'
import { lockUnit } from './locks.ts'
import { BEGIN, type Db, type Pool, type Transaction } from './open.ts'
import type { Replicas } from './replicas.ts'
import { load, save } from './units.ts'

type Telling = Replicas['telling']

/**
 * A unit of work in two round trips: the locks and all that it wants to see, then all that it leaves behind and the
 * commit. Where nothing is left of it, as after a deadlock, it is done again: `decide` is free of effects.
 */
export const performUnit = <Result>(pool: Pool, telling: Telling, unit: Unit<Result>): Promise<Result> =>
  pool.transact(db => attempt(db, telling, unit))

const attempt = async <Result>(db: Transaction, telling: Telling, unit: Unit<Result>): Promise<Result> => {
  const { organizationId } = unit
  const [, , loaded] = await Promise.all([db.run(BEGIN), lockUnit(db, unit), load(db, unit)])
  const { result, save: changes } = unit.decide(loaded)
  // A job that a reset, a restore or another replica took away meanwhile leaves nothing behind.
  if (changes?.finishedJobId !== undefined && !(await takeJob(db, organizationId, changes.finishedJobId))) {
    await db.run(sql`ROLLBACK`)
    return result
  }
  if (!changes) {
    void db.commit().catch(() => undefined) // it holds nothing but locks: who only reads waits for one round trip
    return result
  }
  const saved = save(db, organizationId, changes)
  const news = newsOf(organizationId, changes).map(one => telling(db, one))
  await Promise.all([...saved, ...news, db.commit()])
  return result
}

const takeJob = async (db: Db, organizationId: string, jobId: number): Promise<boolean> =>
  (await db.run(sql`DELETE FROM jobs WHERE job_id = ${jobId} AND organization_id = ${organizationId}`)) === 1

/** What other replicas are to know of what was saved. */
const newsOf = (organizationId: string, { change, late, told }: Save): News[] => {
  const instants = [
    ...(change?.deadlines ?? []).map(({ dueAt }) => dueAt),
    ...(late ? [late.dueAt] : []),
    ...(told?.deliveries ?? []).flatMap(({ dueAt }) => (dueAt === undefined ? [] : [dueAt])),
  ]
  return [
    ...(instants.length > 0 ? [{ kind: 'due', organizationId, dueAt: Math.min(...instants) } as const] : []),
    ...(told ? [{ kind: 'told', organizationId } as const] : []),
  ]
}
