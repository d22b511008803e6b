import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { deliveriesPort } from '../../simulator/store/postgres/deliveries.ts'
import { addSending } from '../../simulator/store/postgres/notifications.ts'
import { type Db, openDatabase, type Pool } from '../../simulator/store/postgres/open.ts'
import { startPostgres } from '../support/postgres.ts'
import { schemaFor } from '../support/schema.ts'

const postgres = await startPostgres()

afterAll(() => postgres?.remove())

/** The same, with a count of the statements that went over it. */
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

describe.skipIf(postgres === undefined)('where the machine has PostgreSQL', () => {
  test('6: a list of two hundred deliveries takes no more statements than one of one', async () => {
    const real = await openDatabase(await schemaFor(postgres?.url ?? ''), console.error)
    const { sent, pool } = counting(real)
    const port = deliveriesPort(pool, 'self')
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
    await addSending(real, 'shop', SENDING)
    await add(1)
    const { statements } = await list()
    await add(199)
    expect(await list()).toEqual({ found: 200, statements })
    await real.end()
  })
})

const SENDING = {
  sendingId: 's',
  notificationId: 'n',
  type: 'PAYMENT_REFUND',
  transactionId: 't',
  clientTransactionId: 'order',
  body: '{}',
  dueAt: 0,
  variant: {},
} as const

const DELIVERY = { endpointId: 'e', sendingId: 's', firstDueAt: 0, dueAt: 0, tries: 0, state: 'waiting' } as const
