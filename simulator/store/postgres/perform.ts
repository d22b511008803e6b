import sql from 'sql-template-tag'
import type { Save, Unit } from '../port.ts'
import type { News } from '../replicas-port.ts'
import { lockUnit } from './locks.ts'
import type { Db, Pool } from './open.ts'
import type { Replicas } from './replicas.ts'
import { load, save } from './units.ts'

type Telling = Replicas['telling']

/** What PostgreSQL asks to be tried again: it has undone all of it. */
const UNDONE = ['40001', '40P01'] // a serialization failure, a deadlock
const TRIES = 5

/**
 * A unit of work in two round trips: the locks and all that it wants to see, then all that it leaves behind and the
 * commit. What PostgreSQL has undone to end a deadlock is done again: `decide` is free of effects.
 */
export const performUnit = async <Result>(pool: Pool, telling: Telling, unit: Unit<Result>): Promise<Result> => {
  for (let left = TRIES - 1; ; left -= 1) {
    try {
      return await pool.with(db => attempt(db, telling, unit))
    } catch (error) {
      if (left === 0 || !UNDONE.includes((error as { code?: string }).code ?? '')) throw error
    }
  }
}

const attempt = async <Result>(db: Db, telling: Telling, unit: Unit<Result>): Promise<Result> => {
  const { organizationId } = unit
  const [, , loaded] = await Promise.all([db.run(sql`BEGIN`), lockUnit(db, unit), load(db, unit)])
  const { result, save: changes } = unit.decide(loaded)
  // A job that a reset, a restore or another replica took away meanwhile leaves nothing behind.
  if (changes?.finishedJobId !== undefined && !(await takeJob(db, organizationId, changes.finishedJobId))) {
    await db.run(sql`ROLLBACK`)
    return result
  }
  if (!changes) {
    void db.run(sql`COMMIT`).catch(() => undefined) // it holds nothing but locks: who only reads waits for one round trip
    return result
  }
  const saved = save(db, organizationId, changes)
  const news = newsOf(organizationId, changes).map(one => telling(db, one))
  await Promise.all([...saved, ...news, db.run(sql`COMMIT`)])
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
