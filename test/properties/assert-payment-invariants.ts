import { expect } from 'vitest'
import { STATES, TRANSITIONS } from '../../simulator/payments/lifecycle.ts'
import { excludeDeclined } from '../../simulator/payments/payment.ts'
import type { SimulatorCore } from '../support/simulator-core.ts'
import { sum } from './payment-model.ts'
import type { StoredPayment } from './read-stored-payments.ts'

const total = (parts: readonly { amount: number }[]): number => sum(parts.map(({ amount }) => amount))

/** Asserts the invariants of a payment (R1 to R5, 6). */
export const checkInvariants = ({ payment, events, ledgerEntries }: StoredPayment): void => {
  checkSums(payment)
  const booked = (kind: string) => total(ledgerEntries.filter(entry => entry.kind === kind))
  expect([booked('capture'), booked('settlement'), booked('refund')]).toEqual([
    payment.captured,
    payment.settled,
    payment.refunded,
  ])
  checkTransitions(events)
  expect(events.at(-1)?.state).toBe(payment.state)
}

const checkSums = ({ amount, captured, settled, refunded, captures, refunds }: StoredPayment['payment']): void => {
  for (const minorUnits of [amount, captured, settled, refunded]) expect(minorUnits).toBeGreaterThanOrEqual(0)
  expect(captured).toBeLessThanOrEqual(amount)
  expect(settled).toBeLessThanOrEqual(captured)
  expect(refunded).toBeLessThanOrEqual(settled)
  expect([
    total(excludeDeclined(captures)),
    total(captures.filter(part => part.settled)),
    total(excludeDeclined(refunds)),
  ]).toEqual([captured, settled, refunded])
  const ids = [...captures, ...refunds].map(({ transactionId }) => transactionId)
  expect(new Set(ids).size).toBe(ids.length)
}

/** Asserts that every event is a transition of the state table from the state before, in time order. */
const checkTransitions = (events: StoredPayment['events']): void => {
  let [before, at] = ['NEW', 0]
  for (const event of events) {
    const row = TRANSITIONS.find(([from, , , to, type]) => from === before && to === event.state && type === event.type)
    expect(row, `${before} → ${event.state} by ${event.type}`).toBeDefined()
    expect(event.at).toBeGreaterThanOrEqual(at)
    before = event.state
    at = event.at
  }
}

/** Asserts that payments in a final state are unchanged. */
export const checkFinalUnchanged = (
  before: Record<string, StoredPayment>,
  after: Record<string, StoredPayment>,
): void => {
  for (const [name, seen] of Object.entries(before))
    if (STATES[seen.payment.state].final) expect(after[name], name).toEqual(seen)
}

/** Asserts that the status and events responses match the store (4, 6). */
export const checkReadsMatchStore = async (core: SimulatorCore, { payment, events }: StoredPayment): Promise<void> => {
  const { status } = STATES[payment.state]
  const response = (await core.status(payment.transactionId)).body
  expect([response.status, response.lifecycle.state]).toEqual([status, payment.state])
  const { body } = await core.events(payment.transactionId)
  const timeline = body.timeline.map((entry: { lifecycle: { state: string } }) => entry.lifecycle.state)
  expect(timeline).toEqual(events.map(({ state }) => state))
  const { capturedAmount, refundedAmount } = body.paymentDetails
  expect([body.status, capturedAmount, refundedAmount]).toEqual([status, payment.captured, payment.refunded])
}
