import { LIFETIMES } from '../payments/deadlines.ts'
import { ensureValid } from '../payments/mandate.ts'
import type { Change, ChargeRequest, Payment } from '../payments/payment.ts'
import { record, unchanged } from '../payments/record.ts'
import type { ProviderAnswer } from '../providers/provider.ts'
import { providerOf, statusInfoOf, withTold } from '../providers/providers.ts'
import { startedAnswer } from './answers.ts'
import { take } from './capture.ts'
import { ensureCarried } from './carried.ts'
import { newPayment } from './new-payment.ts'
import type { Context, Operation } from './operation.ts'

/** Takes a payment under a mandate with no shopper present, and captures with autoCapture (3 sequence 2, E4). */
export const charge: Operation<ChargeRequest> = (request, context) => {
  const { mandate, now } = context
  const provider = providerOf(request.providerDetails.providerId)
  ensureCarried(request, context)
  if (!context.mocked || context.arranged?.mandate) ensureValid(mandate, request.payerDetails.payerId, now)
  const payerId = mandate?.payerId ?? request.payerDetails.payerId
  const started = newPayment(request, context, {
    transactionType: 'RECURRING',
    ...(payerId === undefined ? {} : { payerId }),
  })
  const answered = record(unchanged(started), moveOf(started, context.ask(provider.id, provider.charge), now))
  const change = answered.payment.state === 'AUTHORIZED' ? captured(answered, context) : answered
  return { answer: startedAnswer(change.payment, context), change }
}

/** What the provider's answer makes of the payment: authorized and held, or declined with the provider's code (7.5). */
const moveOf = (payment: Payment, answer: ProviderAnswer, now: number): Parameters<typeof record>[1] => ({
  cause: 'charge',
  outcome: answer.outcome,
  at: now,
  statusInfo: statusInfoOf(payment.providerId, answer, 'Authorized'),
  ...(answer.outcome === 'approved'
    ? { amount: payment.amount, deadlines: [{ name: 'hold', dueAt: now + LIFETIMES.hold }] }
    : {}),
  ...withTold(payment, answer),
})

const captured = (change: Change, context: Context): Change => {
  const { autoCapture, amount, clientTransactionId } = change.payment
  return autoCapture ? take(change, context, amount, clientTransactionId) : change
}
