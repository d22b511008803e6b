import type { components } from '../../contracts/openapi.gen.ts'
import { allows } from '../payments/lifecycle.ts'
import { type Change, type Movement, moved, type Payment, underWay } from '../payments/payment.ts'
import { notAllowed, record, unchanged } from '../payments/record.ts'
import type { ProviderAnswer } from '../providers/provider.ts'
import { statusInfoOf, withTold } from '../providers/providers.ts'
import { ensure } from '../refusal.ts'
import { acceptRefund, declineMovement, movementDecision } from './movements.ts'
import type { PaymentContext, PaymentOperation } from './operation.ts'

type RefundRequest = components['schemas']['RefundRequest']

/** Gives settled money back, in full or in part, never more than was settled (R1, R5). */
export const refund: PaymentOperation<RefundRequest> = (request, context) => {
  const { payment, ids, now } = context
  if (!allows(payment.state, 'refund')) throw notAllowed(payment, 'refund')
  const { amount = openOf(payment), description } = request.paymentDetails ?? {}
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
    return movementDecision(declineMovement(payment, 'refunds', movement, said), 'refunds')
  if (said.outcome === 'accepted') return movementDecision(acceptRefund(payment, movement, said), 'refunds')
  return movementDecision(giveBack({ ...payment, refunds: [...payment.refunds, movement] }, movement, said), 'refunds')
}

/** Gives money back by a movement that the payment's list already holds. */
export const giveBack = (payment: Payment, movement: Movement, said: ProviderAnswer): Change => {
  const { amount, at } = movement
  const refunded = payment.refunded + amount
  return record(unchanged(payment), {
    cause: 'refund',
    outcome: refunded === payment.settled ? 'full' : 'partial',
    at,
    amount,
    movement,
    statusInfo: statusInfoOf(payment.providerId, said, refunded === payment.settled ? 'Refunded' : 'Refunded in part'),
    update: { ...withTold(payment, said).update, refunded },
  })
}

/** What may still be refunded: accepted refunds hold their sums until it is known how they end. */
const openOf = ({ settled, refunded, refunds }: Payment): number => settled - refunded - underWay(refunds)

const checkAmount = (amount: number, { payment, supports }: PaymentContext): void => {
  const { providerId } = payment
  const open = openOf(payment)
  ensure(supports(payment, 'refund'), 'OPERATION_UNSUPPORTED', `${providerId} has no refunds.`)
  ensure(open > 0, 'TRANSITION_NOT_ALLOWED', 'Nothing is left to refund until the accepted refunds are through.')
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
