import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { SHOP } from '../support/core.ts'
import { startIris } from '../support/payments.ts'
import { until } from '../support/poll.ts'
import { openDesk } from './desk.ts'
import { openReceiver } from './receiver.ts'

const HOUR = 3_600_000
const OFFSETS = [0, 10, 40, 160, 760, 2_560, 6_160, 16_960, 38_560, 81_760] // seconds from the first try

describe('6: what follows where nothing acknowledges', () => {
  test('ten tries in one jump of 24 hours, in order and each at its own time; then it is dropped', async () => {
    const desk = await openDesk()
    const { url, received } = await openReceiver(() => ({ status: 500 }))
    await desk.endpoints.add(SHOP, { url, types: ['PAYMENT_INITIATE'] })
    const start = desk.time.now
    await startIris(desk)
    await desk.control.advance(SHOP, 24 * HOUR)
    const [first] = await desk.allDeliveries()
    expect(first?.attempts.map(({ at }) => (at - start) / 1000)).toEqual(OFFSETS)
    expect(first).toMatchObject({ state: 'dropped', tries: 10 })
    const mine = received.filter(({ json }) => json.notificationId === first?.sending.notificationId)
    expect(mine).toHaveLength(10)
    expect(new Set(mine.map(({ body }) => body.toString())).size).toBe(1)
    await desk.control.drain(SHOP)
    expect((await desk.allDeliveries())[0]?.tries).toBe(10)
  })

  test('by real time no try comes before it is due', async () => {
    const desk = await openDesk()
    const { url, received } = await openReceiver(nth => ({ status: nth === 1 ? 503 : 200 }))
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

  // biome-ignore format: a table reads by its columns
  test.each([
    [429, '3600',  3_600],
    [503, '3600',  3_600],
    [503, '1',     10],
    [500, '3600',  10],
    [503, 'soon',  10],
  ])('%i with Retry-After %s: again after %i s', async (status, value, seconds) => {
    const desk = await openDesk()
    const { url } = await openReceiver(() => ({ status, headers: { 'retry-after': value } }))
    await desk.endpoints.add(SHOP, { url })
    const start = desk.time.now
    await startIris(desk)
    await desk.deliver()
    expect((await desk.allDeliveries())[0]?.dueAt).toBe(start + seconds * 1000)
  })

  test('Retry-After as a date counts from real time, and beyond 24 hours nothing is tried', async () => {
    const desk = await openDesk()
    const wait = { seconds: 7_200 }
    const { url } = await openReceiver(() => {
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
    expect((await desk.allDeliveries())[1]).toMatchObject({ state: 'dropped', tries: 1 })
  })

  test('410 disables the endpoint and drops what waits for it; PATCH takes it up again', async () => {
    const desk = await openDesk()
    const answer = { status: 500 }
    const { url, received } = await openReceiver(() => answer)
    const { endpointId } = await desk.endpoints.add(SHOP, { url })
    await startIris(desk)
    await desk.deliver()
    answer.status = 410
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
    answer.status = 200
    await desk.endpoints.change(SHOP, endpointId, { enabled: true })
    await desk.deliveries.resend(SHOP, first?.deliveryId ?? '')
    await desk.deliver()
    expect((await desk.allDeliveries())[0]).toMatchObject({ state: 'delivered' })
  })

  test.each([301, 302, 307, 308])('a redirect by %i is not followed: a failed try', async status => {
    const desk = await openDesk()
    const other = await openReceiver()
    const { url } = await openReceiver(() => ({ status, headers: { location: other.url } }))
    await desk.endpoints.add(SHOP, { url })
    await startIris(desk)
    await desk.deliver()
    expect(other.received).toEqual([])
    expect((await desk.allDeliveries())[0]).toMatchObject({ state: 'waiting', attempts: [{ answer: { status } }] })
  })

  test('no connection, and a connection that breaks, are failed tries with a reason', async () => {
    const desk = await openDesk()
    const { url, close } = await openReceiver()
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

  test('a receiver that says nothing is given up after the time that is set, and holds up nobody else', async () => {
    const desk = await openDesk()
    const silent = await openReceiver(() => ({ silent: true }))
    const good = await openReceiver()
    await desk.endpoints.add(SHOP, { url: silent.url })
    await desk.endpoints.add(SHOP, { url: good.url })
    const begun = performance.now()
    await startIris(desk)
    expect(performance.now() - begun).toBeLessThan(1_000)
    await until(
      () => good.received.length,
      count => count === 1,
    )
    expect(performance.now() - begun).toBeLessThan(1_900)
    const [first] = await until(desk.allDeliveries, ([one]) => one?.tries === 1)
    expect(first?.attempts[0]?.error).toBe('No answer within 2 s.')
  })
})
