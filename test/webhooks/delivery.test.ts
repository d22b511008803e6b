import { describe, expect, test } from 'vitest'
import { coreIn, SHOP } from '../support/core.ts'
import { irisRequest, paymentIn, startIris } from '../support/payments.ts'
import { until } from '../support/poll.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { deskOf, openDesk } from './desk.ts'
import { openReceiver } from './receiver.ts'

const HOUR = 3_600_000

describe('6: deliveries to an endpoint', () => {
  test.each([200, 201, 204, 299])('%i acknowledges: one try and no more', async status => {
    const desk = await openDesk()
    const { url, received } = await openReceiver(() => ({ status }))
    await desk.endpoints.add(SHOP, { url })
    const id = await startIris(desk)
    await desk.deliver()
    await desk.control.drain(SHOP)
    expect(received[0]?.json).toMatchObject({ notificationType: 'PAYMENT_INITIATE', transactionId: id })
    const [first] = await desk.allDeliveries()
    expect(first).toMatchObject({ state: 'delivered', tries: 1, attempts: [{ answer: { status } }] })
    expect(first?.dueAt).toBeUndefined()
    expect(received.filter(({ json }) => json.notificationId === first?.sending.notificationId)).toHaveLength(1)
  })

  test('of a long answer only the beginning is kept', async () => {
    const desk = await openDesk()
    const { url } = await openReceiver(() => ({ body: 'ä'.repeat(100_000) }))
    await desk.endpoints.add(SHOP, { url })
    await startIris(desk)
    await desk.deliver()
    const [first] = await desk.allDeliveries()
    expect(first?.state).toBe('delivered')
    expect(Buffer.byteLength(first?.attempts[0]?.answer?.body ?? '')).toBeLessThanOrEqual(16_384)
  })

  test('in the order in which things happened, to one endpoint', async () => {
    const desk = await openDesk()
    const { url, received } = await openReceiver(async nth => {
      await new Promise(resolve => setTimeout(resolve, nth % 2 ? 20 : 0))
      return {}
    })
    await desk.endpoints.add(SHOP, { url })
    await paymentIn(desk, 'REFUNDED')
    await desk.deliver()
    expect(received.map(({ json }) => json.notificationId)).toEqual((await desk.told()).map(({ id }) => id))
  })

  test('once, however many look at the same moment what is due', async () => {
    const desk = await openDesk()
    const { url, received } = await openReceiver()
    await desk.endpoints.add(SHOP, { url })
    await startIris(desk)
    await Promise.all([desk.deliver(), desk.deliver(), desk.control.advance(SHOP, 1_000), desk.control.drain(SHOP)])
    const ids = received.map(({ json }) => json.notificationId)
    expect(ids).toHaveLength(new Set(ids).size)
    expect(ids).toEqual((await desk.told()).map(({ id }) => id))
  })

  test('each is counted, also those that are over while a slower endpoint is waited for', async () => {
    const desk = await openDesk()
    const quick = await openReceiver()
    const slow = await openReceiver(async () => {
      await until(desk.allDeliveries, all => all.some(({ state }) => state === 'delivered'))
      return {}
    })
    for (const { url } of [slow, quick]) await desk.endpoints.add(SHOP, { url })
    await startIris(desk)
    expect(await desk.deliver()).toBe(2)
  })

  test('only the types that an endpoint is subscribed to', async () => {
    const desk = await openDesk()
    const { url, received } = await openReceiver()
    await desk.endpoints.add(SHOP, { url, types: ['PAYMENT_CAPTURE', 'PAYMENT_REFUND'] })
    await paymentIn(desk, 'REFUNDED')
    await desk.deliver()
    expect(received.map(({ json }) => json.notificationType)).toEqual([
      'PAYMENT_CAPTURE',
      'PAYMENT_CAPTURE',
      'PAYMENT_REFUND',
    ])
  })

  test('resend sends the same once more, replay what happened since and is of its types', async () => {
    const desk = await openDesk()
    const { url, received } = await openReceiver()
    const { endpointId } = await desk.endpoints.add(SHOP, { url, types: ['PAYMENT_INITIATE'] })
    await startIris(desk)
    desk.pass(60_000)
    const since = desk.time.now
    await paymentIn(desk, 'AUTHORIZED')
    await desk.deliver()
    const [first] = await desk.allDeliveries()
    await desk.deliveries.resend(SHOP, first?.deliveryId ?? '')
    await desk.deliver()
    expect(received.map(({ headers }) => headers['webhook-id']).at(-1)).toBe(first?.sending.notificationId)
    const before = received.length
    expect(await desk.endpoints.replay(SHOP, endpointId, since)).toBe(2)
    await desk.deliver()
    expect(received.slice(before).map(({ body }) => body.toString())).toEqual(
      received.slice(1, 3).map(({ body }) => body.toString()),
    )
  })

  test('a test of an endpoint arrives there and in no inbox', async () => {
    const desk = await openDesk()
    const { url, received } = await openReceiver()
    const { endpointId } = await desk.endpoints.add(SHOP, { url, types: ['PAYMENT_REFUND'] })
    const deliveryId = await desk.endpoints.ping(SHOP, endpointId)
    await desk.deliver()
    expect(received[0]?.json).toMatchObject({ notificationType: 'PING' })
    expect((await desk.deliveries.find(SHOP, deliveryId)).state).toBe('delivered')
    expect(await desk.told()).toEqual([])
  })

  test('a deleted endpoint is not called again', async () => {
    const desk = await openDesk()
    const { url, received } = await openReceiver(() => ({ status: 500 }))
    const { endpointId } = await desk.endpoints.add(SHOP, { url })
    await startIris(desk)
    await desk.deliver()
    await desk.endpoints.remove(SHOP, endpointId)
    await desk.control.advance(SHOP, 24 * HOUR)
    expect(received).toHaveLength(1)
    expect((await desk.allDeliveries()).map(({ state }) => state)).toEqual(['dropped'])
  })

  test('two organizations never meet', async () => {
    const desk = await openDesk()
    const { url, received } = await openReceiver()
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
  test('what was under way or waiting when all ended is delivered after the next start', async () => {
    const folder = temporaryFolder()
    const first = deskOf(await coreIn(folder))
    const slow = await openReceiver(() => ({ silent: true }))
    const busy = await openReceiver(() => ({ status: 500 }))
    await first.endpoints.add(SHOP, { url: slow.url })
    await first.endpoints.add(SHOP, { url: busy.url })
    await startIris(first)
    await until(
      () => slow.received.length + busy.received.length,
      count => count === 2,
    )
    await until(first.allDeliveries, all => all.some(({ tries }) => tries === 1))
    const begun = performance.now()
    await first.close()
    expect(performance.now() - begun).toBeLessThan(1_000)
    const again = deskOf(await coreIn(folder))
    expect((await again.allDeliveries()).map(({ tries, state }) => [tries, state])).toEqual([
      [0, 'waiting'],
      [1, 'waiting'],
    ])
    const runs = again.deliver()
    await until(
      () => slow.received.length,
      count => count === 2,
    )
    await slow.close()
    await runs
    expect(slow.received[1]?.body.toString()).toBe(slow.received[0]?.body.toString())
    await again.close()
  })
})
