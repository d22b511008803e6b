import {
  idsOf,
  lifecycleOf,
  metadataOf,
  movementOf,
  payerDetailsOf,
  paymentDetailsOf,
  providerDetailsOf,
  statusOf,
  timelineOf,
} from './answers.ts'
import type { PaymentOperation } from './operation.ts'

/** The whole picture of a payment: its sums, its captures and refunds, and what happened in which order (4, 6). */
export const events: PaymentOperation<unknown> = (_request, context) => {
  const { payment } = context
  const { currency, country, description, autoCapture, ...sum } = paymentDetailsOf(payment).paymentDetails
  return {
    answer: {
      ...idsOf(payment),
      providerDetails: providerDetailsOf(payment, context),
      ...payerDetailsOf(payment),
      paymentDetails: {
        ...sum,
        capturedAmount: payment.captured,
        refundedAmount: payment.refunded,
        currency,
        country,
        description,
        autoCapture,
        captures: payment.captures.map(movement => movementOf(payment, movement)),
        refunds: payment.refunds.map(movement => movementOf(payment, movement)),
      },
      ...metadataOf(payment),
      ...statusOf(payment),
      ...lifecycleOf(payment, context),
      ...timelineOf(context.events, context),
    },
  }
}
