import sql from 'sql-template-tag'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import type { OrganizationState } from '../../simulator/store/organization-state-store.ts'
import { createCallSharing } from '../../simulator/store/postgres/journal-sharing.ts'
import type { ListenNotifyConnection } from '../../simulator/store/postgres/listen-notify-connection.ts'
import { openDatabase } from '../../simulator/store/postgres/open-database.ts'
import { fillOrganizationTables } from '../../simulator/store/postgres/organization-table-rows.ts'
import type { Pool } from '../../simulator/store/postgres/pool.ts'
import type { Db } from '../../simulator/store/sql-statements.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { startPostgres } from '../support/postgres-server.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.remove())

const DEAF = { listen: async () => undefined } as unknown as ListenNotifyConnection

/** Organization state with rows of one table, in an order of columns. */
const stateTables = (columns: readonly string[], count: number): OrganizationState['tables'] => {
  const rows = Array.from({ length: count }, (_, at) => ({
    phone_id: `phone-${columns.join()}-${count}-${at} \ud800`,
    organization_id: 'shop',
    bank_id: 'Zażółć “gęślą” 🦆 \\u0000',
  }))
  return {
    phones: { columns: [...columns], rows: rows.map(row => columns.map(name => row[name as keyof typeof row])) },
  }
}

// Each statement text is prepared once per connection and kept, so the number of texts must be bounded.
describe.skipIf(postgres === undefined)('the number of prepared statements of a connection', () => {
  const open = async (): Promise<Pool> => {
    const pool = await openDatabase(await createPostgresSchema(postgres?.url ?? ''), () => undefined)
    onTestFinished(() => pool.end())
    return pool
  }
  const prepared = async (db: Db) =>
    (await db.rows<{ count: number }>(sql`SELECT count(*) AS count FROM pg_prepared_statements`))[0]?.count

  test('does not grow with the number of restored rows, nor with the order of their columns', async () => {
    await (await open()).with(async db => {
      await fillOrganizationTables(db, stateTables(['phone_id', 'organization_id', 'bank_id'], 1))
      await prepared(db)
      const before = await prepared(db)
      for (const count of [2, 3, 6_000])
        await fillOrganizationTables(db, stateTables(['phone_id', 'organization_id', 'bank_id'], count))
      await fillOrganizationTables(db, stateTables(['bank_id', 'organization_id', 'phone_id'], 4))
      expect(await prepared(db)).toBe(before)
      const [row] = await db.rows<object>(sql`
        SELECT count(*) AS count, count(DISTINCT phone_id) AS distinct, min(bank_id) AS bank_id FROM phones`)
      expect(row).toEqual({ count: 6_010, distinct: 6_010, bank_id: 'Zażółć “gęślą” 🦆 \\u0000' })
    })
  })

  test('does not grow with the number of journal calls in one insert, which keep order and bytes', async () => {
    const pool = await open()
    await pool.with(async db => {
      const mine: Pool = { ...pool, begin: act => act(db) }
      const share = await createCallSharing(mine, DEAF, { self: 'me', channel: 'calls' }).shareCalls(
        10,
        () => undefined,
      )
      const kept = async () =>
        await db.rows<{ entry: string; sent: Buffer | null }>(sql`
        SELECT journal_entry AS entry, request_body AS sent FROM shared_calls ORDER BY position`)
      let written = 0
      const seen = new Set<number | undefined>()
      for (const count of [1, 2, 3, 7]) {
        for (let at = 0; at < count; at += 1) {
          const sent = written % 2 ? Buffer.from([0, 255, written]) : undefined
          share({ journalEntry: String(written), requestBody: sent })
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
