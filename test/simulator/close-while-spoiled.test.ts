import { expect, test } from 'vitest'
import { isOverPostgres } from '../support/not-over-postgres.ts'
import { irisOf, merchantOf, type Running, runningSimulator } from '../support/running.ts'

const arm = (simulator: Running, wish: object) =>
  simulator.operator.faults.arm(simulator.kit.organizationId, { operation: 'initiate', ...wish })
const until = async (holds: () => boolean | undefined) => {
  while (!holds()) await new Promise(setImmediate)
}
/** The call has been carried out, and its answer is on its way. */
const met = ({ operator, kit }: Running) =>
  until(() => operator.journal(kit.organizationId, 1)[0]?.spoiled !== undefined)
const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length

test.each(['slow', 'dribble'])('a close waits for an answer that is %s', async kind => {
  const simulator = await runningSimulator()
  const merchant = merchantOf(simulator)
  await merchant.tokenFor()
  await arm(simulator, { kind, after: 'PT0.3S' })
  const call = merchant.request('initiate', { json: irisOf(merchant) })
  await met(simulator)
  const order: string[] = []
  const closing = simulator.stop().then(() => order.push('closed'))
  const { answer } = await call
  order.unshift('answered')
  await closing
  expect([answer?.status, order]).toEqual([200, ['answered', 'closed']])
  expect(JSON.parse(answer?.body.toString() ?? '').status).toBe('PENDING')
})

/** Connections to PostgreSQL have timers of their own, which come and go. */
const counted = test.skipIf(isOverPostgres)

counted.each(['slow', 'dribble'])('nobody waits on for a client that is gone while its answer is %s', async kind => {
  const faults: unknown[] = []
  const simulator = await runningSimulator({}, { onFault: error => faults.push(error) })
  const merchant = merchantOf(simulator)
  await merchant.tokenFor()
  await arm(simulator, { kind, after: 'PT50S' })
  let idle = timers()
  const call = merchant.request('initiate', { json: irisOf(merchant) })
  await met(simulator)
  await until(() => {
    idle = Math.min(idle, timers()) // one of before may end meanwhile
    return timers() > idle
  })
  merchant.close()
  expect((await call).answer).toBeUndefined()
  await until(() => timers() <= idle)
  await simulator.stop()
  expect(faults).toEqual([])
})
