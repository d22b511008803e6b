import { deepStrictEqual, ok, strictEqual } from 'node:assert'
import { STATES, TRANSITIONS } from '../../simulator/payments/lifecycle.ts'
import type { PaymentEvent } from '../../simulator/payments/payment.ts'
import { LIFETIMES } from '../../simulator/support/lifetimes.ts'
import type { CallResult } from '../support/simulator-core.ts'
import type { ExploredCore } from './in-process-exploration-target.ts'

/** HTTP statuses of responses that are stored under a key (I3, D-22). */
const STORED = [200, 422, 501]

/**
 * Creates an observer of what explored calls leave in the store, where the model sees responses alone: it checks
 * replays to the byte, final states, and events against the transitions (6, I3, R5).
 */
export const createStoreWatch = ({ jobs, store, clock }: ExploredCore, organizationId: string) => {
  /** First responses of keyed calls, with the instant until which their keys surely last. */
  const first = new Map<string, { text: string; until: number }>()
  let [underWay, begun] = [0, 0]
  const read = async (transactionId: string | undefined) => {
    if (transactionId === undefined) return undefined
    await jobs.runDue(organizationId)
    const { payment, events } = await store.transact({
      ...{ organizationId, now: 0, needs: { transactionId, events: true } },
      decide: loaded => ({ result: loaded }),
    })
    return payment && { payment, events }
  }
  return async (
    name: string,
    { transactionId }: { transactionId?: string },
    call: () => Promise<CallResult>,
  ): Promise<CallResult> => {
    const [isFirst, number] = [underWay === 0, begun + 1]
    underWay += 1
    begun = number
    const since = clock.now(organizationId)
    const before = isFirst ? await read(transactionId) : undefined
    const result = await call().finally(() => {
      underWay -= 1
    })
    const { http, replayed, text, body } = result
    const known = first.get(name)
    if (replayed && known && clock.now(organizationId) < known.until) strictEqual(text, known.text)
    else if (!replayed && STORED.includes(http)) first.set(name, { text, until: since + LIFETIMES.idempotencyKey })
    else first.delete(name)
    if (!isFirst || begun > number) return result
    const after = await read(transactionId ?? body.transactionId)
    const isRefused = http >= 400 && http < 500
    const isTimely = clock.now(organizationId) === since // else time may have changed the payment
    if (before && isTimely && (isRefused || replayed || STATES[before.payment.state].final))
      deepStrictEqual(after, before)
    if (after) checkEvents(after.events, after.payment.state)
    return result
  }
}

const checkEvents = (events: readonly PaymentEvent[], state: string): void => {
  let [before, time] = ['NEW', 0]
  for (const event of events) {
    const row = TRANSITIONS.find(([from, , , to, type]) => from === before && to === event.state && type === event.type)
    ok(row && event.at >= time, `${before} → ${event.state} by ${event.type} at ${event.at}, after ${time}`)
    before = event.state
    time = event.at
  }
  strictEqual(before, state)
}
