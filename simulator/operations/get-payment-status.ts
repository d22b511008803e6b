import type { PaymentOperation } from './operation-types.ts'
import { toIdFields, toLifecycleField, toMetadataField, toStatusFields, toSumsField } from './response-bodies.ts'

/** Decides operation `status`: returns the current status of a payment (4). */
export const getPaymentStatus: PaymentOperation<unknown> = (_request, context) => ({
  answer: {
    ...toIdFields(context.payment),
    ...toMetadataField(context.payment),
    ...toStatusFields(context.payment),
    ...toLifecycleField(context.payment, context),
    ...(context.rules.sumsInStatus ? toSumsField(context.payment) : {}),
  },
})
