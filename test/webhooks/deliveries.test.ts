import { describe, expect, test } from 'vitest'
import { createEndpointRegistry } from '../../simulator/webhooks/endpoint-registry.ts'
import { createDelivery } from '../../simulator/webhooks/outbox.ts'
import { writeInUnit } from '../store/run-unit-of-work.ts'
import { messageRecord } from '../store/webhooks-contract.ts'
import { createPaymentIn, startIris } from '../support/create-test-payments.ts'
import { irisRequest } from '../support/payment-requests.ts'
import { pollUntil } from '../support/poll-until.ts'
import { openWebhookReceiver } from '../support/recording-webhook-receiver.ts'
import { openCoreIn, SHOP } from '../support/simulator-core.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openWebhookCore, withWebhookParts } from './simulator-core-with-webhooks.ts'

const HOUR = 3_600_000

describe('6: deliveries to an endpoint', () => {
  test.each([200, 201, 204, 299])('a response %i acknowledges: one attempt only', async status => {
    const desk = await openWebhookCore()
    const { url, received } = await openWebhookReceiver(() => ({ status }))
    await desk.endpoints.add(SHOP, { url })
    const id = await startIris(desk)
    await desk.deliver()
    await desk.control.drain(SHOP)
    expect(received[0]?.json).toMatchObject({ notificationType: 'PAYMENT_INITIATE', transactionId: id })
    const [first] = await desk.allDeliveries()
    expect(first).toMatchObject({ state: 'delivered', attemptCount: 1, attempts: [{ response: { status } }] })
    expect(first?.dueAt).toBeUndefined()
    expect(received.filter(({ json }) => json.notificationId === first?.message.notificationId)).toHaveLength(1)
  })

  test('a long response body is truncated', async () => {
    const desk = await openWebhookCore()
    const { url } = await openWebhookReceiver(() => ({ body: 'ä'.repeat(100_000) }))
    await desk.endpoints.add(SHOP, { url })
    await startIris(desk)
    await desk.deliver()
    const [first] = await desk.allDeliveries()
    expect(first?.state).toBe('delivered')
    expect(Buffer.byteLength(first?.attempts[0]?.response?.body ?? '')).toBeLessThanOrEqual(16_384)
  })

  test('deliveries to one endpoint are made in order', async () => {
    const desk = await openWebhookCore()
    const { url, received } = await openWebhookReceiver(async nth => {
      await new Promise(resolve => setTimeout(resolve, nth % 2 ? 20 : 0))
      return {}
    })
    await desk.endpoints.add(SHOP, { url })
    await createPaymentIn(desk, 'REFUNDED')
    await desk.deliver()
    expect(received.map(({ json }) => json.notificationId)).toEqual((await desk.told()).map(({ id }) => id))
  })

  test('concurrent dispatches deliver each notification once', async () => {
    const desk = await openWebhookCore()
    const { url, received } = await openWebhookReceiver()
    await desk.endpoints.add(SHOP, { url })
    await startIris(desk)
    await Promise.all([desk.deliver(), desk.deliver(), desk.control.advance(SHOP, 1_000), desk.control.drain(SHOP)])
    const ids = received.map(({ json }) => json.notificationId)
    expect(ids).toHaveLength(new Set(ids).size)
    expect(ids).toEqual((await desk.told()).map(({ id }) => id))
  })

  test('a dispatch counts deliveries of all endpoints, fast and slow', async () => {
    const desk = await openWebhookCore()
    const quick = await openWebhookReceiver()
    const slow = await openWebhookReceiver(async () => {
      await pollUntil(desk.allDeliveries, all => all.some(({ state }) => state === 'delivered'))
      return {}
    })
    for (const { url } of [slow, quick]) await desk.endpoints.add(SHOP, { url })
    await startIris(desk)
    expect(await desk.deliver()).toBe(2)
  })

  test('an endpoint gets only the types it is subscribed to', async () => {
    const desk = await openWebhookCore()
    const { url, received } = await openWebhookReceiver()
    await desk.endpoints.add(SHOP, { url, types: ['PAYMENT_CAPTURE', 'PAYMENT_REFUND'] })
    await createPaymentIn(desk, 'REFUNDED')
    await desk.deliver()
    expect(received.map(({ json }) => json.notificationType)).toEqual(['PAYMENT_CAPTURE', 'PAYMENT_REFUND'])
  })

  test('resend repeats one delivery, replay all since an instant of the endpoint’s types', async () => {
    const desk = await openWebhookCore()
    const { url, received } = await openWebhookReceiver()
    const { endpointId } = await desk.endpoints.add(SHOP, { url, types: ['PAYMENT_FINALIZE'] })
    await desk.decide(await startIris(desk), 'approve')
    desk.pass(60_000)
    const since = desk.time.now
    await createPaymentIn(desk, 'AUTHORIZED')
    await desk.deliver()
    const [first] = await desk.allDeliveries()
    await desk.deliveries.resend(SHOP, first?.deliveryId ?? '')
    await desk.deliver()
    expect(received.map(({ headers }) => headers['webhook-id']).at(-1)).toBe(first?.message.notificationId)
    const before = received.length
    expect(await desk.endpoints.replay(SHOP, endpointId, since)).toBe(2)
    await desk.deliver()
    expect(received.slice(before).map(({ body }) => body.toString())).toEqual(
      received.slice(1, 3).map(({ body }) => body.toString()),
    )
  })

  test('a replay of more than 1000 notifications is refused, with the cure', async () => {
    const desk = await openWebhookCore()
    const endpoints = createEndpointRegistry({ ...desk, jobs: { ...desk.jobs, scheduled: () => undefined } })
    const { endpointId } = await endpoints.add(SHOP, { url: 'https://shop.example/' })
    const message = { ...messageRecord('', desk.time.now), variation: {} }
    const messages = Array.from({ length: 1000 }, (_, nth) => ({ ...message, messageId: `m${nth}` }))
    await writeInUnit(desk.store, { outbox: { messages, deliveries: [], spentPlans: [] } }, SHOP)
    expect(await endpoints.replay(SHOP, endpointId, desk.time.now)).toBe(1000)
    const more = [{ ...message, messageId: 'one-more' }]
    await writeInUnit(desk.store, { outbox: { messages: more, deliveries: [], spentPlans: [] } }, SHOP)
    const replayed = endpoints.replay(SHOP, endpointId, desk.time.now)
    await expect(replayed).rejects.toThrow(/^There are more than 1000 notifications since then: give a later time/)
    expect(await desk.store.countDeliveries(SHOP)).toMatchObject([{ count: 1000 }])
  })

  test('a test notification is delivered to its endpoint and not in the inbox', async () => {
    const desk = await openWebhookCore()
    const { url, received } = await openWebhookReceiver()
    const { endpointId } = await desk.endpoints.add(SHOP, { url, types: ['PAYMENT_REFUND'] })
    const deliveryId = await desk.endpoints.ping(SHOP, endpointId)
    await desk.deliver()
    expect(received[0]?.json).toMatchObject({ notificationType: 'PING' })
    expect((await desk.deliveries.find(SHOP, deliveryId)).state).toBe('delivered')
    expect(await desk.told()).toEqual([])
  })

  test('a disabled endpoint takes neither a replay nor a test nor what was begun before', async () => {
    const desk = await openWebhookCore()
    const { url, received } = await openWebhookReceiver()
    const { endpointId } = await desk.endpoints.add(SHOP, { url })
    await desk.endpoints.change(SHOP, endpointId, { enabled: false })
    await startIris(desk)
    const refused = 'Its endpoint is disabled or deleted: enable it with PATCH …/webhooks/ID.'
    await expect(desk.endpoints.replay(SHOP, endpointId, 0)).rejects.toThrow(refused)
    await expect(desk.endpoints.ping(SHOP, endpointId)).rejects.toThrow(refused)
    const [message] = await desk.store.messages(SHOP, 0, desk.time.now, 1)
    const begun = createDelivery(message?.messageId ?? '', endpointId, desk.time.now, desk.ids)
    await desk.store.addDeliveries(SHOP, [begun])
    await desk.deliver()
    expect(received).toEqual([])
    expect((await desk.allDeliveries()).map(({ state }) => state)).toEqual(['dropped'])
  })

  test('a deleted endpoint is not called again', async () => {
    const desk = await openWebhookCore()
    const { url, received } = await openWebhookReceiver(() => ({ status: 500 }))
    const { endpointId } = await desk.endpoints.add(SHOP, { url })
    await startIris(desk)
    await desk.deliver()
    await desk.endpoints.remove(SHOP, endpointId)
    await desk.control.advance(SHOP, 24 * HOUR)
    expect(received).toHaveLength(1)
    expect((await desk.allDeliveries()).map(({ state }) => state)).toEqual(['dropped'])
  })

  test('organizations cannot see each other’s endpoints and deliveries', async () => {
    const desk = await openWebhookCore()
    const { url, received } = await openWebhookReceiver()
    const { endpointId } = await desk.endpoints.add(SHOP, { url })
    const theirs = { ...irisRequest(), processingAccountId: 'other-account-1' }
    await desk.call('initiate', theirs, { organizationId: 'other' })
    await desk.deliver()
    await desk.deliver('other')
    expect(received).toEqual([])
    expect(await desk.told()).toEqual([])
    expect(await desk.told('other')).toHaveLength(1)
    await startIris(desk)
    await desk.deliver()
    const [mine] = await desk.allDeliveries()
    await expect(desk.deliveries.find('other', mine?.deliveryId ?? '')).rejects.toThrow(/no delivery/)
    await expect(desk.endpoints.find('other', endpointId)).rejects.toThrow(/no webhook endpoint/)
    await expect(desk.endpoints.remove('other', endpointId)).rejects.toThrow(/no webhook endpoint/)
    await expect(desk.endpoints.replay('other', endpointId, 0)).rejects.toThrow(/no webhook endpoint/)
    expect(await desk.deliveries.list('other', { limit: 10 })).toEqual([])
  })
})

describe('6: at least once', () => {
  test('deliveries in progress or pending at a stop are made after the next start', async () => {
    const folder = temporaryFolder()
    const first = withWebhookParts(await openCoreIn(folder))
    const slow = await openWebhookReceiver(() => ({ silent: true }))
    const busy = await openWebhookReceiver(() => ({ status: 500 }))
    await first.endpoints.add(SHOP, { url: slow.url })
    await first.endpoints.add(SHOP, { url: busy.url })
    await startIris(first)
    await pollUntil(
      () => slow.received.length + busy.received.length,
      count => count === 2,
    )
    await pollUntil(first.allDeliveries, all => all.some(({ attemptCount }) => attemptCount === 1))
    await first.close()
    const again = withWebhookParts(await openCoreIn(folder))
    expect((await again.allDeliveries()).map(({ attemptCount, state }) => [attemptCount, state])).toEqual([
      [0, 'waiting'],
      [1, 'waiting'],
    ])
    const runs = again.deliver()
    await pollUntil(
      () => slow.received.length,
      count => count === 2,
    )
    await slow.close()
    await runs
    expect(slow.received[1]?.body.toString()).toBe(slow.received[0]?.body.toString())
    await again.close()
  })
})
