import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import type { ReadSet } from '../../simulator/store/unit-of-work.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { writeInUnit } from './run-unit-of-work.ts'
import { change, organization, payment } from './sample-records.ts'

// Without autovacuum, and at this level, PostgreSQL writes no WAL of its own accord.
const postgres = await startPostgres('-c fsync=off -c autovacuum=off -c wal_level=minimal -c max_wal_senders=0')
afterAll(() => postgres?.remove())

const NEEDS: readonly (readonly [what: string, needs: ReadSet])[] = [
  ['the status of a payment', { transactionId: 't' }],
  ['the events of a payment', { transactionId: 't', events: true }],
  ['a search', { payments: { limit: 10, accountId: 'account' } }],
  ['a report', { ledgerEntries: { accountIds: ['a', 'b'], from: 0, to: 9 } }],
]

describe.skipIf(postgres === undefined)('a unit of work that only reads', () => {
  const open = async () => {
    const url = await createPostgresSchema(postgres?.url ?? '')
    const store = await openPostgresStore(url, () => undefined)
    await store.addOrganization(organization('shop'))
    await writeInUnit(store, { change: change(payment('t')) })
    const other = new pg.Client(url)
    await other.connect()
    onTestFinished(async () => {
      await other.end()
      await store.close()
    })
    const read = (needs: ReadSet) =>
      store.transact({
        organizationId: 'shop',
        now: 0,
        needs: { ...needs, isReadOnly: true },
        decide: loaded => ({ result: loaded }),
      })
    return { other, read }
  }

  test.each(NEEDS)('%s writes no WAL, and waits for no other unit', async (_, needs) => {
    const { other, read } = await open()
    const written = async () => (await other.query('SELECT pg_current_wal_insert_lsn() AS at')).rows[0].at
    await read(needs)
    await other.query('VACUUM') // sets the hint bits, which a first read may do
    await other.query(
      `BEGIN; SELECT pg_advisory_xact_lock(advisory_key('payment t')), pg_advisory_xact_lock(advisory_key('organization shop'))`,
    )
    const before = await written()
    for (let round = 0; round < 5; round += 1) await read(needs)
    expect(await written()).toBe(before)
    await other.query('COMMIT')
  })

  test('sees payment and events as of one instant', async () => {
    const { read } = await open()
    const { payment: found, events } = await read({ transactionId: 't', events: true })
    expect(found).toMatchObject({ transactionId: 't' })
    expect(events).toHaveLength(change(payment('t')).events.length)
  })
})
