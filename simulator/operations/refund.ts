import type { components } from '../../contracts/openapi.gen.ts'
import { allows } from '../payments/lifecycle.ts'
import { moved } from '../payments/payment.ts'
import { noProblem, notAllowed, record, unchanged } from '../payments/record.ts'
import { ensure } from '../refusal.ts'
import { declineMovement, movementDecision } from './movements.ts'
import type { PaymentContext, PaymentOperation } from './operation.ts'

type RefundRequest = components['schemas']['RefundRequest']

/** Gives settled money back, in full or in part, never more than was settled (R1, R5). */
export const refund: PaymentOperation<RefundRequest> = (request, context) => {
  const { payment, ids, now } = context
  if (!allows(payment.state, 'refund')) throw notAllowed(payment, 'refund')
  const { amount = payment.settled - payment.refunded, description } = request.paymentDetails ?? {}
  checkAmount(amount, context)
  const movement = {
    transactionId: ids.uuid(),
    clientTransactionId: request.clientTransactionId,
    amount,
    at: now,
    ...(description === undefined ? {} : { description }),
  }
  const said = context.ask(payment.providerId, { outcome: 'approved' })
  if (said.outcome === 'declined')
    return movementDecision(declineMovement(payment, 'refunds', { ...movement, declined: said.code }), 'refunds')
  const refunded = payment.refunded + amount
  const change = record(unchanged(payment), {
    cause: 'refund',
    outcome: refunded === payment.settled ? 'full' : 'partial',
    at: now,
    amount,
    movement,
    statusInfo: noProblem(refunded === payment.settled ? 'Refunded' : 'Refunded in part'),
    update: { refunded, refunds: [...payment.refunds, movement] },
  })
  return movementDecision(change, 'refunds')
}

const checkAmount = (amount: number, { payment, supports }: PaymentContext): void => {
  const { providerId } = payment
  const open = payment.settled - payment.refunded
  ensure(supports(payment, 'refund'), 'OPERATION_UNSUPPORTED', `${providerId} has no refunds.`)
  ensure(amount <= open, 'TRANSITION_NOT_ALLOWED', `${amount} is more than the ${open} left to refund.`)
  const partial = amount < payment.settled
  ensure(!partial || supports(payment, 'partialRefund'), 'OPERATION_UNSUPPORTED', `${providerId} refunds in full only.`)
  const first = moved(payment.refunds).length === 0
  ensure(
    first || supports(payment, 'multiplePartialRefunds'),
    'OPERATION_UNSUPPORTED',
    `${providerId} refunds once only.`,
  )
}
