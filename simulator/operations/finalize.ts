import { LIFETIMES } from '../payments/deadlines.ts'
import { allows } from '../payments/lifecycle.ts'
import { mandateOf } from '../payments/mandate.ts'
import type { Change, Payment } from '../payments/payment.ts'
import { noProblem, notAllowed, record, unchanged } from '../payments/record.ts'
import type { ProviderAnswer } from '../providers/provider.ts'
import { statusInfoOf, withTold } from '../providers/providers.ts'
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
  const awaited = payment.state === 'AWAITING_SHOPPER'
  if (awaited && !speaksForShopper(context)) return { answer: answerOf(payment, context) }
  if (!awaited && !allows(payment.state, 'finalize')) throw notAllowed(payment, 'finalize')
  const said = context.ask(payment.providerId, { outcome: 'approved' })
  if (said.outcome === 'pending') return { answer: stillPending(payment, said, context) }
  if (said.outcome === 'declined') return decline(payment, said, awaited ? 'shopper' : 'finalize', context)
  const consented = awaited ? consent(payment, context) : unchanged(payment)
  const mandate = mandateOf(payment, context.ids, context.now)
  const kept = { ...consented.payment, ...(mandate ? { paymentToken: mandate.paymentToken } : {}) }
  const complete = payment.transactionType === 'TOKEN_ONLY' ? tokenize : pay
  const change = complete({ ...consented, payment: kept }, said, context)
  return { answer: answerOf(change.payment, context), change, mandate }
}

/** Under MOCK nobody is asked: the provider's word counts for the shopper too, unless a scripted one will act (E3). */
const speaksForShopper = ({ mocked, scripted, payment }: PaymentContext): boolean =>
  mocked && scripted && payment.arranged?.shopper === undefined

/** The provider has yet to say (2.7): nothing moves, and the answer says PENDING. */
const stillPending = (payment: Payment, said: ProviderAnswer, context: PaymentContext) => ({
  ...answerOf(payment, context),
  status: 'PENDING',
  statusInfo: statusInfoOf(payment.providerId, said, 'Awaiting the provider'),
})

const consent = (payment: Payment, { now }: PaymentContext): Change =>
  record(unchanged(payment), { cause: 'shopper', outcome: 'approved', at: now, statusInfo: noProblem('Consent given') })

/** The provider takes the shopper's consent and says no all the same (7.5). */
const decline = (
  payment: Payment,
  said: ProviderAnswer,
  cause: 'shopper' | 'finalize',
  context: PaymentContext,
): Decision => {
  const change = record(unchanged(payment), {
    cause,
    outcome: 'declined',
    at: context.now,
    statusInfo: statusInfoOf(payment.providerId, said, 'Declined'),
    ...withTold(payment, said),
  })
  return { answer: answerOf(change.payment, context), change }
}

const pay = (consented: Change, said: ProviderAnswer, context: PaymentContext): Change => {
  const authorized = authorize(consented, said, context)
  const { autoCapture, amount, clientTransactionId } = authorized.payment
  return autoCapture ? take(authorized, context, amount, clientTransactionId) : authorized
}

/** Ends a payment that was to leave nothing but a mandate behind (1, D-62). */
const tokenize = (consented: Change, said: ProviderAnswer, { now }: PaymentContext): Change =>
  record(consented, {
    cause: 'finalize',
    outcome: 'tokenized',
    at: now,
    statusInfo: statusInfoOf(consented.payment.providerId, said, 'Token made'),
    ...withTold(consented.payment, said),
  })

const authorize = (consented: Change, said: ProviderAnswer, { now }: PaymentContext): Change =>
  record(consented, {
    cause: 'finalize',
    outcome: 'approved',
    at: now,
    statusInfo: statusInfoOf(consented.payment.providerId, said, 'Authorized'),
    ...withTold(consented.payment, said),
    amount: consented.payment.amount,
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
