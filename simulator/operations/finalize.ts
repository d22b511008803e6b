import { LIFETIMES } from '../payments/deadlines.ts'
import { allows } from '../payments/lifecycle.ts'
import { mandateOf } from '../payments/mandate.ts'
import type { Change, Payment } from '../payments/payment.ts'
import { noProblem, notAllowed, record, unchanged } from '../payments/record.ts'
import type { ProviderAnswer } from '../providers/provider.ts'
import { statusInfoOf, withCode } from '../providers/providers.ts'
import { idsOf, metadataOf, payerDetailsOf, paymentDetailsOf, providerDetailsOf, statusOf } from './answers.ts'
import { take } from './capture.ts'
import type { Decision, PaymentContext, PaymentOperation } from './operation.ts'

/**
 * Completes the authorization after the shopper's consent, and captures with autoCapture (3 sequence 1);
 * a payer who consented to be kept leaves a mandate behind (D-62).
 * While the shopper is still awaited nothing moves and the answer says PENDING (D-34).
 */
export const finalize: PaymentOperation<unknown> = (_request, context) => {
  const { payment } = context
  if (payment.state === 'AWAITING_SHOPPER') return { answer: answerOf(payment, context) }
  if (!allows(payment.state, 'finalize')) throw notAllowed(payment, 'finalize')
  const answer = context.ask(payment.providerId, { outcome: 'approved' })
  if (answer.outcome === 'declined') return decline(payment, answer, context)
  const mandate = mandateOf(payment, context.ids, context.now)
  const kept = mandate ? { ...payment, paymentToken: mandate.paymentToken } : payment
  const change = payment.transactionType === 'TOKEN_ONLY' ? tokenize(kept, context) : pay(kept, context)
  return { answer: answerOf(change.payment, context), change, mandate }
}

/** The provider takes the shopper's consent and says no all the same (7.5). */
const decline = (payment: Payment, answer: ProviderAnswer, context: PaymentContext): Decision => {
  const change = record(unchanged(payment), {
    cause: 'finalize',
    outcome: 'declined',
    at: context.now,
    statusInfo: statusInfoOf(payment.providerId, answer, 'Declined'),
    ...withCode(payment, answer),
  })
  return { answer: answerOf(change.payment, context), change }
}

const pay = (payment: Payment, context: PaymentContext): Change => {
  const authorized = authorize(payment, context)
  return payment.autoCapture ? take(authorized, context, payment.amount, payment.clientTransactionId) : authorized
}

/** Ends a payment that was to leave nothing but a mandate behind (1, D-62). */
const tokenize = (payment: Payment, { now }: PaymentContext): Change =>
  record(unchanged(payment), {
    cause: 'finalize',
    outcome: 'tokenized',
    at: now,
    statusInfo: noProblem('Token made'),
  })

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
