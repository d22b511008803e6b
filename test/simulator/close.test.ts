import { expect, test } from 'vitest'
import { merchantOf, runningSimulator } from '../support/running.ts'

test('a close waits for the call under way, lets in no other, and the answer arrives whole', async () => {
  const door = Promise.withResolvers<void>()
  const inside = Promise.withResolvers<void>()
  const limitBody = async (_c: unknown, next: () => Promise<void>) => {
    inside.resolve()
    await door.promise
    await next()
  }
  const simulator = await runningSimulator({}, { layers: { limitBody } })
  const merchant = merchantOf(simulator)
  const call = merchant.request('keySet')
  await inside.promise
  const order: string[] = []
  const closed = simulator.stop().then(() => order.push('closed'))
  const other = await merchantOf(simulator).request('keySet')
  expect(other.fault?.code).toBe('ECONNREFUSED')
  door.resolve()
  const { answer } = await call
  order.push('answered')
  await closed
  expect([answer?.status, JSON.parse(answer?.body.toString() ?? '{}').keys.length]).toEqual([200, 3])
  expect(order).toHaveLength(2)
})
