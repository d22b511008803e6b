import { applyTransition, createEmptyChange, noProblem } from '../payments/apply-transition.ts'
import { type Deadline, type Payment, type PaymentChange, sumAcceptedRefunds } from '../payments/payment.ts'
import type { DeadlineRules } from './operation-types.ts'

/** The deadline at which the dispute of a payment's scenario opens, if it has one, after it was settled at an instant. */
export const disputeDeadline = ({ arranged }: Payment, settledAt: number): Deadline[] =>
  arranged?.dispute ? [{ name: 'dispute', dueAt: settledAt + arranged.dispute.after }] : []

/**
 * Opens a dispute of a settled payment, unless a refund is under way; schedules its decision if the scenario has one
 * (1, D-98).
 */
export const openDispute = (payment: Payment, { dueAt }: Deadline): PaymentChange => {
  if (sumAcceptedRefunds(payment.refunds) > 0) return createEmptyChange(payment)
  const { outcome, decidedAfter = 0 } = payment.arranged?.dispute ?? {}
  return applyTransition(createEmptyChange(payment), {
    cause: 'dispute',
    outcome: 'opened',
    at: dueAt,
    amount: payment.settled,
    statusInfo: noProblem('Disputed by the payer'),
    deadlines: outcome ? [{ name: 'dispute-decision', dueAt: dueAt + decidedAfter }] : [],
  })
}

/**
 * Applies the scripted outcome of a dispute when its deadline is due: a lost one is a refund of all that was settled, a
 * won one leaves the payment settled.
 */
export const decideDispute = (payment: Payment, { dueAt }: Deadline, { ids }: DeadlineRules): PaymentChange => {
  const { outcome = 'won' } = payment.arranged?.dispute ?? {}
  const { clientTransactionId, settled: amount, refunds } = payment
  const won = outcome === 'won'
  const message = won ? 'The dispute was won' : 'The dispute was lost'
  const move = { cause: 'dispute', outcome, at: dueAt, amount, statusInfo: noProblem(message) } as const
  if (won) return applyTransition(createEmptyChange(payment), move)
  const movement = {
    transactionId: ids.uuid(),
    clientTransactionId,
    amount,
    at: dueAt,
    description: message,
    provider: { providerTransactionId: ids.uuid(), registeredAt: dueAt },
  }
  const update = { refunded: amount, refunds: [...refunds, movement] }
  return applyTransition(createEmptyChange(payment), { ...move, movement, update })
}
