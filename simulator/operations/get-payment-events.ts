import type { PaymentOperation } from './operation-types.ts'
import {
  toCaptureOrRefundBody,
  toIdFields,
  toLifecycleField,
  toMetadataField,
  toPayerDetailsField,
  toPaymentDetailsField,
  toProviderDetails,
  toStatusFields,
  toTimelineField,
} from './response-bodies.ts'

/** Decides operation `events`: returns a payment with its sums, captures, refunds and event history (4, 6). */
export const getPaymentEvents: PaymentOperation<unknown> = (_request, context) => {
  const { payment } = context
  const { currency, country, description, autoCapture, ...sum } = toPaymentDetailsField(payment).paymentDetails
  return {
    answer: {
      ...toIdFields(payment),
      providerDetails: toProviderDetails(payment, context),
      ...toPayerDetailsField(payment),
      paymentDetails: {
        ...sum,
        capturedAmount: payment.captured,
        refundedAmount: payment.refunded,
        currency,
        country,
        description,
        autoCapture,
        captures: payment.captures.map(movement => toCaptureOrRefundBody(payment, movement)),
        refunds: payment.refunds.map(movement => toCaptureOrRefundBody(payment, movement)),
      },
      ...toMetadataField(payment),
      ...toStatusFields(payment),
      ...toLifecycleField(payment, context),
      ...toTimelineField(context),
    },
  }
}
