import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../simulator/store/store.ts'
import { createSignal } from '../../simulator/support/wake-up-signal.ts'
import { createDispatcher } from '../../simulator/webhooks/dispatcher.ts'
import { deliveryRecord, messageRecord } from '../store/webhooks-contract.ts'
import { startIris } from '../support/create-test-payments.ts'
import { pollUntil } from '../support/poll-until.ts'
import { openWebhookReceiver } from '../support/recording-webhook-receiver.ts'
import { SHOP } from '../support/simulator-core.ts'
import { openWebhookCore, type WebhookCore } from './simulator-core-with-webhooks.ts'

const HOUR = 3_600_000
const OFFSETS = [0, 10, 40, 160, 760, 2_560, 6_160, 16_960, 38_560, 81_760] // seconds from the first try

describe('6: retries of deliveries that are not acknowledged', () => {
  test('ten attempts in one advance of 24 hours, each at its due time; then the delivery is dropped', async () => {
    const desk = await openWebhookCore()
    const { url, received } = await openWebhookReceiver(() => ({ status: 500 }))
    await desk.endpoints.add(SHOP, { url, types: ['PAYMENT_INITIATE'] })
    const start = desk.time.now
    await startIris(desk)
    await desk.control.advance(SHOP, 24 * HOUR)
    const [first] = await desk.allDeliveries()
    expect(first?.attempts.map(({ at }) => (at - start) / 1000)).toEqual(OFFSETS)
    expect(first).toMatchObject({ state: 'dropped', attemptCount: 10 })
    const mine = received.filter(({ json }) => json.notificationId === first?.message.notificationId)
    expect(mine).toHaveLength(10)
    expect(new Set(mine.map(({ body }) => body.toString())).size).toBe(1)
    await desk.control.drain(SHOP)
    expect((await desk.allDeliveries())[0]?.attemptCount).toBe(10)
  })

  test('no attempt is made before it is due', async () => {
    const desk = await openWebhookCore()
    const { url, received } = await openWebhookReceiver(nth => ({ status: nth === 1 ? 503 : 200 }))
    await desk.endpoints.add(SHOP, { url })
    await startIris(desk)
    await desk.deliver()
    desk.pass(9_999)
    await desk.deliver()
    expect(received).toHaveLength(1)
    desk.pass(1)
    await desk.deliver()
    expect(received).toHaveLength(2)
  })

  test.each([
    ['follows real time', async () => undefined],
    ['was moved before', desk => desk.control.advance(SHOP, HOUR)],
    ['runs faster', desk => desk.control.scale(SHOP, 2)],
  ] as [string, (desk: WebhookCore) => Promise<unknown>][])(
    'after a stop of hours one attempt is made, and the schedule goes on from it, with a clock that %s',
    async (_, setClock) => {
      const desk = await openWebhookCore()
      await setClock(desk)
      const now = () => desk.clock.now(SHOP)
      const rate = desk.clock.setting(SHOP).rate
      const { url } = await openWebhookReceiver(() => ({ status: 500 }))
      await desk.endpoints.add(SHOP, { url, types: ['PAYMENT_INITIATE'] })
      desk.pass(1_000)
      await startIris(desk)
      for (const seconds of [0, 10, 30, 120]) {
        desk.pass((seconds * 1_000) / rate)
        await desk.deliver()
      }
      desk.pass((8 * HOUR) / rate)
      await desk.deliver()
      const [delivery] = await desk.allDeliveries()
      expect(delivery?.attempts).toHaveLength(5)
      expect(delivery?.attempts.at(-1)?.at).toBe(now())
      expect(delivery).toMatchObject({ state: 'waiting', dueAt: now() + HOUR / 2 })
      expect((await desk.endpoints.list(SHOP))[0]?.failing?.at).toBe(now())
    },
  )

  test('after a stop of more than 24 hours a last attempt is made', async () => {
    const desk = await openWebhookCore()
    const { url, received } = await openWebhookReceiver(() => ({ status: 500 }))
    await desk.endpoints.add(SHOP, { url, types: ['PAYMENT_INITIATE'] })
    await startIris(desk)
    await desk.deliver()
    desk.pass(25 * HOUR)
    await desk.deliver()
    expect(received).toHaveLength(2)
    expect((await desk.allDeliveries())[0]).toMatchObject({ state: 'dropped', attempts: [{}, { at: desk.time.now }] })
  })

  test('the 24 hours begin with the first attempt, also where a stop has delayed that for longer', async () => {
    const desk = await openWebhookCore()
    const { url } = await openWebhookReceiver(() => ({ status: 500 }))
    await desk.endpoints.add(SHOP, { url, types: ['PAYMENT_INITIATE'] })
    await startIris(desk)
    desk.pass(25 * HOUR)
    await desk.deliver()
    expect((await desk.allDeliveries())[0]).toMatchObject({ state: 'waiting', dueAt: desk.time.now + 10_000 })
    await desk.control.advance(SHOP, 24 * HOUR)
    expect((await desk.allDeliveries())[0]).toMatchObject({ state: 'dropped', attemptCount: 10 })
  })

  /** Opens a desk with a due delivery of another organization, and a dispatcher whose saves of attempts go through `save`. */
  const openWithOwnSave = async (
    save: (...made: Parameters<Store['saveAttempt']>) => ReturnType<Store['saveAttempt']>,
  ) => {
    const desk = await openWebhookCore()
    const endpoint = await desk.endpoints.add('other', { url: 'https://shop.example/hooks' })
    await desk.store.addMessage('other', messageRecord('m', 1))
    await desk.store.addDeliveries('other', [deliveryRecord('d', 'm', 1, endpoint.endpointId)])
    const [sent, errors] = [[] as string[], [] as unknown[]]
    const dispatcher = createDispatcher({
      store: { ...desk.store, saveAttempt: save },
      clock: desk.clock,
      newsSignal: createSignal(),
      sign: desk.webhooks.sign,
      send: async (_, { 'webhook-id': id = '' }) => {
        sent.push(id)
        return { durationMilliseconds: 1, response: { status: 200, headers: {}, body: '' } }
      },
      observer: { attempt: () => undefined },
      closing: desk.webhooks.closing,
      timeoutMilliseconds: 2_000,
      onError: error => errors.push(error),
      lookAgain: 1,
    })
    return { desk, endpoint, dispatcher, sent, errors }
  }

  test('what was answered is not sent again because it could not be saved: that alone is tried until it can be', async () => {
    const saves: string[] = []
    const saving = { fails: true }
    const { desk, endpoint, dispatcher, sent, errors } = await openWithOwnSave(async (...made) => {
      saves.push(made[1].delivery.deliveryId)
      if (saves.length === 4) await desk.store.saveAttempt(...made) // committed, but that was not heard
      if (saving.fails) throw new Error('The disk is full.')
      return desk.store.saveAttempt(...made)
    })
    const unresponsive = new Set<string>()
    await dispatcher.runDue('other', desk.time.now, unresponsive)
    expect([...unresponsive]).toEqual([endpoint.endpointId])
    expect(await dispatcher.next('other')).toBeUndefined()
    await expect.poll(() => saves.length).toBe(4)
    saving.fails = false
    await dispatcher.runDue('other', desk.time.now)
    expect(sent).toHaveLength(1)
    expect([saves.length, errors.length]).toEqual([4, 4])
    expect(await desk.store.delivery('other', 'd')).toMatchObject({
      state: 'delivered',
      attemptCount: 1,
      attempts: [{ response: { status: 200 } }],
    })
  })

  test('an attempt that meets a snapshot or reset of its organization is saved soon after, and is no failure', async () => {
    let saves = 0
    const { desk, dispatcher, sent, errors } = await openWithOwnSave(async (...made) => {
      saves += 1
      return saves < 4 ? 'busy' : desk.store.saveAttempt(...made)
    })
    const unresponsive = new Set<string>()
    await dispatcher.runDue('other', desk.time.now, unresponsive)
    expect([saves, sent.length, errors.length, unresponsive.size]).toEqual([4, 1, 0, 0])
    expect(await desk.store.delivery('other', 'd')).toMatchObject({ state: 'delivered', attemptCount: 1 })
  })

  // biome-ignore format: a table reads by its columns
  test.each([
    [429, '3600',  3_600],
    [503, '3600',  3_600],
    [503, '1',     10],
    [500, '3600',  10],
    [503, 'soon',  10],
  ])('after %i with Retry-After %s the next attempt is after %i s', async (status, value, seconds) => {
    const desk = await openWebhookCore()
    const { url } = await openWebhookReceiver(() => ({ status, headers: { 'retry-after': value } }))
    await desk.endpoints.add(SHOP, { url })
    const start = desk.time.now
    await startIris(desk)
    await desk.deliver()
    expect((await desk.allDeliveries())[0]?.dueAt).toBe(start + seconds * 1000)
  })

  test('Retry-After as a date is by real time, and one beyond 24 hours drops the delivery', async () => {
    const desk = await openWebhookCore()
    const wait = { seconds: 7_200 }
    const { url } = await openWebhookReceiver(() => {
      const date = new Date(desk.time.now + wait.seconds * 1000).toUTCString()
      return { status: 503, headers: { 'retry-after': date } }
    })
    await desk.endpoints.add(SHOP, { url })
    await startIris(desk)
    await desk.deliver()
    expect((await desk.allDeliveries())[0]).toMatchObject({ state: 'waiting', dueAt: desk.time.now + 7_200_000 })
    wait.seconds = 25 * 3_600
    await startIris(desk)
    await desk.deliver()
    expect((await desk.allDeliveries())[1]).toMatchObject({ state: 'dropped', attemptCount: 1 })
  })

  test('410 disables the endpoint and drops pending deliveries until it is enabled again', async () => {
    const desk = await openWebhookCore()
    const response = { status: 500 }
    const { url, received } = await openWebhookReceiver(() => response)
    const { endpointId } = await desk.endpoints.add(SHOP, { url })
    await startIris(desk)
    await desk.deliver()
    response.status = 410
    await startIris(desk)
    await desk.deliver()
    expect((await desk.endpoints.find(SHOP, endpointId)).disabled?.reason).toMatch(/410/)
    expect((await desk.allDeliveries()).map(({ state, dueAt }) => [state, dueAt])).toEqual([
      ['dropped', undefined],
      ['dropped', undefined],
    ])
    await startIris(desk)
    await desk.control.advance(SHOP, HOUR)
    expect(received).toHaveLength(2)
    const [first] = await desk.allDeliveries()
    await expect(desk.deliveries.resend(SHOP, first?.deliveryId ?? '')).rejects.toThrow(/disabled/)
    response.status = 200
    await desk.endpoints.change(SHOP, endpointId, { enabled: true })
    await desk.deliveries.resend(SHOP, first?.deliveryId ?? '')
    await desk.deliver()
    expect((await desk.allDeliveries())[0]).toMatchObject({ state: 'delivered' })
  })

  test('410 of an address that the endpoint no longer has leaves it enabled', async () => {
    const desk = await openWebhookCore()
    const next = await openWebhookReceiver()
    const { url } = await openWebhookReceiver(async () => {
      await desk.endpoints.change(SHOP, endpointId, { url: next.url })
      return { status: 410 }
    })
    const { endpointId } = await desk.endpoints.add(SHOP, { url, types: ['PAYMENT_INITIATE'] })
    await startIris(desk)
    await desk.deliver()
    expect(await desk.endpoints.find(SHOP, endpointId)).toEqual(
      expect.not.objectContaining({ disabled: expect.anything(), failing: expect.anything() }),
    )
    await desk.control.advance(SHOP, HOUR)
    expect(next.received).toHaveLength(1)
  })

  test('all failing deliveries are sent again at once, but not to a disabled endpoint', async () => {
    const desk = await openWebhookCore()
    const response = { status: 500 }
    const { url } = await openWebhookReceiver(() => response)
    const { endpointId } = await desk.endpoints.add(SHOP, { url })
    for (let count = 0; count < 101; count += 1) await desk.endpoints.ping(SHOP, endpointId)
    await desk.deliver()
    const failing = { state: 'waiting', isTried: true } as const
    expect(await desk.deliveries.resendAll(SHOP, { state: 'waiting', isTried: false })).toMatchObject({
      resent: 0,
      skipped: 0,
    })
    response.status = 200
    expect(await desk.deliveries.resendAll(SHOP, failing)).toMatchObject({ resent: 101, skipped: 0 })
    await desk.deliver()
    expect(await desk.deliveries.count(SHOP)).toEqual([{ endpointId, state: 'delivered', isTried: true, count: 101 }])
    await desk.endpoints.change(SHOP, endpointId, { enabled: false })
    expect(await desk.deliveries.resendAll(SHOP, { state: 'delivered' })).toMatchObject({ resent: 0, skipped: 101 })
  })

  test.each([301, 302, 307, 308])('a redirect by %i is not followed and fails the attempt', async status => {
    const desk = await openWebhookCore()
    const other = await openWebhookReceiver()
    const { url } = await openWebhookReceiver(() => ({ status, headers: { location: other.url } }))
    await desk.endpoints.add(SHOP, { url })
    await startIris(desk)
    await desk.deliver()
    expect(other.received).toEqual([])
    expect((await desk.allDeliveries())[0]).toMatchObject({ state: 'waiting', attempts: [{ response: { status } }] })
  })

  test('a refused and a reset connection are failed attempts with a reason', async () => {
    const desk = await openWebhookCore()
    const { url, close } = await openWebhookReceiver()
    await close()
    const rude = createServer(socket => socket.destroy())
    await new Promise<void>(resolve => rude.listen(0, '127.0.0.1', resolve))
    await desk.endpoints.add(SHOP, { url })
    await desk.endpoints.add(SHOP, { url: `http://127.0.0.1:${(rude.address() as { port: number }).port}/` })
    await startIris(desk)
    await desk.deliver()
    rude.close()
    const errors = (await desk.allDeliveries()).map(({ attempts }) => attempts[0]?.error)
    expect(errors).toEqual([expect.stringContaining('ECONNREFUSED'), expect.stringContaining('ECONNRESET')])
  })

  test('a silent receiver times out and does not delay other endpoints', async () => {
    const desk = await openWebhookCore()
    const silent = await openWebhookReceiver(() => ({ silent: true }))
    const good = await openWebhookReceiver()
    await desk.endpoints.add(SHOP, { url: silent.url })
    await desk.endpoints.add(SHOP, { url: good.url })
    await startIris(desk)
    const made = await pollUntil(
      desk.allDeliveries,
      all => all.length === 2 && all.every(({ attemptCount }) => attemptCount === 1),
    )
    const [first, second] = made.map(({ attempts: [attempt] }) => attempt)
    expect(first?.error).toBe('No response within 2 s.')
    expect(second?.response?.status).toBe(200)
    expect((second?.real ?? Number.NaN) - (first?.real ?? Number.NaN)).toBeLessThan(first?.durationMilliseconds ?? 0)
  })
})
