import { noProblem } from '../payments/apply-transition.ts'
import { STATES, statusOfEvent } from '../payments/lifecycle.ts'
import type { CaptureOrRefund, Payment } from '../payments/payment.ts'
import {
  providerDetailsOfCaptureOrRefund,
  providerDetailsOfEvent,
  providerStatusField,
} from '../payments/provider-details-of-capture-or-refund.ts'
import { findProvider } from '../providers/find-provider.ts'
import { toDeclinedStatusInfo } from '../providers/provider-response-mapping.ts'
import { UNEXPLAINED_DECLINE } from '../scenarios/create-scripted-response.ts'
import { isoTime } from '../support/clock.ts'
import type { OperationContext, PaymentOperationContext } from './operation-types.ts'

/** Returns the response fields `status` and `statusInfo` of a payment (D-05, D-06). */
export const toStatusFields = (payment: Payment) => ({
  status: STATES[payment.state].status,
  statusInfo: payment.statusInfo,
})

/** Returns the identifier fields with which every response of the API about a payment begins (2.6). */
export const toIdFields = ({ processingAccountId, transactionId, clientTransactionId }: Payment) => ({
  processingAccountId,
  transactionId,
  clientTransactionId,
})

/** Creates the response object `providerDetails` of a payment; builds the redirect URL from the caller's pages URL. */
export const toProviderDetails = (payment: Payment, { pagesUrl }: Pick<OperationContext, 'pagesUrl'>) => {
  const { providerTransactionId, redirectId, registeredAt, expiresAt, code } = payment.provider
  const {
    redirectUrl = redirectId && `${pagesUrl}${findProvider(payment.providerId).redirectPath}/${redirectId}`,
    qrCode = redirectUrl,
  } = payment.provider
  return {
    providerId: payment.providerId,
    providerTransactionId,
    ...(redirectUrl === undefined ? {} : { redirectUrl }),
    ...(qrCode === undefined ? {} : { qrCode }),
    registeredAt: isoTime(registeredAt),
    ...(expiresAt === undefined ? {} : { expiresAt: isoTime(expiresAt) }),
    ...providerStatusField(payment.providerId, code),
  }
}

/** Returns the response field `metadata` of a payment; absent where its request had none. */
export const toMetadataField = ({ metadata }: Payment) => (metadata ? { metadata } : {})

/** Creates the response field `payerDetails`: the payer, and the token of a mandate that the payment made (D-49, D-62). */
export const toPayerDetailsField = ({ payerId, phone, paymentToken }: Payment) => ({
  payerDetails: {
    ...(payerId === undefined ? {} : { payerId }),
    ...(phone === undefined ? {} : { phone }),
    ...(paymentToken === undefined ? {} : { paymentToken }),
  },
})

/** Returns the response field `paymentDetails` of a payment, without an amount of 0. */
export const toPaymentDetailsField = ({ amount, currency, country, description, autoCapture }: Payment) => ({
  paymentDetails: { ...(amount > 0 ? { amount } : {}), currency, country, description, autoCapture },
})

/** Creates the response body of initiate and charge (D-49, D-64). */
export const toStartedPaymentBody = (payment: Payment, context: Pick<OperationContext, 'pagesUrl'>) => ({
  ...toIdFields(payment),
  providerDetails: toProviderDetails(payment, context),
  ...toMetadataField(payment),
  ...toStatusFields(payment),
})

/** Creates the response body of finalize and cancel from a payment. */
export const toPaymentBody = (payment: Payment, context: Pick<OperationContext, 'pagesUrl'>) => ({
  ...toIdFields(payment),
  providerDetails: toProviderDetails(payment, context),
  ...toPayerDetailsField(payment),
  ...toPaymentDetailsField(payment),
  ...toMetadataField(payment),
  ...toStatusFields(payment),
})

/**
 * Returns the response field `lifecycle` of a payment, an addition of the simulator; absent with --lifecycle off
 * (D-04).
 */
export const toLifecycleField = ({ state }: { state: Payment['state'] }, { rules }: Pick<OperationContext, 'rules'>) =>
  rules.showLifecycle ? { lifecycle: { state, stage: STATES[state].stage, final: STATES[state].final } } : {}

/** Returns the response field with the sums captured and refunded, for dialects that tell them in status. */
export const toSumsField = ({ captured, refunded }: Payment) => ({
  paymentDetails: { capturedAmount: captured, refundedAmount: refunded },
})

/** Converts a capture or refund to its entry in the event history, with its status. */
export const toCaptureOrRefundBody = (payment: Payment, movement: CaptureOrRefund) => ({
  transactionId: movement.transactionId,
  clientTransactionId: movement.clientTransactionId,
  paymentDetails: {
    amount: movement.amount,
    ...(movement.description === undefined ? {} : { description: movement.description }),
  },
  providerDetails: providerDetailsOfCaptureOrRefund(payment, movement),
  ...movementStatusOf(payment, movement),
  timestamp: isoTime(movement.at),
})

const movementStatusOf = ({ providerId }: Payment, { declined, accepted, settled, statusInfo }: CaptureOrRefund) => {
  if (declined !== undefined) {
    const known = declined === true ? UNEXPLAINED_DECLINE : toDeclinedStatusInfo(providerId, declined)
    return { status: 'DECLINED', statusInfo: statusInfo ?? known }
  }
  if (accepted) return { status: 'ACCEPTED', statusInfo: statusInfo ?? noProblem('Accepted') }
  return { status: 'APPROVED', statusInfo: statusInfo ?? noProblem(settled ? 'Settled' : 'Approved') }
}

/** Returns the response field `timeline`: the events of a payment in order (6), an addition of the simulator (D-04). */
export const toTimelineField = ({ events, ...context }: PaymentOperationContext) =>
  context.rules.showLifecycle
    ? {
        timeline: events.map(event => ({
          at: isoTime(event.at),
          type: event.type,
          status: statusOfEvent(event),
          statusInfo: event.statusInfo,
          ...(event.amount === undefined ? {} : { amount: event.amount }),
          ...providerDetailsOfEvent(context.payment, event),
          ...toLifecycleField(event, context),
        })),
      }
    : {}
