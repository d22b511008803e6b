import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSnapshotRegistry } from '../../simulator/organizations/snapshot-registry.ts'
import { DAY, HOUR, SECOND } from '../../simulator/support/duration.ts'
import type { SendResult } from '../../simulator/webhooks/send-webhook.ts'
import { startIris } from '../support/create-test-payments.ts'
import { pollUntil } from '../support/poll-until.ts'
import { SHOP } from '../support/simulator-core.ts'
import { openWebhookCore } from './simulator-core-with-webhooks.ts'

const DEAD = 'http://dead.example/'
const ALIVE = 'http://alive.example/'
const TIMED_OUT: SendResult = { durationMilliseconds: 10, error: 'No response within 10 s.', isTimeout: true }
const ACCEPTED: SendResult = { durationMilliseconds: 1, response: { status: 204, headers: {}, body: '' } }

/**
 * Opens a core with three payments whose webhooks time out once each. After that the receiver lets one more attempt time
 * out, and leaves every later one open until it `recovers`; another receiver accepts all.
 */
const withDeadReceiver = async () => {
  const recovered = Promise.withResolvers<void>()
  const dead = { timeouts: Number.POSITIVE_INFINITY }
  const desk = await openWebhookCore({}, async url => {
    if (url === ALIVE) return ACCEPTED
    dead.timeouts -= 1
    if (dead.timeouts >= 0) return TIMED_OUT
    await recovered.promise
    return ACCEPTED
  })
  onTestFinished(() => recovered.resolve())
  const { endpointId } = await desk.endpoints.add(SHOP, { url: DEAD, types: ['PAYMENT_INITIATE'] })
  for (let payment = 0; payment < 3; payment += 1) await startIris(desk)
  await desk.deliver()
  dead.timeouts = 1
  return { ...desk, endpointId, recover: recovered.resolve }
}

/** What became of the deliveries to an endpoint: their states, and how long after the first attempt each one was made. */
const outcomes = async (desk: Awaited<ReturnType<typeof withDeadReceiver>>) =>
  (await desk.allDeliveries())
    .filter(({ endpointId }) => endpointId === desk.endpointId)
    .map(({ state, attempts, firstDueAt }) => [state, ...attempts.map(({ at }) => (at - firstDueAt) / SECOND)])

/** Waits until all deliveries but the one that timed out again are delivered, as of the instants when they were due. */
const untilOthersAreDelivered = (desk: Awaited<ReturnType<typeof withDeadReceiver>>) =>
  pollUntil(
    () => outcomes(desk),
    ([, ...others]) => others.every(outcome => isDeepStrictEqual(outcome, ['delivered', 0, 10])),
  )

const MOVES = {
  advance: ({ control }) => control.advance(SHOP, DAY),
  next: ({ control }) => control.advanceToNext(SHOP),
  to: ({ control, time }) => control.goTo(SHOP, time.now + DAY),
  drain: ({ control }) => control.drain(SHOP),
} satisfies Record<string, (desk: Awaited<ReturnType<typeof withDeadReceiver>>) => Promise<object>>

