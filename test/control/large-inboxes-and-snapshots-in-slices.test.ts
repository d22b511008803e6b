import { expect, test } from 'vitest'
import { jsonInSlices } from '../../simulator/support/slices-across-event-loop-turns.ts'
import { initiateIris, merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

const PAYMENTS = 420
const CLOSED_PORT = 'http://127.0.0.1:9/webhooks'

/** Returns how many turns of the event loop came during some work: calls of others are served in each. */
const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  let turns = 0
  let isOver = false
  const turn = () => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isOver = true
  return turns
}

test('large inboxes and snapshots are read, checked and written in slices', async () => {
  const simulator = await startScopedSimulator()
  const { controlPlane, kit } = simulator
  const merchant = merchantOf(simulator)
  await controlPlane.endpoints.add(kit.organizationId, { url: CLOSED_PORT })
  await Promise.all(Array.from({ length: PAYMENTS }, () => initiateIris(merchant)))
  const organization = await controlPlane.organizations.require(kit.organizationId)

  expect(await turnsDuring(() => controlPlane.inbox.list(kit.organizationId, {}, 99_999))).toBeGreaterThanOrEqual(5)
  const idsOf = async (limit: number) =>
    (await controlPlane.inbox.list(kit.organizationId, {}, limit)).map(({ message }) => message.messageId)
  const ids = await idsOf(99_999)
  expect(new Set(ids).size).toBe(PAYMENTS)
  expect(await idsOf(150)).toEqual(ids.slice(0, 150))

  const { payments, deliveries } = controlPlane
  const listed = () => payments.list(kit.organizationId, { limit: 99_999 })
  expect(await turnsDuring(listed)).toBeGreaterThanOrEqual(2)
  expect((await listed()).payments).toHaveLength(PAYMENTS)

  const delivered = () => deliveries.list(kit.organizationId, { limit: 99_999 })
  expect(await turnsDuring(delivered)).toBeGreaterThanOrEqual(4)
  expect(new Set((await delivered()).map(({ deliveryId }) => deliveryId)).size).toBe(PAYMENTS)
  expect(await turnsDuring(() => deliveries.resendAll(kit.organizationId, {}))).toBeGreaterThanOrEqual(4)

  const { snapshots } = controlPlane
  expect(await turnsDuring(() => snapshots.take(organization, 'one'))).toBeGreaterThanOrEqual(10)
  const document = JSON.parse(await snapshots.document(kit.organizationId, 'one'))
  expect(document.tables.payments.rows).toHaveLength(PAYMENTS)
  expect(await turnsDuring(() => snapshots.put(organization, 'two', document))).toBeGreaterThanOrEqual(20)
  expect(await snapshots.document(kit.organizationId, 'two')).toBe(await snapshots.document(kit.organizationId, 'one'))
  expect(await turnsDuring(() => snapshots.restore(organization, 'two'))).toBeGreaterThanOrEqual(10)
  expect(await turnsDuring(() => controlPlane.reset(kit.organizationId))).toBeGreaterThanOrEqual(3)
})

test('JSON in slices is the JSON of the whole list', async () => {
  const items = Array.from({ length: 1_001 }, (_, at) => ({ at }))
  for (const length of [0, 1, 200, 201, 1_001])
    expect(await jsonInSlices(items.slice(0, length))).toBe(JSON.stringify(items.slice(0, length)))
})
