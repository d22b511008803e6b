import type { components } from '../../contracts/openapi.gen.ts'
import { applyTransition, createEmptyChange, transitionNotAllowed } from '../payments/apply-transition.ts'
import { isAllowed } from '../payments/lifecycle.ts'
import { excludeDeclined, type PaymentChange } from '../payments/payment.ts'
import type { ProviderResponse } from '../providers/provider.ts'
import { toProviderUpdate, toStatusInfo } from '../providers/provider-response-mapping.ts'
import { ensure } from '../support/refusal.ts'
import { declineCaptureOrRefund, toCaptureOrRefundDecision } from './capture-and-refund-outcomes.ts'
import type { OperationContext, PaymentOperation } from './operation-types.ts'
import { releaseHold } from './release-hold.ts'

type CaptureRequest = components['schemas']['CaptureRequest']

/** Operation `capture`: takes authorized funds in full or in part (R4: settled later; R5: no second full capture). */
export const capture: PaymentOperation<CaptureRequest> = (request, context) => {
  const { payment } = context
  if (!isAllowed(payment.state, 'capture')) throw transitionNotAllowed(payment, 'capture')
  const open = payment.amount - payment.captured
  const amount = request.paymentDetails?.amount ?? open
  const tooMuch = context.rules.choices['D-40'] === '400' ? 'INVALID_INPUT' : 'TRANSITION_NOT_ALLOWED'
  ensure(amount <= open, tooMuch, `${amount} is more than the ${open} left to capture.`)
  ensure(
    amount === open || context.supports(payment, 'partialCapture'),
    'OPERATION_UNSUPPORTED',
    `${payment.providerId} captures in full only.`,
  )
  const first = excludeDeclined(payment.captures).length === 0
  ensure(
    first || context.supports(payment, 'multiplePartialCaptures'),
    'OPERATION_UNSUPPORTED',
    `${payment.providerId} captures once only.`,
  )
  const { clientTransactionId } = request
  const said = context.callProvider(payment.providerId, { outcome: 'approved' })
  if (said.outcome !== 'declined') {
    const change = captureAmount(createEmptyChange(payment), context, amount, clientTransactionId, said)
    return toCaptureOrRefundDecision(
      isLastCapture(change, context) ? releaseHold(change, context.now) : change,
      'captures',
    )
  }
  const asked = { transactionId: context.ids.uuid(), clientTransactionId, amount, at: context.now }
  return toCaptureOrRefundDecision(declineCaptureOrRefund(payment, 'captures', asked, said), 'captures')
}

/** Whether something is left that no further capture can take, so that the hold ends with this one (D-119). */
const isLastCapture = ({ payment }: PaymentChange, { supports, rules }: OperationContext): boolean =>
  payment.state === 'PARTIALLY_CAPTURED' &&
  rules.choices['D-119'] === 'released' &&
  !supports(payment, 'multiplePartialCaptures')

/** Captures an amount, in minor units, and schedules its settlement (R4). */
export const captureAmount = (
  change: PaymentChange,
  { ids, now, rules }: OperationContext,
  amount: number,
  clientTransactionId: string,
  said: ProviderResponse = { outcome: 'approved' },
): PaymentChange => {
  const { payment } = change
  const captured = payment.captured + amount
  const { after: settleAfter } = payment.arranged?.settlement ?? { after: rules.settleAfter }
  const movement = { transactionId: ids.uuid(), clientTransactionId, amount, at: now, settled: false }
  return applyTransition(change, {
    cause: 'capture',
    outcome: captured === payment.amount ? 'full' : 'partial',
    at: now,
    amount,
    movement,
    statusInfo: toStatusInfo(payment.providerId, said, captured === payment.amount ? 'Captured' : 'Captured in part'),
    update: { ...toProviderUpdate(payment, said).update, captured, captures: [...payment.captures, movement] },
    deadlines: [{ name: 'settlement', dueAt: now + settleAfter, captureOrRefundId: movement.transactionId }],
  })
}
