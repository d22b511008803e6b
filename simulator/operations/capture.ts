import type { components } from '../../contracts/openapi.gen.ts'
import { allows } from '../payments/lifecycle.ts'
import { type Change, moved } from '../payments/payment.ts'
import { notAllowed, record, unchanged } from '../payments/record.ts'
import type { ProviderAnswer } from '../providers/provider.ts'
import { statusInfoOf, withTold } from '../providers/providers.ts'
import { ensure } from '../refusal.ts'
import { declineMovement, movementDecision } from './movements.ts'
import type { Context, PaymentOperation } from './operation.ts'

type CaptureRequest = components['schemas']['CaptureRequest']

/** Takes authorized funds, in full or in part (R4: settlement follows by itself; R5: no second full capture). */
export const capture: PaymentOperation<CaptureRequest> = (request, context) => {
  const { payment } = context
  if (!allows(payment.state, 'capture')) throw notAllowed(payment, 'capture')
  const open = payment.amount - payment.captured
  const amount = request.paymentDetails?.amount ?? open
  ensure(amount <= open, 'TRANSITION_NOT_ALLOWED', `${amount} is more than the ${open} left to capture.`)
  ensure(
    amount === open || context.supports(payment, 'partialCapture'),
    'OPERATION_UNSUPPORTED',
    `${payment.providerId} captures in full only.`,
  )
  const first = moved(payment.captures).length === 0
  ensure(
    first || context.supports(payment, 'multiplePartialCaptures'),
    'OPERATION_UNSUPPORTED',
    `${payment.providerId} captures once only.`,
  )
  const { clientTransactionId } = request
  const said = context.ask(payment.providerId, { outcome: 'approved' })
  if (said.outcome !== 'declined')
    return movementDecision(take(unchanged(payment), context, amount, clientTransactionId, said), 'captures')
  const asked = { transactionId: context.ids.uuid(), clientTransactionId, amount, at: context.now }
  return movementDecision(declineMovement(payment, 'captures', asked, said), 'captures')
}

/** Captures an amount and leaves its settlement to the clock (R4). */
export const take = (
  change: Change,
  { ids, now, rules }: Context,
  amount: number,
  clientTransactionId: string,
  said: ProviderAnswer = { outcome: 'approved' },
): Change => {
  const { payment } = change
  const captured = payment.captured + amount
  const { after: settleAfter } = payment.arranged?.settlement ?? { after: rules.settleAfter }
  const movement = { transactionId: ids.uuid(), clientTransactionId, amount, at: now, settled: false }
  return record(change, {
    cause: 'capture',
    outcome: captured === payment.amount ? 'full' : 'partial',
    at: now,
    amount,
    movement,
    statusInfo: statusInfoOf(payment.providerId, said, captured === payment.amount ? 'Captured' : 'Captured in part'),
    update: { ...withTold(payment, said).update, captured, captures: [...payment.captures, movement] },
    deadlines: [{ name: 'settlement', dueAt: now + settleAfter, movementId: movement.transactionId }],
  })
}
