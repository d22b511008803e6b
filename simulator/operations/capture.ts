import type { components } from '../../contracts/openapi.gen.ts'
import { applyTransition, createEmptyChange, noProblem, transitionNotAllowed } from '../payments/apply-transition.ts'
import { isAllowed } from '../payments/lifecycle.ts'
import { type CaptureOrRefund, excludeDeclined, type PaymentChange } from '../payments/payment.ts'
import type { ProviderResponse } from '../providers/provider.ts'
import { ensure } from '../support/refusal.ts'
import {
  createProviderRecord,
  declineCaptureOrRefund,
  toCaptureOrRefundDecision,
  withStatusInfo,
} from './capture-and-refund-outcomes.ts'
import type { OperationContext, PaymentOperation } from './operation-types.ts'
import { releaseHold } from './release-authorization-hold.ts'

type CaptureRequest = components['schemas']['CaptureRequest']

/**
 * Decides operation `capture`: takes authorized funds in full or in part (R4: settled later; R5: no second full
 * capture).
 */
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
  const said = context.callProvider(payment.providerId, { outcome: 'approved' })
  const { ids, now } = context
  const provider = createProviderRecord(said, context)
  const { clientTransactionId } = request
  const asked = { transactionId: ids.uuid(), clientTransactionId, amount, at: now, provider }
  if (said.outcome === 'declined')
    return toCaptureOrRefundDecision(declineCaptureOrRefund(payment, 'captures', asked, said), 'captures')
  const change = addCapture(createEmptyChange(payment), withStatusInfo(asked, said), context)
  const decision = toCaptureOrRefundDecision(change, 'captures')
  return isLastCapture(change, context) ? { ...decision, change: releaseHold(change, now) } : decision
}

/** Whether something is left that no further capture can take, so that the hold ends with this one (D-119). */
const isLastCapture = ({ payment }: PaymentChange, { supports, rules }: OperationContext): boolean =>
  payment.state === 'PARTIALLY_CAPTURED' &&
  rules.choices['D-119'] === 'released' &&
  !supports(payment, 'multiplePartialCaptures')

/** Captures the whole amount of a payment by the provider call that authorized it, under the payment's id at the provider. */
export const captureAtOnce = (
  change: PaymentChange,
  context: OperationContext,
  said: ProviderResponse,
): PaymentChange => {
  const { amount, clientTransactionId, provider } = change.payment
  const { providerTransactionId } = provider
  const { ids, now: at } = context
  const record = { providerTransactionId, registeredAt: said.details?.registeredAt ?? at }
  const asked = { transactionId: ids.uuid(), clientTransactionId, amount, at, provider: record }
  return addCapture(change, withStatusInfo(asked, said), context)
}

/** Applies an approved capture to the payment, and schedules its settlement (R4). */
const addCapture = (change: PaymentChange, made: CaptureOrRefund, { rules }: OperationContext): PaymentChange => {
  const { payment } = change
  const { amount, at, transactionId: captureOrRefundId, statusInfo } = made
  const captured = payment.captured + amount
  const isFull = captured === payment.amount
  const { after: settleAfter } = payment.arranged?.settlement ?? { after: rules.settleAfter }
  const movement = { ...made, settled: false }
  return applyTransition(change, {
    cause: 'capture',
    outcome: isFull ? 'full' : 'partial',
    at,
    amount,
    movement,
    statusInfo: statusInfo ?? noProblem(isFull ? 'Captured' : 'Captured in part'),
    update: { captured, captures: [...payment.captures, movement] },
    deadlines: [{ name: 'settlement', dueAt: at + settleAfter, captureOrRefundId }],
  })
}
