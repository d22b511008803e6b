import { createHook } from 'node:async_hooks'
import { expect, onTestFinished, test } from 'vitest'
import {
  irisRequestOf,
  merchantOf,
  type ScopedSimulator,
  startScopedSimulator,
} from '../support/test-scoped-simulator.ts'

const arm = (simulator: ScopedSimulator, wish: object) =>
  simulator.controlPlane.faults.arm(simulator.kit.organizationId, { operation: 'initiate', ...wish })
const until = async (holds: () => boolean | undefined) => {
  while (!holds()) await new Promise(setImmediate)
}
/** Waits until the fault was triggered: the call is executed and its response is being sent. */
const met = ({ controlPlane: operator, kit }: ScopedSimulator) =>
  until(() => operator.journal.latest(kit.organizationId, 1)[0]?.injectedFault !== undefined)

test.each(['slow', 'dribble'])('closing waits for a response with the fault %s', async kind => {
  const simulator = await startScopedSimulator()
  const merchant = merchantOf(simulator)
  await merchant.tokenFor()
  await arm(simulator, { kind, after: 'PT0.3S' })
  const call = merchant.request('initiate', { json: irisRequestOf(merchant) })
  await met(simulator)
  const order: string[] = []
  const closing = simulator.stop().then(() => order.push('closed'))
  const { response } = await call
  order.unshift('answered')
  await closing
  expect([response?.status, order]).toEqual([200, ['answered', 'closed']])
  expect(JSON.parse(response?.body.toString() ?? '').status).toBe('PENDING')
})

type WatchedTimer = { _idleTimeout: number; _destroyed: boolean }

/** Collects the timers of this many milliseconds that start from now on; `_destroyed` tells those that ended. */
const watchTimers = (milliseconds: number): readonly WatchedTimer[] => {
  const timers: WatchedTimer[] = []
  const hook = createHook({
    init: (_id, type, _trigger, resource) => {
      const timer = resource as WatchedTimer
      if (type === 'Timeout' && timer._idleTimeout === milliseconds) timers.push(timer)
    },
  }).enable()
  onTestFinished(() => void hook.disable())
  return timers
}

test.each([
  ['slow', 47_000],
  ['dribble', 4_700], // one of ten waits
])(
  'a client that disconnects during a response with the fault %s ends its wait',
  { timeout: 30_000 }, // less than the fault lasts
  async (kind, wait) => {
    const errors: unknown[] = []
    const simulator = await startScopedSimulator({}, { onError: error => errors.push(error) })
    const merchant = merchantOf(simulator)
    await merchant.tokenFor()
    await arm(simulator, { kind, after: 'PT47S' })
    const timers = watchTimers(wait)
    const call = merchant.request('initiate', { json: irisRequestOf(merchant) })
    await until(() => timers.length > 0)
    merchant.close()
    expect((await call).response).toBeUndefined()
    await until(() => timers.every(timer => timer._destroyed))
    await simulator.stop()
    expect(errors).toEqual([])
  },
)
