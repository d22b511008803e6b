import { LIFETIMES } from '../payments/deadlines.ts'
import { allows } from '../payments/lifecycle.ts'
import type { Change, Payment } from '../payments/payment.ts'
import { noProblem, notAllowed, record, unchanged } from '../payments/record.ts'
import { idsOf, metadataOf, payerDetailsOf, paymentDetailsOf, providerDetailsOf, statusOf } from './answers.ts'
import { take } from './capture.ts'
import type { PaymentContext, PaymentOperation } from './operation.ts'

/**
 * Completes the authorization after the shopper's consent, and captures with autoCapture (3 sequence 1).
 * While the shopper is still awaited nothing moves and the answer says PENDING (D-34).
 */
export const finalize: PaymentOperation<unknown> = (_request, context) => {
  const { payment } = context
  if (payment.state === 'AWAITING_SHOPPER') return { answer: answerOf(payment, context) }
  if (!allows(payment.state, 'finalize')) throw notAllowed(payment, 'finalize')
  const authorized = authorize(payment, context)
  const change = payment.autoCapture
    ? take(authorized, context, payment.amount, payment.clientTransactionId)
    : authorized
  return { answer: answerOf(change.payment, context), change }
}

const authorize = (payment: Payment, { now }: PaymentContext): Change =>
  record(unchanged(payment), {
    cause: 'finalize',
    outcome: 'approved',
    at: now,
    statusInfo: noProblem('Authorized'),
    amount: payment.amount,
    deadlines: [{ name: 'hold', dueAt: now + LIFETIMES.hold }],
  })

/** The body that finalize and cancel share. */
export const answerOf = (payment: Payment, context: PaymentContext) => ({
  ...idsOf(payment),
  providerDetails: providerDetailsOf(payment, context),
  ...payerDetailsOf(payment),
  ...paymentDetailsOf(payment),
  ...metadataOf(payment),
  ...statusOf(payment),
})
