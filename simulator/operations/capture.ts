import type { components } from '../../contracts/openapi.gen.ts'
import { supports } from '../payments/capabilities.ts'
import { allows } from '../payments/lifecycle.ts'
import type { Change } from '../payments/payment.ts'
import { noProblem, notAllowed, record, unchanged } from '../payments/record.ts'
import { ensure } from '../refusal.ts'
import { statusOf } from './answers.ts'
import type { PaymentContext, PaymentOperation } from './operation.ts'

type CaptureRequest = components['schemas']['CaptureRequest']

/** Takes authorized funds, in full or in part (R4: settlement follows by itself; R5: no second full capture). */
export const capture: PaymentOperation<CaptureRequest> = (request, context) => {
  const { payment } = context
  if (!allows(payment.state, 'capture')) throw notAllowed(payment, 'capture')
  const open = payment.amount - payment.captured
  const amount = request.paymentDetails?.amount ?? open
  ensure(amount <= open, 'TRANSITION_NOT_ALLOWED', `${amount} is more than the ${open} left to capture.`)
  ensure(
    amount === open || supports(payment.providerId, 'partialCapture'),
    'OPERATION_UNSUPPORTED',
    `${payment.providerId} captures in full only.`,
  )
  const first = payment.captures.length === 0
  ensure(
    first || supports(payment.providerId, 'multiplePartialCaptures'),
    'OPERATION_UNSUPPORTED',
    `${payment.providerId} captures once only.`,
  )
  const change = take(unchanged(payment), context, amount, request.clientTransactionId)
  const movement = change.payment.captures.at(-1)
  return {
    answer: {
      processingAccountId: payment.processingAccountId,
      transactionId: movement?.transactionId,
      originalTransactionId: payment.transactionId,
      clientTransactionId: request.clientTransactionId,
      paymentDetails: { amount },
      ...statusOf(change.payment),
    },
    change,
  }
}

/** Captures an amount and leaves its settlement to the clock (R4). */
export const take = (
  change: Change,
  { ids, now, rules }: PaymentContext,
  amount: number,
  clientTransactionId: string,
): Change => {
  const { payment } = change
  const captured = payment.captured + amount
  const movement = { transactionId: ids.uuid(), clientTransactionId, amount, at: now, settled: false }
  return record(change, {
    cause: 'capture',
    outcome: captured === payment.amount ? 'full' : 'partial',
    at: now,
    amount,
    statusInfo: noProblem(captured === payment.amount ? 'Captured' : 'Captured in part'),
    update: { captured, captures: [...payment.captures, movement] },
    deadlines: [{ name: 'settlement', dueAt: now + rules.settleAfter, movementId: movement.transactionId }],
  })
}
