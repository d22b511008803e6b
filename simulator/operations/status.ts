import { idsOf, lifecycleOf, metadataOf, statusOf } from './answers.ts'
import type { PaymentOperation } from './operation.ts'

/** The payment as it stands now (4). */
export const status: PaymentOperation<unknown> = (_request, context) => ({
  answer: {
    ...idsOf(context.payment),
    ...metadataOf(context.payment),
    ...statusOf(context.payment),
    ...lifecycleOf(context.payment, context),
  },
})
