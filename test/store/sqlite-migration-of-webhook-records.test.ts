import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { readSnapshotDocument, serializeSnapshot } from '../../simulator/organizations/snapshot-document.ts'
import { FIRST_VERSION, MIGRATIONS } from '../../simulator/store/sqlite/schema-migrations.ts'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ATTEMPT = { at: 1, answer: { status: 204, headers: {}, body: '{"answer":{"status":"of a shop"}}' } }

/** Creates a data folder of the version that called responses answers. */
const createOlder = () => {
  const folder = temporaryFolder()
  const older = new Database(join(folder, 'assay.db'))
  for (const step of MIGRATIONS.slice(0, 3)) older.exec(step)
  older.pragma(`user_version = ${FIRST_VERSION + 2}`)
  older.pragma('foreign_keys = OFF')
  return { folder, older }
}

test('stored deliveries and plans of an earlier version have the present names', async () => {
  const { folder, older } = createOlder()
  const attempt = older.prepare('INSERT INTO delivery_attempts (organization_id, delivery_id, record) VALUES (?, ?, ?)')
  const plan = older.prepare(
    'INSERT INTO delivery_plans (organization_id, plan_id, remaining_uses, record) VALUES (?, ?, 1, ?)',
  )
  attempt.run('shop', 'one', JSON.stringify(ATTEMPT))
  plan.run('shop', 'two', JSON.stringify({ do: 'before-answer' }))
  older.close()
  await openSqliteStore(folder).close()
  const now = new Database(join(folder, 'assay.db'), { readonly: true })
  const { answer, ...rest } = ATTEMPT
  const read = (table: string) => JSON.parse(now.prepare(`SELECT record FROM ${table}`).pluck().get() as string)
  expect(read('delivery_attempts')).toEqual({ ...rest, response: answer })
  expect(read('delivery_plans')).toEqual({ do: 'before-response' })
  now.close()
})

test.each(['read', 'restored after a crash'])(
  'a snapshot of an earlier version has the present names once it is %s',
  async how => {
    const { folder, older } = createOlder()
    const { text } = await serializeSnapshot({
      format: 'assay-snapshot-2',
      organizationId: 'shop',
      processingAccountIds: ['shop-1'],
      takenAt: '2026-01-01T00:00:00.000Z',
      clock: { rate: 1 },
      capabilities: {},
      tables: {
        delivery_attempts: {
          columns: ['organization_id', 'delivery_id', 'record'],
          rows: [['shop', 'one', JSON.stringify(ATTEMPT)]],
        },
        delivery_plans: {
          columns: ['organization_id', 'plan_id', 'remaining_uses', 'record'],
          rows: [['shop', 'two', 1, JSON.stringify({ do: 'before-answer' })]],
        },
      },
    })
    older
      .prepare(`INSERT INTO snapshots (organization_id, name, taken_at, document) VALUES ('shop', 'old', 1, ?)`)
      .run(text)
    const replacement = { organizationId: 'shop', snapshot: 'old', clock: { anchorReal: 0, anchorVirtual: 0, rate: 1 } }
    if (how !== 'read')
      older.prepare(`INSERT INTO settings VALUES ('unfinished-replacement:shop', ?)`).run(JSON.stringify(replacement))
    older.close()
    const store = openSqliteStore(folder)
    const { document = '' } = (await store.snapshot('shop', 'old')) ?? {}
    const { tables } =
      how === 'read' ? await readSnapshotDocument(JSON.parse(document)) : await store.organizationState('shop')
    await store.close()
    const recordOf = (table: string) => JSON.parse(String(tables[table]?.rows[0]?.at(-1)))
    const { answer, ...rest } = ATTEMPT
    expect(recordOf('delivery_attempts')).toEqual({ ...rest, response: answer })
    expect(recordOf('delivery_plans')).toEqual({ do: 'before-response' })
  },
)
