import type { Change, Deadline, Movement, Payment } from '../payments/payment.ts'
import { noProblem, record, unchanged } from '../payments/record.ts'
import { UNEXPLAINED } from '../scenarios/mock-answer.ts'
import { giveBack } from './refund.ts'

/** What the provider makes of a refund that it had taken on (R1). */
export const endRefund = (payment: Payment, { dueAt, movementId }: Deadline): Change => {
  const asked = payment.refunds.find(({ transactionId }) => transactionId === movementId)
  if (!asked?.accepted || asked.accepted === true) return unchanged(payment)
  const { accepted: _accepted, statusInfo: _said, ...movement } = asked
  const { outcome, statusInfo } = asked.accepted
  const refundsWith = (ended: Movement) => payment.refunds.map(known => (known === asked ? ended : known))
  if (outcome === 'approved') {
    const refunds = refundsWith(movement)
    return giveBack({ ...payment, refunds }, { ...movement, at: dueAt }, { outcome, ...(statusInfo && { statusInfo }) })
  }
  const told = statusInfo ?? UNEXPLAINED
  return record(unchanged(payment), {
    cause: 'refund',
    outcome,
    at: dueAt,
    amount: movement.amount,
    statusInfo: told,
    update: { refunds: refundsWith({ ...movement, declined: true, statusInfo: told }) },
  })
}

/** The payer disputes a settled payment; how it ends is told later, if at all (1). */
export const openDispute = (payment: Payment, { dueAt }: Deadline): Change => {
  const { outcome, decidedAfter = 0 } = payment.arranged?.dispute ?? {}
  return record(unchanged(payment), {
    cause: 'dispute',
    outcome: 'opened',
    at: dueAt,
    amount: payment.settled,
    statusInfo: noProblem('Disputed by the payer'),
    deadlines: outcome ? [{ name: 'dispute-decision', dueAt: dueAt + decidedAfter }] : [],
  })
}

/** A dispute that is lost gives the payer the money back; one that is won leaves the payment settled. */
export const decideDispute = (payment: Payment, { dueAt }: Deadline): Change => {
  const { outcome = 'won' } = payment.arranged?.dispute ?? {}
  const { transactionId, clientTransactionId, settled: amount } = payment
  const won = outcome === 'won'
  const movement = { transactionId, clientTransactionId, amount, at: dueAt }
  return record(unchanged(payment), {
    cause: 'dispute',
    outcome,
    at: dueAt,
    amount,
    statusInfo: noProblem(won ? 'The dispute was won' : 'The dispute was lost'),
    ...(won ? {} : { movement, update: { refunded: amount } }),
  })
}
