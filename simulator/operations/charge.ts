import { REFUSALS } from '../../contracts/protocol/reason-codes.ts'
import { beginPayment } from '../payments/apply-transition.ts'
import { mandateFault } from '../payments/mandate.ts'
import type { ChargeRequest, NewPayment } from '../payments/payment.ts'
import { findProvider } from '../providers/find-provider.ts'
import type { ProviderResponse } from '../providers/provider.ts'
import { toProviderUpdate, toStatusInfo } from '../providers/provider-response-mapping.ts'
import { ensure } from '../support/refusal.ts'
import { captureAtOnce } from './capture.ts'
import { ensureMethodSupport } from './ensure-payment-method-support.ts'
import type { Operation, OperationContext } from './operation-types.ts'
import { createPayment } from './payment-from-request.ts'
import { toStartedPaymentBody } from './response-bodies.ts'

/**
 * Decides operation `charge`: begins a payment under a mandate, without the shopper; captures with autoCapture (3,
 * E4).
 */
export const charge: Operation<ChargeRequest> = (request, context) => {
  const { mandate, now } = context
  const provider = findProvider(request.providerDetails.providerId)
  ensureMethodSupport(request, context)
  const asked = request.payerDetails.payerId
  const fault = !context.mocked || context.arranged?.mandate ? mandateFault(mandate, asked, now) : undefined
  const refusal = REFUSALS_OF_MANDATE[context.rules.choices['D-63']]
  ensure(fault === undefined || refusal === undefined, refusal ?? 'MANDATE_REFUSED', fault ?? '')
  const payerId = (fault === undefined ? mandate?.payerId : undefined) ?? asked
  const started = createPayment(request, context, {
    transactionType: 'RECURRING',
    ...(payerId === undefined ? {} : { payerId }),
  })
  const answer = fault === undefined ? context.callProvider(provider.id, provider.charge) : declineFor(fault)
  const answered = beginPayment(started, moveOf(started, answer, context))
  const captures = answered.payment.state === 'AUTHORIZED' && answered.payment.autoCapture
  const change = captures ? captureAtOnce(answered, context, answer) : answered
  return { answer: toStartedPaymentBody(change.payment, context), change }
}

/** Refusals of a charge without a valid mandate; undefined where it is a payment that is declined. */
const REFUSALS_OF_MANDATE = {
  '422': 'MANDATE_REFUSED',
  '403': 'FORBIDDEN',
  '404': 'PAYMENT_NOT_FOUND',
  declined: undefined,
} as const

const declineFor = (message: string): ProviderResponse => {
  const { reasonCode } = REFUSALS.MANDATE_REFUSED
  return { outcome: 'declined', statusInfo: { reasonCode, message } }
}

/** Returns the transition for the provider's response: authorized with a hold, or declined with its code (7.5). */
const moveOf = (
  payment: NewPayment,
  answer: ProviderResponse,
  { now, rules }: OperationContext,
): Parameters<typeof beginPayment>[1] => ({
  cause: 'charge',
  outcome: answer.outcome,
  at: now,
  statusInfo: toStatusInfo(payment.providerId, answer, 'Authorized'),
  ...(answer.outcome === 'approved'
    ? { amount: payment.amount, deadlines: [{ name: 'hold', dueAt: now + rules.holdFor }] }
    : {}),
  ...toProviderUpdate(payment, answer),
})
