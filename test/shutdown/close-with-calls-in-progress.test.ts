import { expect, test } from 'vitest'
import { merchantOf, startScopedSimulator } from '../support/test-scoped-simulator.ts'

test('closing refuses new connections and waits for calls in progress', async () => {
  const door = Promise.withResolvers<void>()
  const inside = Promise.withResolvers<void>()
  const limitBody = async () => {
    inside.resolve()
    await door.promise
  }
  const simulator = await startScopedSimulator({}, { layers: { limitBody } })
  const call = merchantOf(simulator).request('keySet')
  await inside.promise
  let closed = false
  const closing = simulator.stop().then(() => {
    closed = true
  })
  const late = await merchantOf(simulator).request('keySet')
  expect([late.transportError?.code, closed]).toEqual(['ECONNREFUSED', false])
  door.resolve()
  const { response } = await call
  expect([response?.status, JSON.parse(response?.body.toString() ?? '{}').keys.length]).toEqual([200, 3])
  await closing
})
