import { applyTransition, createEmptyChange, noProblem } from '../payments/apply-transition.ts'
import { type Deadline, type Payment, type PaymentChange, sumAcceptedRefunds } from '../payments/payment.ts'

/** Opens a dispute of a settled payment, unless a refund is under way; schedules its decision if the scenario has one (1). */
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

/** Decides a dispute: a lost one refunds the payer, a won one leaves the payment settled. */
export const decideDispute = (payment: Payment, { dueAt }: Deadline): PaymentChange => {
  const { outcome = 'won' } = payment.arranged?.dispute ?? {}
  const { transactionId, clientTransactionId, settled: amount } = payment
  const won = outcome === 'won'
  const movement = { transactionId, clientTransactionId, amount, at: dueAt }
  return applyTransition(createEmptyChange(payment), {
    cause: 'dispute',
    outcome,
    at: dueAt,
    amount,
    statusInfo: noProblem(won ? 'The dispute was won' : 'The dispute was lost'),
    ...(won ? {} : { movement, update: { refunded: amount } }),
  })
}
