import { expect, test } from 'vitest'
import { merchantOf, runningSimulator } from '../support/running.ts'

test('a close waits for the call under way, lets in no other, and the answer arrives whole', async () => {
  const door = Promise.withResolvers<void>()
  const inside = Promise.withResolvers<void>()
  const limitBody = async () => {
    inside.resolve()
    await door.promise
  }
  const simulator = await runningSimulator({}, { layers: { limitBody } })
  const call = merchantOf(simulator).request('keySet')
  await inside.promise
  let closed = false
  const closing = simulator.stop().then(() => {
    closed = true
  })
  const late = await merchantOf(simulator).request('keySet')
  expect([late.fault?.code, closed]).toEqual(['ECONNREFUSED', false])
  door.resolve()
  const { answer } = await call
  expect([answer?.status, JSON.parse(answer?.body.toString() ?? '{}').keys.length]).toEqual([200, 3])
  await closing
})
