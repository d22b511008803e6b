import { allows } from '../payments/lifecycle.ts'
import { notAllowed, record, unchanged } from '../payments/record.ts'
import { statusInfoOf, withTold } from '../providers/providers.ts'
import { answerOf } from './finalize.ts'
import type { PaymentOperation } from './operation.ts'

/** Voids an authorization of which nothing was captured (R2); a provider's no leaves it standing (7.5). */
export const cancel: PaymentOperation<unknown> = (_request, context) => {
  const { payment, now } = context
  if (!allows(payment.state, 'cancel')) throw notAllowed(payment, 'cancel')
  const said = context.ask(payment.providerId, { outcome: 'approved' })
  const statusInfo = statusInfoOf(payment.providerId, said, 'Canceled')
  const { update } = withTold(payment, said)
  const kept = said.outcome === 'declined' ? {} : { update: { ...update } }
  const change = record(unchanged(payment), { cause: 'cancel', outcome: said.outcome, at: now, statusInfo, ...kept })
  const answer = answerOf(change.payment, context)
  if (said.outcome !== 'declined') return { answer, change }
  const { providerDetails } = answerOf({ ...payment, ...update }, context)
  return { answer: { ...answer, providerDetails, status: 'DECLINED', statusInfo }, change }
}
