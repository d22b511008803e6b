import { isReturnAddress } from '../../contracts/protocol/return-url.ts'
import { beginPayment } from '../payments/apply-transition.ts'
import type { Deadline, InitiateRequest } from '../payments/payment.ts'
import { findProvider } from '../providers/find-provider.ts'
import { toProviderUpdate, toStatusInfo } from '../providers/provider-response-mapping.ts'
import { consentDeadline } from './apply-shopper-decision.ts'
import { usesCodeAtInitiate } from './blik-code-use-by-dialect-at-initiate.ts'
import { ensureMethodSupport } from './ensure-payment-method-support.ts'
import type { Operation, OperationContext } from './operation-types.ts'
import { createPayment } from './payment-from-request.ts'
import { toStartedPaymentBody } from './response-bodies.ts'

/**
 * Decides operation `initiate`: begins a payment with the shopper present (3 sequence 1, E4), who decides later.
 */
export const initiate: Operation<InitiateRequest> = (request, context) => {
  const { blikCode, now, mocked } = context
  const { transactionType } = request
  const provider = findProvider(request.providerDetails.providerId)
  ensureMethodSupport(request, context)
  const windowMilliseconds = provider.windowMilliseconds(context.rules)
  const answer = context.callProvider(
    provider.id,
    provider.initiate({ code: blikCode, transactionType, now, windowMilliseconds }),
  )
  const usesCode = usesCodeAtInitiate(provider.id, answer, context.rules.choices)
  const pending = answer.outcome === 'pending'
  const { payerDetails, returnUrl } = request
  const started = createPayment(request, context, {
    transactionType,
    provider: {
      expiresAt: now + windowMilliseconds,
      ...(provider.redirectPath !== undefined && !mocked ? { redirectId: context.ids.orderedSecret(now) } : {}),
      ...(pending && blikCode?.phoneId !== undefined && !mocked ? { phoneId: blikCode.phoneId } : {}),
    },
    ...(payerDetails.payerId === undefined ? {} : { payerId: payerDetails.payerId }),
    ...(payerDetails.phone ? { phone: payerDetails.phone } : {}),
    ...(returnUrl !== undefined && isReturnAddress(returnUrl) ? { returnUrl } : {}),
  })
  const change = beginPayment(started, {
    cause: 'initiate',
    outcome: answer.outcome,
    at: now,
    statusInfo: toStatusInfo(provider.id, answer, pending ? 'Awaiting user consent' : 'Accepted'),
    deadlines: deadlinesOf(answer.outcome, now + windowMilliseconds, context),
    ...toProviderUpdate(started, answer),
  })
  const { payment } = change
  return {
    answer: toStartedPaymentBody(payment, context),
    change,
    ...(usesCode && blikCode && !mocked ? { usedCodeId: blikCode.codeId } : {}),
  }
}

/** Returns the deadlines of a new payment: of its shopper, or of a consent that a mock has given (E3). */
const deadlinesOf = (outcome: string, expiresAt: number, context: OperationContext): Deadline[] => {
  if (outcome === 'accepted') return consentDeadline(context.now, context.rules)
  return outcome === 'pending' ? [{ name: 'shopper-window', dueAt: expiresAt }, ...actOf(context)] : []
}

/** Returns the deadline at which a scripted shopper decides (E3); none for a shopper who never decides. */
const actOf = ({ mocked, arranged, now, rules }: OperationContext): Deadline[] =>
  mocked && arranged?.shopper && arranged.shopper.outcome !== 'lapsed'
    ? [{ name: 'shopper-act', dueAt: now + (arranged.shopper.after ?? rules.settleAfter) }]
    : []
