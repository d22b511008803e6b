import { expect, test } from 'vitest'
import { createBell } from '../../simulator/bell.ts'
import { createClock } from '../../simulator/clock.ts'
import { HOUR } from '../../simulator/duration.ts'
import type { Store } from '../../simulator/store/port.ts'
import { createCourier } from '../../simulator/webhooks/courier.ts'
import type { Delivery } from '../../simulator/webhooks/notification.ts'
import { until } from '../support/poll.ts'

const DELIVERY: Delivery = {
  deliveryId: 'd',
  endpointId: 'e',
  sendingId: 's',
  firstDueAt: 0,
  dueAt: 0,
  tries: 0,
  state: 'waiting',
}

/** A courier to an endpoint that another replica calls until it is free. */
const besideAnother = () => {
  const lane: { state: 'claimed' | 'free'; asked: number } = { state: 'claimed', asked: 0 }
  const store = {
    dueDelivery: async (_: string, __: number, but: readonly string[]) =>
      lane.state === 'claimed' && !but.includes('e') ? DELIVERY : undefined,
    dueDeliveryTo: async () => {
      lane.asked += 1
      return lane.state === 'claimed' ? lane.state : undefined
    },
  } as unknown as Store
  const bell = createBell()
  const never = async () => {
    throw new Error('Nothing is sent by two.')
  }
  const looks = { lookAgain: HOUR, onFault: () => undefined }
  const parts = { store, clock: createClock(), bell, sign: never, send: never, ...looks }
  return { lane, bell, courier: createCourier(parts as never) }
}

test('6: who waits while another replica calls an endpoint goes on when the bell rings', async () => {
  const { lane, bell, courier } = besideAnother()
  const walked = courier.runDue('shop', 0)
  await until(
    () => lane.asked,
    asked => asked === 1,
  )
  lane.state = 'free'
  bell.ring('shop')
  await until(
    () => lane.asked,
    asked => asked === 2,
  )
  expect(await walked).toBe(0)
})

test('6: a replica that stops waits for no other', async () => {
  const { lane, courier } = besideAnother()
  const walked = courier.runDue('shop', 0)
  await until(
    () => lane.asked,
    asked => asked === 1,
  )
  await courier.stop()
  expect([await walked, lane.asked]).toEqual([0, 1])
})
