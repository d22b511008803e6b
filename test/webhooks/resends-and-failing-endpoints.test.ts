import { describe, expect, test } from 'vitest'
import { startIris } from '../support/create-test-payments.ts'
import { openWebhookReceiver } from '../support/recording-webhook-receiver.ts'
import { SHOP } from '../support/simulator-core.ts'
import { openWebhookCore } from './simulator-core-with-webhooks.ts'

const HOUR = 3_600_000
const OFFSETS = [0, 10, 40, 160, 760, 2_560, 6_160, 16_960, 38_560, 81_760] // seconds from the first try

/** A sandbox with one delivery, whose receiver answers as `answer` says at that time. */
const openWithOneDelivery = async () => {
  const desk = await openWebhookCore()
  const answer: { status: number; headers?: Record<string, string> } = { status: 500 }
  const { url, received } = await openWebhookReceiver(() => answer)
  const { endpointId } = await desk.endpoints.add(SHOP, { url, types: ['PAYMENT_INITIATE'] })
  const start = desk.time.now
  await startIris(desk)
  await desk.deliver()
  const first = async () => (await desk.allDeliveries())[0]
  const deliveryId = (await first())?.deliveryId ?? ''
  const resend = async () => {
    desk.pass(1)
    await desk.deliveries.resend(SHOP, deliveryId)
    await desk.deliver()
  }
  const failing = async () => (await desk.endpoints.find(SHOP, endpointId)).failing
  return { desk, answer, received, endpointId, start, first, deliveryId, resend, failing }
}

describe('6: a resend by a person', () => {
  test('that fails uses up no automatic attempt: the next is due when it was', async () => {
    const { desk, start, first, resend } = await openWithOneDelivery()
    await desk.control.advance(SHOP, 12 * HOUR)
    expect(await first()).toMatchObject({ attemptCount: 9, state: 'waiting' })
    const { dueAt } = (await first()) ?? {}
    await resend()
    expect(await first()).toMatchObject({ attemptCount: 10, state: 'waiting', dueAt })
    await resend()
    expect(await first()).toMatchObject({ attemptCount: 11, state: 'waiting', dueAt })
    await desk.control.advance(SHOP, 24 * HOUR)
    expect(await first()).toMatchObject({ attemptCount: 12, state: 'dropped' })
    const automatic = (await first())?.attempts.filter(({ isExtra }) => !isExtra)
    expect(automatic?.map(({ at }) => (at - start) / 1000)).toEqual(OFFSETS)
  })

  test('however often it is repeated, leaves the automatic attempts as they were, and few records of its own', async () => {
    const { desk, start, first, resend } = await openWithOneDelivery()
    await desk.control.advance(SHOP, HOUR)
    const { dueAt } = (await first()) ?? {}
    for (let count = 0; count < 40; count += 1) await resend()
    expect(await first()).toMatchObject({ attemptCount: 46, state: 'waiting', dueAt })
    expect((await first())?.attempts).toHaveLength(26)
    await desk.control.advance(SHOP, 24 * HOUR)
    expect(await first()).toMatchObject({ attemptCount: 50, state: 'dropped' })
    const automatic = (await first())?.attempts.filter(({ isExtra }) => !isExtra)
    expect(automatic?.map(({ at }) => (at - start) / 1000)).toEqual(OFFSETS)
  })

  test('when the next attempt is due anyway is that attempt', async () => {
    const { desk, start, first, deliveryId } = await openWithOneDelivery()
    desk.pass(15_000)
    await desk.deliveries.resend(SHOP, deliveryId)
    await desk.deliver()
    expect(await first()).toMatchObject({ attemptCount: 2, state: 'waiting', dueAt: start + 45_000 })
  })

  test('of a delivery that was given up is one try more', async () => {
    const { desk, first, resend } = await openWithOneDelivery()
    await desk.control.advance(SHOP, 24 * HOUR)
    await resend()
    expect(await first()).toMatchObject({ attemptCount: 11, state: 'dropped' })
    expect((await first())?.dueAt).toBeUndefined()
  })

  test('obeys a Retry-After that is longer than the rest of the wait', async () => {
    const { desk, answer, first, resend } = await openWithOneDelivery()
    Object.assign(answer, { status: 503, headers: { 'retry-after': '3600' } })
    await resend()
    expect(await first()).toMatchObject({ state: 'waiting', dueAt: desk.time.now + HOUR })
  })

  test('during an attempt is made after it', async () => {
    const desk = await openWebhookCore()
    const { url, received } = await openWebhookReceiver(async nth => {
      const [delivery] = await desk.allDeliveries()
      desk.pass(1)
      if (nth === 1) await desk.deliveries.resend(SHOP, delivery?.deliveryId ?? '')
      return { status: 500 }
    })
    await desk.endpoints.add(SHOP, { url, types: ['PAYMENT_INITIATE'] })
    await startIris(desk)
    await desk.deliver()
    await desk.deliver()
    expect(received).toHaveLength(2)
  })
})

describe('6: what came of a bulk resend', () => {
  test('is counted whatever the number, apart from other deliveries', async () => {
    const { desk, answer, endpointId, deliveryId } = await openWithOneDelivery()
    for (let count = 0; count < 1_099; count += 1) await desk.endpoints.ping(SHOP, endpointId)
    await desk.deliver()
    const failing = { state: 'waiting', isTried: true } as const
    desk.pass(1)
    const { resent, skipped, at } = await desk.deliveries.resendAll(SHOP, failing)
    expect([resent, skipped]).toEqual([1_100, 0])
    const { failing: tried, open } = await desk.deliveries.outcomeOfResend(SHOP, at) // the scheduler runs meanwhile
    expect(tried + open).toBe(1_100)
    await desk.deliver()
    expect(await desk.deliveries.outcomeOfResend(SHOP, at)).toEqual({ delivered: 0, failing: 1_100, open: 0 })
    answer.status = 200
    desk.pass(1)
    const again = await desk.deliveries.resendAll(SHOP, failing)
    await desk.endpoints.ping(SHOP, endpointId)
    await desk.deliver()
    expect(await desk.deliveries.outcomeOfResend(SHOP, again.at)).toEqual({ delivered: 1_100, failing: 0, open: 0 })
    desk.pass(1)
    await desk.deliveries.resend(SHOP, deliveryId)
    expect(await desk.deliveries.outcomeOfResend(SHOP, again.at)).toEqual({ delivered: 1_099, failing: 0, open: 0 })
  }, 240_000) // 3,300 attempts, each saved
})

describe('6: an endpoint fails', () => {
  test('from a failed attempt on, also when its deliveries are given up, until it takes one', async () => {
    const { desk, answer, endpointId, deliveryId, failing } = await openWithOneDelivery()
    expect(await failing()).toEqual({ deliveryId, at: desk.time.now })
    await desk.control.advance(SHOP, 24 * HOUR)
    expect((await desk.allDeliveries())[0]?.state).toBe('dropped')
    expect((await failing())?.deliveryId).toBe(deliveryId)
    const pinged = await desk.endpoints.ping(SHOP, endpointId)
    await desk.deliver()
    expect((await failing())?.deliveryId).toBe(pinged)
    answer.status = 200
    await desk.endpoints.ping(SHOP, endpointId)
    await desk.deliver()
    expect(await failing()).toBeUndefined()
  })
})
