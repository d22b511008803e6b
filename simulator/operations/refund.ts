import type { components } from '../../contracts/openapi.gen.ts'
import { applyTransition, createEmptyChange, noProblem, transitionNotAllowed } from '../payments/apply-transition.ts'
import { isAllowed } from '../payments/lifecycle.ts'
import {
  type CaptureOrRefund,
  type Deadline,
  excludeDeclined,
  type Payment,
  type PaymentChange,
  sumAcceptedRefunds,
} from '../payments/payment.ts'
import type { ProviderResponse } from '../providers/provider.ts'
import { UNEXPLAINED_DECLINE } from '../scenarios/create-scripted-response.ts'
import { ensure } from '../support/refusal.ts'
import {
  acceptRefund,
  createProviderRecord,
  declineCaptureOrRefund,
  toCaptureOrRefundDecision,
  withStatusInfo,
} from './capture-and-refund-outcomes.ts'
import type { PaymentOperation, PaymentOperationContext } from './operation-types.ts'

type RefundRequest = components['schemas']['RefundRequest']

/** How a refund of too much is refused, and whether the provider accepts refunds before it makes them. */
const REFUND_RULES = {
  '422': { tooMuch: 'TRANSITION_NOT_ALLOWED', acceptsFirst: false },
  '400': { tooMuch: 'INVALID_INPUT', acceptsFirst: false },
  'accepted-first': { tooMuch: 'TRANSITION_NOT_ALLOWED', acceptsFirst: true },
} as const

const rulesOfRefund = ({ rules }: PaymentOperationContext) => REFUND_RULES[rules.choices['D-41']]

/** Decides operation `refund`: refunds settled money in full or in part, never more than was settled (R1, R5). */
export const refund: PaymentOperation<RefundRequest> = (request, context) => {
  const { payment, ids, now } = context
  if (!isAllowed(payment.state, 'refund') || isTooEarly(context)) throw transitionNotAllowed(payment, 'refund')
  const { amount = refundableAmount(payment), description } = request.paymentDetails ?? {}
  ensureRefundable(amount, context)
  const asked = {
    transactionId: ids.uuid(),
    clientTransactionId: request.clientTransactionId,
    amount,
    at: now,
    ...(description === undefined ? {} : { description }),
  }
  const said = context.callProvider(payment.providerId, healthyResponse(context))
  const movement = { ...asked, provider: createProviderRecord(said, context) }
  if (said.outcome === 'declined')
    return toCaptureOrRefundDecision(declineCaptureOrRefund(payment, 'refunds', movement, said), 'refunds')
  if (said.outcome === 'accepted') return toCaptureOrRefundDecision(acceptRefund(payment, movement, said), 'refunds')
  const made = withStatusInfo(movement, said)
  return toCaptureOrRefundDecision(refundAmount({ ...payment, refunds: [...payment.refunds, made] }, made), 'refunds')
}

/** Whether nothing has settled, or a settled part cannot be refunded (R1, D-120). */
const isTooEarly = ({ payment, rules }: PaymentOperationContext): boolean =>
  isBeforeFullSettlement(payment) && (payment.settled === 0 || rules.choices['D-120'] === 'settled-payment')

const isBeforeFullSettlement = ({ state }: Payment): boolean => state === 'CAPTURED' || state === 'PARTIALLY_CAPTURED'

const healthyResponse = (context: PaymentOperationContext): ProviderResponse =>
  rulesOfRefund(context).acceptsFirst
    ? { outcome: 'accepted', later: { outcome: 'approved', after: context.rules.settleAfter } }
    : { outcome: 'approved' }

/** Applies an approved refund, which `payment.refunds` already lists, to the payment. */
const refundAmount = (payment: Payment, movement: CaptureOrRefund): PaymentChange => {
  const { amount, at } = movement
  const refunded = payment.refunded + amount
  const isFull = refunded === payment.settled && !isBeforeFullSettlement(payment)
  return applyTransition(createEmptyChange(payment), {
    cause: 'refund',
    outcome: isFull ? 'full' : 'partial',
    at,
    amount,
    movement,
    statusInfo: movement.statusInfo ?? noProblem(isFull ? 'Refunded' : 'Refunded in part'),
    update: { refunded },
  })
}

/** Completes an accepted refund with the provider's final outcome, approved or declined (R1). */
export const completeAcceptedRefund = (payment: Payment, { dueAt, captureOrRefundId }: Deadline): PaymentChange => {
  const asked = payment.refunds.find(({ transactionId }) => transactionId === captureOrRefundId)
  if (!asked?.accepted || asked.accepted === true) return createEmptyChange(payment)
  const { accepted: _accepted, statusInfo: _said, ...movement } = asked
  const { outcome, statusInfo } = asked.accepted
  const refundsWith = (ended: CaptureOrRefund) => payment.refunds.map(known => (known === asked ? ended : known))
  if (outcome === 'approved') {
    const made = withStatusInfo(movement, asked.accepted)
    return refundAmount({ ...payment, refunds: refundsWith(made) }, { ...made, at: dueAt })
  }
  const told = statusInfo ?? UNEXPLAINED_DECLINE
  return applyTransition(createEmptyChange(payment), {
    cause: 'refund',
    outcome,
    at: dueAt,
    amount: movement.amount,
    movement,
    statusInfo: told,
    update: { refunds: refundsWith({ ...movement, declined: true, statusInfo: told }) },
  })
}

/** Returns the refundable amount in minor units; accepted refunds reserve theirs until their outcome is known. */
const refundableAmount = ({ settled, refunded, refunds }: Payment): number =>
  settled - refunded - sumAcceptedRefunds(refunds)

const ensureRefundable = (amount: number, context: PaymentOperationContext): void => {
  const { payment, supports } = context
  const { providerId } = payment
  const open = refundableAmount(payment)
  ensure(supports(payment, 'refund'), 'OPERATION_UNSUPPORTED', `${providerId} has no refunds.`)
  const isWaiting = sumAcceptedRefunds(payment.refunds) > 0
  const cause = isWaiting ? 'until the accepted refunds are through' : 'of what has settled'
  ensure(open > 0, 'TRANSITION_NOT_ALLOWED', `Nothing is left to refund ${cause}.`)
  ensure(amount <= open, rulesOfRefund(context).tooMuch, `${amount} is more than the ${open} left to refund.`)
  const partial = amount < payment.captured
  ensure(!partial || supports(payment, 'partialRefund'), 'OPERATION_UNSUPPORTED', `${providerId} refunds in full only.`)
  const first = excludeDeclined(payment.refunds).length === 0
  ensure(
    first || supports(payment, 'multiplePartialRefunds'),
    'OPERATION_UNSUPPORTED',
    `${providerId} refunds once only.`,
  )
}
