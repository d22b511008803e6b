import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestSimulator, type TestSimulator } from '../support/caller-stopped-simulator.ts'
import { organizationControl } from '../support/control-client.ts'
import { createPostgresSchema } from '../support/create-postgres-schema.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { createShopVisitor, stateIn } from './shop-visitor.ts'

const postgres = await startPostgres()

describe.skipIf(postgres === undefined)('the demo shop of two replicas over one PostgreSQL', () => {
  let replicas: readonly TestSimulator[] = []

  beforeAll(async () => {
    const store = await createPostgresSchema(postgres?.url ?? '')
    replicas = [await startTestSimulator({ store }), await startTestSimulator({ store })]
  }, 60_000)
  afterAll(async () => {
    for (const replica of replicas) await replica.stop()
    postgres?.remove()
  }, 60_000)

  test('has one address, and an order that one began is shown, paid and refunded by the other', async () => {
    const [one, other] = replicas as [TestSimulator, TestSimulator]
    const [visitor, elsewhere] = [createShopVisitor(one), createShopVisitor(other)]
    const shop = await visitor.open()
    expect(await elsewhere.open()).toBe(shop)
    const { path, order } = await visitor.checkout(shop)
    const { code } = (await organizationControl(one).post('blik/codes')).body
    const sent = await visitor.post(path, { method: 'BLIK', order, code })
    expect(stateIn(await elsewhere.visit(sent.location))).toBe('waiting')
    const control = organizationControl(other)
    const [{ transactionId }] = (await control.get('payments')).body.payments
    await control.post(`payments/${transactionId}/shopper`, { action: 'approve' })
    for (const browser of [visitor, elsewhere]) await browser.orderIn(sent.location, 'paid')
    await control.advance('PT1H')
    await elsewhere.post(`${sent.location}/refund`, {})
    expect(stateIn(await elsewhere.visit(sent.location))).toBe('refunded')
    await visitor.orderIn(sent.location, 'refunded')
  })
})
