import sql from 'sql-template-tag'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Life } from '../../simulator/store/port.ts'
import { fillBelongings } from '../../simulator/store/postgres/belongings.ts'
import { callsShared } from '../../simulator/store/postgres/calls.ts'
import type { Ears } from '../../simulator/store/postgres/ears.ts'
import { type Db, openDatabase, type Pool } from '../../simulator/store/postgres/open.ts'
import { startPostgres } from '../support/postgres.ts'
import { schemaFor } from '../support/schema.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.remove())

const DEAF = { on: async () => undefined } as unknown as Ears

/** Rows of a table of an organization, their columns in this order. */
const life = (columns: readonly string[], count: number): Life['tables'] => {
  const rows = Array.from({ length: count }, (_, at) => ({
    phone_id: `phone-${columns.join()}-${count}-${at} \ud800`,
    organization_id: 'shop',
    bank: 'Zażółć “gęślą” 🦆 \\u0000',
  }))
  return {
    phones: { columns: [...columns], rows: rows.map(row => columns.map(name => row[name as keyof typeof row])) },
  }
}

// Each text is prepared once on a connection and stays there: texts that vary without end would fill it.
describe.skipIf(postgres === undefined)('what a connection of PostgreSQL keeps prepared', () => {
  const open = async (): Promise<Pool> => {
    const pool = await openDatabase(await schemaFor(postgres?.url ?? ''), () => undefined)
    onTestFinished(() => pool.end())
    return pool
  }
  const prepared = async (db: Db) =>
    (await db.rows<{ count: number }>(sql`SELECT count(*) AS count FROM pg_prepared_statements`))[0]?.count

  test('does not grow with the number of rows that come back, nor with the order of their columns', async () => {
    await (await open()).with(async db => {
      await fillBelongings(db, life(['phone_id', 'organization_id', 'bank'], 1))
      await prepared(db)
      const before = await prepared(db)
      for (const count of [2, 3, 6_000]) await fillBelongings(db, life(['phone_id', 'organization_id', 'bank'], count))
      await fillBelongings(db, life(['bank', 'organization_id', 'phone_id'], 4))
      expect(await prepared(db)).toBe(before)
      const [row] = await db.rows<object>(sql`
        SELECT count(*) AS count, count(DISTINCT phone_id) AS distinct, min(bank) AS bank FROM phones`)
      expect(row).toEqual({ count: 6_010, distinct: 6_010, bank: 'Zażółć “gęślą” 🦆 \\u0000' })
    })
  })

  test('does not grow with the number of calls that are written in one go, which keep order and bytes', async () => {
    const pool = await open()
    await pool.with(async db => {
      const mine: Pool = { ...pool, begin: act => act(db) }
      const share = await callsShared(mine, DEAF, { self: 'me', channel: 'calls' })(10, () => undefined)
      const kept = async () =>
        await db.rows<{ entry: string; sent: Buffer | null }>(sql`
        SELECT entry, sent FROM calls ORDER BY place`)
      let written = 0
      const seen = new Set<number | undefined>()
      for (const count of [1, 2, 3, 7]) {
        for (let at = 0; at < count; at += 1) {
          const sent = written % 2 ? Buffer.from([0, 255, written]) : undefined
          share({ entry: String(written), sent })
          written += 1
        }
        await expect.poll(async () => (await kept()).length).toBe(written)
        seen.add(await prepared(db))
      }
      expect((await kept()).map(({ entry }) => Number(entry))).toEqual(Array.from({ length: written }, (_, at) => at))
      expect((await kept()).map(({ sent }) => sent && [...sent])).toEqual(
        Array.from({ length: written }, (_, at) => (at % 2 ? [0, 255, at] : null)),
      )
      expect(seen.size).toBe(1)
    })
  })
})
