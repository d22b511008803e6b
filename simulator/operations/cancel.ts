import { noProblem, record, unchanged } from '../payments/record.ts'
import { answerOf } from './finalize.ts'
import type { PaymentOperation } from './operation.ts'

/** Voids an authorization of which nothing was captured (R2). */
export const cancel: PaymentOperation<unknown> = (_request, context) => {
  const change = record(unchanged(context.payment), {
    cause: 'cancel',
    outcome: 'approved',
    at: context.now,
    statusInfo: noProblem('Canceled'),
  })
  return { answer: answerOf(change.payment, context), change }
}
