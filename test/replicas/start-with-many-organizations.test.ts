import pg from 'pg'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { openPostgresStore } from '../../simulator/store/postgres/store.ts'
import { writeInUnit } from '../store/run-unit-of-work.ts'
import { change, organization, payment } from '../store/sample-records.ts'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { startPostgres } from '../support/postgres-server.ts'

const postgres = await startPostgres()
afterAll(() => postgres?.remove())

/** Counts the SQL statements sent during an action, without health checks and heartbeats. */
const statementsOf = async (act: () => Promise<unknown>): Promise<number> => {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await act()
    const texts = query.mock.calls.map(([asked]) =>
      typeof asked === 'string' ? asked : (asked as { text: string }).text,
    )
    return texts.filter(text => text !== 'SELECT 1' && !text.includes('pg_try_advisory_lock')).length
  } finally {
    query.mockRestore()
  }
}

describe.skipIf(postgres === undefined)('a sandbox of many organizations', () => {
  const fill = async (url: string, names: readonly string[]) => {
    const store = await openPostgresStore(url, () => undefined)
    for (const organizationId of names) {
      await store.addOrganization(organization(organizationId))
      const deadline = { name: 'shopper-window', dueAt: Date.now() + 3_600_000 } as const
      await writeInUnit(
        store,
        { change: change(payment(organizationId, { organizationId }), [deadline]) },
        organizationId,
      )
    }
    await store.close()
  }

  /** Counts the statements of a start, and of catching up after the LISTEN connection was lost. */
  const statementsOver = async (url: string) => {
    let simulator: TestSimulator | undefined
    const atStart = await statementsOf(async () => {
      simulator = await startTestSimulator({ store: url }, { onError: () => undefined })
    })
    const ready = async () => (await fetch(`${simulator?.pagesUrl}/ready`)).status
    const other = new pg.Client(url)
    await other.connect()
    const afterLoss = await statementsOf(async () => {
      await other.query(`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE starts_with(application_name, 'assay_' || md5(current_schema()))`)
      await expect.poll(ready).toBe(503)
      await expect.poll(ready).toBe(200)
    })
    await other.end()
    await simulator?.stop()
    return { atStart, afterLoss }
  }

  test('starts and catches up without a statement for each organization', async () => {
    const url = await createPostgresSchema(postgres?.url ?? '')
    await (await startTestSimulator({ store: url })).stop() // the installation and the demo organization are made
    const few = await statementsOver(url)
    const names = Array.from({ length: 30 }, (_, at) => `shop-${at}`)
    await fill(url, names)
    const many = await statementsOver(url)
    const byTheWay = 5 // statements that come with time, which a busy machine has more of
    expect(many.atStart - few.atStart).toBeLessThan(byTheWay)
    expect(many.afterLoss - few.afterLoss).toBeLessThan(byTheWay)
  })
})