describe('6: a receiver that does not respond', () => {
  test.each(Object.entries(MOVES))('holds up the clock for one attempt only: %s', async (_, move) => {
    const desk = await withDeadReceiver()
    expect(await move(desk)).toMatchObject({ unresponsive: [desk.endpointId] })
    expect((await outcomes(desk)).map(([state]) => state)).toEqual(['waiting', 'waiting', 'waiting'])
    desk.recover()
    await untilOthersAreDelivered(desk)
  })

  test('does not hold up deliveries to another one, which the clock waits for', async () => {
    const desk = await withDeadReceiver()
    const { endpointId } = await desk.endpoints.add(SHOP, { url: ALIVE })
    await startIris(desk)
    await desk.control.advance(SHOP, DAY)
    const alive = (await desk.allDeliveries()).filter(delivery => delivery.endpointId === endpointId)
    expect(alive.map(({ state }) => state)).toEqual(alive.map(() => 'delivered'))
    expect(alive.length).toBeGreaterThan(1)
  })

  test('is waited for again by the next move', async () => {
    const desk = await withDeadReceiver()
    await desk.control.advance(SHOP, 10 * SECOND)
    desk.recover()
    await untilOthersAreDelivered(desk)
    const moved = await desk.control.advance(SHOP, 30 * SECOND)
    expect(moved).not.toHaveProperty('unresponsive')
    expect((await outcomes(desk)).map(([state]) => state)).toEqual(['delivered', 'delivered', 'delivered'])
  })

  test('does not keep a response from waiting for the webhook to another one', async () => {
    const desk = await withDeadReceiver()
    const { endpointId } = await desk.endpoints.add(SHOP, { url: ALIVE })
    await desk.plans.arm(SHOP, { do: 'before-response' })
    desk.pass(10 * SECOND)
    const transactionId = await startIris(desk)
    const deliveries = await desk.deliveries.list(SHOP, { transactionId, endpointId, limit: 10 })
    expect(deliveries.map(({ state }) => state)).toEqual(['delivered'])
  })

  test('is looked at once when it responds at last, however many webhooks were added meanwhile', async () => {
    const desk = await withDeadReceiver()
    desk.pass(10 * SECOND)
    for (let payment = 0; payment < 30; payment += 1) {
      await startIris(desk)
      await setTimeout(1) // the scheduler looks for the webhook of each
    }
    const looks = vi.spyOn(desk.store, 'dueDelivery')
    desk.recover()
    await pollUntil(
      () => outcomes(desk),
      all => all.slice(3).every(([state]) => state === 'delivered'),
    )
    await desk.webhooks.dispatcher.settled()
    expect(looks.mock.calls.length).toBeLessThan(10)
  })

  test('holds up a response that waits for its webhook for one attempt only', async () => {
    const desk = await withDeadReceiver()
    await desk.plans.arm(SHOP, { do: 'before-response' })
    desk.pass(10 * SECOND)
    const transactionId = await startIris(desk)
    const deliveries = await desk.deliveries.list(SHOP, { transactionId, limit: 10 })
    expect(deliveries.map(({ state, attemptCount }) => [state, attemptCount])).toEqual([['waiting', 0]])
  })
})

/**
 * Opens a core with a snapshot in which a webhook is due in two hours; its receiver leaves the nth attempt open until it
 * `recovers`.
 */
const withDelayedWebhook = async (nth: number) => {
  const [called, recovered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let calls = 0
  const desk = await openWebhookCore({}, async () => {
    calls += 1
    if (calls !== nth) return ACCEPTED
    called.resolve()
    await recovered.promise
    return ACCEPTED
  })
  onTestFinished(() => recovered.resolve())
  const others = { keyRotation: { clamp: async () => undefined }, tokens: { setBack: async () => undefined } }
  const snapshots = createSnapshotRegistry({ ...desk, ...others, onChange: () => undefined })
  const organization = (await desk.store.organization(SHOP)) as never
  await desk.endpoints.add(SHOP, { url: ALIVE, types: ['PAYMENT_INITIATE'] })
  await desk.plans.arm(SHOP, { do: 'delay', after: 'PT2H' })
  await startIris(desk)
  await snapshots.take(organization, 'delayed')
  const restore = () => snapshots.restore(organization, 'delayed')
  const attempts = async () => (await desk.allDeliveries()).map(({ attempts: made }) => made.map(({ at }) => at))
  return { ...desk, restore, attempts, isCalled: called.promise, recover: recovered.resolve }
}

describe('D-92, D-102: a snapshot that is restored while a receiver does not respond', () => {
  test('has its webhooks sent when they are due, not by the clock of before', async () => {
    const desk = await withDelayedWebhook(2)
    await desk.control.advance(SHOP, 10 * HOUR)
    await startIris(desk)
    const delivering = desk.deliver()
    await desk.isCalled
    await desk.restore()
    desk.recover()
    await delivering
    expect(await desk.attempts()).toEqual([[]])
  })

  test('has the webhook of that attempt to send', async () => {
    const desk = await withDelayedWebhook(1)
    const moved = desk.control.advance(SHOP, 2 * HOUR).catch(error => error)
    await desk.isCalled
    await desk.restore()
    desk.recover()
    expect(await moved).toMatchObject({ kind: 'conflict' })
    expect(await desk.attempts()).toEqual([[]])
    await desk.control.advance(SHOP, 2 * HOUR)
    expect(await desk.attempts()).toEqual([[desk.time.now + 2 * HOUR]])
  })
})
