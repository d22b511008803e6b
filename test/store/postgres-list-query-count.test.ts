import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { INSERT_TARGETS, messageRow } from '../../simulator/store/inserted-rows.ts'
import { insertRows } from '../../simulator/store/postgres/insert-rows.ts'
import { openDatabase } from '../../simulator/store/postgres/open-database.ts'
import { type Pool, runAll } from '../../simulator/store/postgres/pool.ts'
import { createDeliveryStore } from '../../simulator/store/postgres/webhook-deliveries.ts'
import type { Db } from '../../simulator/store/sql-statements.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { startPostgres } from '../support/postgres-server.ts'

const postgres = await startPostgres()

afterAll(() => postgres?.remove())

/** Wraps a pool so that it counts its statements. */
const counting = (pool: Pool) => {
  const sent = { count: 0 }
  const counted = (db: Db): Db => ({
    rows: statement => {
      sent.count += 1
      return db.rows(statement)
    },
    run: statement => {
      sent.count += 1
      return db.run(statement)
    },
  })
  return {
    sent,
    pool: {
      ...pool,
      ...counted(pool),
      with: <Result>(act: (db: Db) => Promise<Result>) => pool.with(db => act(counted(db))),
    },
  }
}

describe.skipIf(postgres === undefined)('lists in PostgreSQL', () => {
  test('6: listing two hundred deliveries takes as many statements as listing one', async () => {
    const real = await openDatabase(await createPostgresSchema(postgres?.url ?? ''), console.error)
    const { sent, pool } = counting(real)
    const port = createDeliveryStore(pool, 'self')
    const list = async () => {
      sent.count = 0
      const { length: found } = await port.deliveries('shop', { limit: 500 })
      return { found, statements: sent.count }
    }
    const add = (count: number) =>
      port.addDeliveries(
        'shop',
        Array.from({ length: count }, () => ({ ...DELIVERY, deliveryId: randomUUID() })),
      )
    await runAll(real, insertRows(INSERT_TARGETS.messages, [messageRow('shop', SENDING)]))
    await add(1)
    const { statements } = await list()
    await add(199)
    expect(await list()).toEqual({ found: 200, statements })
    await real.end()
  })
})

const SENDING = {
  messageId: 's',
  notificationId: 'n',
  type: 'PAYMENT_REFUND',
  transactionId: 't',
  clientTransactionId: 'order',
  body: '{}',
  dueAt: 0,
  variation: {},
} as const

const DELIVERY = {
  endpointId: 'e',
  messageId: 's',
  firstDueAt: 0,
  dueAt: 0,
  attemptCount: 0,
  state: 'waiting',
} as const
