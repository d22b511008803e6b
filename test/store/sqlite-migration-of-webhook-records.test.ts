import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { FIRST_VERSION, MIGRATIONS } from '../../simulator/store/sqlite/schema-migrations.ts'
import { openSqliteStore } from '../../simulator/store/sqlite/store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const ATTEMPT = { at: 1, answer: { status: 204, headers: {}, body: '{"answer":{"status":"of a shop"}}' } }

test('stored deliveries and plans of an earlier version have the present names', async () => {
  const file = join(temporaryFolder(), 'assay.db')
  const older = new Database(file)
  for (const step of MIGRATIONS.slice(0, 3)) older.exec(step)
  older.pragma(`user_version = ${FIRST_VERSION + 2}`)
  const attempt = older.prepare('INSERT INTO delivery_attempts (organization_id, delivery_id, record) VALUES (?, ?, ?)')
  const plan = older.prepare(
    'INSERT INTO delivery_plans (organization_id, plan_id, remaining_uses, record) VALUES (?, ?, 1, ?)',
  )
  older.pragma('foreign_keys = OFF')
  attempt.run('shop', 'one', JSON.stringify(ATTEMPT))
  plan.run('shop', 'two', JSON.stringify({ do: 'before-answer' }))
  older.close()
  await openSqliteStore(join(file, '..')).close()
  const now = new Database(file, { readonly: true })
  const { answer, ...rest } = ATTEMPT
  const read = (table: string) => JSON.parse(now.prepare(`SELECT record FROM ${table}`).pluck().get() as string)
  expect(read('delivery_attempts')).toEqual({ ...rest, response: answer })
  expect(read('delivery_plans')).toEqual({ do: 'before-response' })
  now.close()
})
