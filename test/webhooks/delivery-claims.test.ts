import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Store } from '../../simulator/store/store.ts'
import type { Delivery } from '../../simulator/store/webhook-store.ts'
import { createClock } from '../../simulator/support/clock.ts'
import { HOUR } from '../../simulator/support/duration.ts'
import { createSignal } from '../../simulator/support/wake-up-signal.ts'
import { createDispatcher } from '../../simulator/webhooks/dispatcher.ts'
import { pollUntil } from '../support/poll-until.ts'

const DELIVERY: Delivery = {
  deliveryId: 'd',
  endpointId: 'e',
  messageId: 's',
  firstDueAt: 0,
  dueAt: 0,
  attemptCount: 0,
  state: 'waiting',
}

/** Creates a dispatcher for an endpoint whose delivery another replica has claimed. */
const besideAnother = ({ timeoutMilliseconds = HOUR, lookAgain = HOUR } = {}) => {
  const lane: { state: 'claimed' | 'free'; asked: number } = { state: 'claimed', asked: 0 }
  const store = {
    dueDelivery: async (_: string, __: number, but: readonly string[]) =>
      lane.state === 'claimed' && !but.includes('e') ? DELIVERY : undefined,
    dueDeliveryTo: async () => {
      lane.asked += 1
      return lane.state === 'claimed' ? lane.state : undefined
    },
  } as unknown as Store
  const newsSignal = createSignal()
  const never = async () => {
    throw new Error('Nothing is sent by two.')
  }
  const looks = { lookAgain, onError: () => undefined }
  const closing = new AbortController()
  const nothing = { sign: never, send: never }
  const parts = {
    store,
    clock: createClock(),
    newsSignal,
    closing: closing.signal,
    timeoutMilliseconds,
    ...nothing,
    ...looks,
  }
  return {
    lane,
    newsSignal,
    closing,
    dispatcher: createDispatcher({ observer: { attempt: () => undefined }, ...parts } as never),
  }
}

test('6: a dispatcher that waits for another replica’s delivery goes on when it is notified', async () => {
  const { lane, newsSignal, dispatcher } = besideAnother()
  const walked = dispatcher.runDue('shop', 0)
  await pollUntil(
    () => lane.asked,
    asked => asked === 1,
  )
  lane.state = 'free'
  newsSignal.notify('shop')
  await pollUntil(
    () => lane.asked,
    asked => asked === 2,
  )
  expect(await walked).toBe(0)
})

test('6: messages of the organization do not each look at the delivery that another replica claims', async () => {
  const { lane, newsSignal, closing, dispatcher } = besideAnother()
  const walked = dispatcher.runDue('shop', 0)
  for (let message = 0; message < 100; message += 1) {
    newsSignal.notify('shop')
    await nextTurn()
  }
  expect(lane.asked).toBeLessThan(50)
  closing.abort()
  await dispatcher.settled()
  await walked
})

test('6: stopping does not wait for another replica’s delivery', async () => {
  const { lane, closing, dispatcher } = besideAnother()
  const walked = dispatcher.runDue('shop', 0)
  await pollUntil(
    () => lane.asked,
    asked => asked === 1,
  )
  closing.abort()
  await dispatcher.settled()
  expect([await walked, lane.asked]).toEqual([0, 1])
})

test('6: a clock does not wait for a delivery that another replica holds for longer than a receiver may take', async () => {
  const { closing, dispatcher } = besideAnother({ timeoutMilliseconds: 0, lookAgain: 1 })
  const unresponsive = new Set<string>()
  expect(await dispatcher.runDue('shop', 0, unresponsive)).toBe(0)
  expect([...unresponsive]).toEqual(['e'])
  closing.abort()
  await dispatcher.settled()
})
