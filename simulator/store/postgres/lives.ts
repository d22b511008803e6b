import sql, { raw } from 'sql-template-tag'
import { type ClockSetting, REAL_TIME } from '../../clock.ts'
import { IDENTITY, NO_LIFE } from '../belongings.ts'
import type { Life, LifeStore } from '../lives-port.ts'
import { clearBelongings, fillBelongings, readBelongings, unfitBelongings } from './belongings.ts'
import { forgetCalls } from './calls.ts'
import { lockOrganization } from './locks.ts'
import type { Db, Pool } from './open.ts'

const UNIQUE_VIOLATION = '23505'
type Listed = { name: string; taken_at: number; bytes: number }
type Row = { name: string; taken_at: number; document: string }

/** Empties, puts by and brings back all that happened to an organization. */
export const livesPort = (pool: Pool): LifeStore => {
  /** No unit of work of the organization meanwhile. */
  const alone = <Result>(organizationId: string, act: (db: Db) => Promise<Result>): Promise<Result> =>
    pool.begin(async db => {
      await lockOrganization(db, organizationId)
      return act(db)
    })

  const replace = async (db: Db, organizationId: string, { tables, capabilities }: Life, clock: ClockSetting) => {
    await clearBelongings(db, organizationId)
    await fillBelongings(db, tables)
    await db.run(sql`
      UPDATE organizations SET capabilities = ${JSON.stringify(capabilities)}, clock_anchor_real = ${clock.anchorReal},
        clock_anchor_virtual = ${clock.anchorVirtual}, clock_rate = ${clock.rate}
      WHERE organization_id = ${organizationId}`)
  }

  return {
    resetOrganization: organizationId =>
      alone(organizationId, async db => {
        await replace(db, organizationId, NO_LIFE, REAL_TIME)
        await forgetCalls(db, organizationId)
      }),
    removeOrganization: organizationId =>
      alone(organizationId, async db => {
        await clearBelongings(db, organizationId)
        await forgetCalls(db, organizationId)
        await db.run(sql`DELETE FROM settings WHERE name = ${`inbox-secret:${organizationId}`}`)
        const counts = []
        for (const table of IDENTITY)
          counts.push(await db.run(sql`DELETE FROM ${raw(table)} WHERE organization_id = ${organizationId}`))
        return counts.at(-1) === 1
      }),
    life: organizationId =>
      alone(organizationId, async db => {
        const [row] = await db.rows<{ capabilities: string }>(sql`
          SELECT capabilities FROM organizations WHERE organization_id = ${organizationId}`)
        const tables = await readBelongings(db, organizationId)
        return { tables, capabilities: JSON.parse(row?.capabilities ?? '{}') } as Life
      }),
    unfitLife: (organizationId, life) => unfitBelongings(pool, organizationId, life),
    replaceLife: async (organizationId, life, clock) => {
      try {
        await alone(organizationId, db => replace(db, organizationId, life, clock))
        return true
      } catch (error) {
        if ((error as { code?: string }).code === UNIQUE_VIOLATION) return false
        throw error
      }
    },
    ...snapshotsPort(pool),
  }
}

const snapshotsPort = (pool: Pool): Pick<LifeStore, 'saveSnapshot' | 'snapshots' | 'snapshot' | 'dropSnapshot'> => {
  const drop = (db: Db, organizationId: string, name: string) =>
    db.run(sql`DELETE FROM snapshots WHERE organization_id = ${organizationId} AND name = ${name}`)
  return {
    saveSnapshot: (organizationId, { name, takenAt, document }) =>
      pool.begin(async db => {
        const count = await drop(db, organizationId, name)
        await db.run(sql`
          INSERT INTO snapshots (organization_id, name, taken_at, document)
          VALUES (${organizationId}, ${name}, ${takenAt}, ${document})`)
        return count === 1
      }),
    snapshots: async organizationId =>
      (
        await pool.rows<Listed>(sql`
          SELECT name, taken_at, octet_length(document)::bigint AS bytes FROM snapshots
          WHERE organization_id = ${organizationId} ORDER BY snapshot_id DESC`)
      ).map(({ name, taken_at, bytes }) => ({ name, takenAt: taken_at, bytes })),
    snapshot: async (organizationId, name) => {
      const [row] = await pool.rows<Row>(sql`
        SELECT name, taken_at, document FROM snapshots WHERE organization_id = ${organizationId} AND name = ${name}`)
      return row && { name: row.name, takenAt: row.taken_at, document: row.document }
    },
    dropSnapshot: async (organizationId, name) => (await drop(pool, organizationId, name)) === 1,
  }
}
