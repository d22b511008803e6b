import { applyTransition, createEmptyChange, noProblem, transitionNotAllowed } from '../payments/apply-transition.ts'
import { isAllowed } from '../payments/lifecycle.ts'
import { createMandate } from '../payments/mandate.ts'
import type { Payment, PaymentChange } from '../payments/payment.ts'
import { isOpenForRetry } from '../payments/temporary-decline.ts'
import type { ProviderResponse } from '../providers/provider.ts'
import { toProviderUpdate, toStatusInfo } from '../providers/provider-response-mapping.ts'
import { captureAtOnce } from './capture.ts'
import type { Decision, PaymentOperation, PaymentOperationContext } from './operation-types.ts'
import { toPaymentBody } from './response-bodies.ts'

/**
 * Decides operation `finalize`: completes the authorization after the shopper's consent, and captures with
 * autoCapture (3 sequence 1). A payer's consent to later payments creates a mandate (D-62). Before the shopper's
 * decision the payment does not change and the response says PENDING (D-34).
 */
export const finalize: PaymentOperation<unknown> = (_request, context) => {
  const { payment } = context
  const awaited = payment.state === 'AWAITING_SHOPPER'
  if (awaited && !speaksForShopper(context)) return tooEarly(context)
  if (!awaited && !isAllowed(payment.state, 'finalize')) return tooLate(context)
  const said = context.callProvider(payment.providerId, { outcome: 'approved' })
  if (said.outcome === 'pending') return { answer: stillPending(payment, said, context) }
  if (said.outcome === 'declined') return decline(payment, said, awaited ? 'shopper' : 'finalize', context)
  const consented = awaited ? consent(payment, context) : createEmptyChange(payment)
  const mandate = createMandate(payment, context.ids, context.now)
  const kept = { ...consented.payment, ...(mandate ? { paymentToken: mandate.paymentToken } : {}) }
  const complete = payment.transactionType === 'TOKEN_ONLY' ? tokenize : pay
  const change = complete({ ...consented, payment: kept }, said, context)
  return { answer: toPaymentBody(change.payment, context), change, mandate }
}

/** Answers a finalize before the shopper's decision: PENDING unless chosen otherwise (D-34). */
const tooEarly = (context: PaymentOperationContext): Decision => {
  const { payment, rules } = context
  if (rules.choices['D-34'] === '422') throw transitionNotAllowed(payment, 'finalize')
  return { answer: toPaymentBody(payment, context) }
}

/** Refuses a finalize of a payment that was finalized or has ended, unless chosen otherwise (D-35). */
const tooLate = (context: PaymentOperationContext): Decision => {
  const { payment, rules } = context
  if (rules.choices['D-35'] === 'refused' || isCharge(payment)) throw transitionNotAllowed(payment, 'finalize')
  return { answer: toPaymentBody(payment, context) }
}

/** Whether a payment never waited for a shopper, so that no finalize was due (D-64). */
const isCharge = ({ provider }: Payment): boolean => provider.expiresAt === undefined

/** Whether finalize implies the shopper's consent: a MOCK without a shopper began the payment or scripts the call (E3, D-95). */
const speaksForShopper = (context: PaymentOperationContext): boolean => {
  const { mocked, scripted, arranged: ofCall, payment } = context
  if (payment.arranged?.shopper) return false
  return payment.arranged?.type === 'MOCK' || (mocked && scripted && !ofCall?.shopper)
}

/** Creates the response body while the provider has not decided (2.7): PENDING, and the payment does not change. */
const stillPending = (payment: Payment, said: ProviderResponse, context: PaymentOperationContext) => ({
  ...toPaymentBody({ ...payment, ...toProviderUpdate(payment, said).update }, context),
  status: 'PENDING',
  statusInfo: toStatusInfo(payment.providerId, said, 'Awaiting the provider'),
})

const consent = (payment: Payment, { now }: PaymentOperationContext): PaymentChange =>
  applyTransition(createEmptyChange(payment), {
    cause: 'shopper',
    outcome: 'approved',
    at: now,
    statusInfo: noProblem('Consent given'),
  })

/** Declines a payment as the provider does after the shopper's consent (7.5); a temporary decline changes nothing (D-117). */
const decline = (
  payment: Payment,
  said: ProviderResponse,
  cause: 'shopper' | 'finalize',
  context: PaymentOperationContext,
): Decision => {
  const statusInfo = toStatusInfo(payment.providerId, said, 'Declined')
  const { update } = toProviderUpdate(payment, said)
  if (isOpenForRetry(statusInfo.reasonCode, context.rules.choices))
    return { answer: { ...toPaymentBody({ ...payment, ...update }, context), status: 'DECLINED', statusInfo } }
  const change = applyTransition(createEmptyChange(payment), {
    cause,
    outcome: 'declined',
    at: context.now,
    statusInfo,
    ...(update ? { update } : {}),
  })
  return { answer: toPaymentBody(change.payment, context), change }
}

const pay = (consented: PaymentChange, said: ProviderResponse, context: PaymentOperationContext): PaymentChange => {
  const authorized = authorize(consented, said, context)
  return authorized.payment.autoCapture ? captureAtOnce(authorized, context, said) : authorized
}

/** Completes a TOKEN_ONLY payment, which creates a mandate and moves no money (1, D-62). */
const tokenize = (consented: PaymentChange, said: ProviderResponse, { now }: PaymentOperationContext): PaymentChange =>
  applyTransition(consented, {
    cause: 'finalize',
    outcome: 'tokenized',
    at: now,
    statusInfo: toStatusInfo(consented.payment.providerId, said, 'Token made'),
    ...toProviderUpdate(consented.payment, said),
  })

const authorize = (
  consented: PaymentChange,
  said: ProviderResponse,
  { now, rules }: PaymentOperationContext,
): PaymentChange =>
  applyTransition(consented, {
    cause: 'finalize',
    outcome: 'approved',
    at: now,
    statusInfo: toStatusInfo(consented.payment.providerId, said, 'Authorized'),
    ...toProviderUpdate(consented.payment, said),
    amount: consented.payment.amount,
    deadlines: [{ name: 'hold', dueAt: now + rules.holdFor }],
  })
