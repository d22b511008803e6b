import { expect } from 'vitest'
import { STATES, TRANSITIONS } from '../../simulator/payments/lifecycle.ts'
import { moved } from '../../simulator/payments/payment.ts'
import type { Core } from '../support/core.ts'
import type { Seen } from './look.ts'
import { sum } from './payment-model.ts'

const total = (parts: readonly { amount: number }[]): number => sum(parts.map(({ amount }) => amount))

/** What holds of every payment at every time, whoever did what to it (R1 to R5, 6). */
export const checkRules = ({ payment, events, postings }: Seen): void => {
  checkSums(payment)
  const booked = (kind: string) => total(postings.filter(posting => posting.kind === kind))
  expect([booked('capture'), booked('settlement'), booked('refund')]).toEqual([
    payment.captured,
    payment.settled,
    payment.refunded,
  ])
  checkStory(events)
  expect(events.at(-1)?.state).toBe(payment.state)
}

const checkSums = ({ amount, captured, settled, refunded, captures, refunds }: Seen['payment']): void => {
  for (const minorUnits of [amount, captured, settled, refunded]) expect(minorUnits).toBeGreaterThanOrEqual(0)
  expect(captured).toBeLessThanOrEqual(amount)
  expect(settled).toBeLessThanOrEqual(captured)
  expect(refunded).toBeLessThanOrEqual(settled)
  expect([total(moved(captures)), total(captures.filter(part => part.settled)), total(moved(refunds))]).toEqual([
    captured,
    settled,
    refunded,
  ])
  const ids = [...captures, ...refunds].map(({ transactionId }) => transactionId)
  expect(new Set(ids).size).toBe(ids.length)
}

/** Every event is a row of the table of transitions that leads on from the one before, and later than it or at once. */
const checkStory = (events: Seen['events']): void => {
  let [before, at] = ['NEW', 0]
  for (const event of events) {
    const row = TRANSITIONS.find(([from, , , to, type]) => from === before && to === event.state && type === event.type)
    expect(row, `${before} → ${event.state} by ${event.type}`).toBeDefined()
    expect(event.at).toBeGreaterThanOrEqual(at)
    before = event.state
    at = event.at
  }
}

/** What is final stays as it is, in every byte. */
export const checkFinal = (before: Record<string, Seen>, after: Record<string, Seen>): void => {
  for (const [name, seen] of Object.entries(before))
    if (STATES[seen.payment.state].final) expect(after[name], name).toEqual(seen)
}

/** Status and events tell what the store keeps (4, 6). */
export const checkTold = async (core: Core, { payment, events }: Seen): Promise<void> => {
  const { status } = STATES[payment.state]
  const told = (await core.status(payment.transactionId)).body
  expect([told.status, told.lifecycle.state]).toEqual([status, payment.state])
  const { body } = await core.events(payment.transactionId)
  const timeline = body.timeline.map((entry: { lifecycle: { state: string } }) => entry.lifecycle.state)
  expect(timeline).toEqual(events.map(({ state }) => state))
  const { capturedAmount, refundedAmount } = body.paymentDetails
  expect([body.status, capturedAmount, refundedAmount]).toEqual([status, payment.captured, payment.refunded])
}
