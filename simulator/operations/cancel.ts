import { applyTransition, createEmptyChange, transitionNotAllowed } from '../payments/apply-transition.ts'
import { isAllowed, isBeforeAuthorization } from '../payments/lifecycle.ts'
import { toProviderUpdate, toStatusInfo } from '../providers/provider-response-mapping.ts'
import type { PaymentOperation } from './operation-types.ts'
import { toPaymentBody } from './response-bodies.ts'

/**
 * Decides operation `cancel`: ends a payment without captures (R2), which stays as it is if the provider declines
 * (7.5). A choice allows it only after the authorization (D-39).
 */
export const cancel: PaymentOperation<unknown> = (_request, context) => {
  const { payment, now, rules } = context
  const isTooEarly = rules.choices['D-39'] === 'authorized' && isBeforeAuthorization(payment.state)
  if (isTooEarly || !isAllowed(payment.state, 'cancel')) throw transitionNotAllowed(payment, 'cancel')
  const said = context.callProvider(payment.providerId, { outcome: 'approved' })
  const statusInfo = toStatusInfo(payment.providerId, said, 'Canceled')
  const { update } = toProviderUpdate(payment, said)
  const calledOff = payment.state === 'AWAITING_SHOPPER' ? ({ calledOff: true } as const) : {}
  const kept = said.outcome === 'declined' ? {} : { update: { ...update, ...calledOff } }
  const change = applyTransition(createEmptyChange(payment), {
    cause: 'cancel',
    outcome: said.outcome,
    at: now,
    statusInfo,
    ...kept,
  })
  const answer = toPaymentBody(change.payment, context)
  if (said.outcome !== 'declined') return { answer, change }
  const { providerDetails } = toPaymentBody({ ...payment, ...update }, context)
  return { answer: { ...answer, providerDetails, status: 'DECLINED', statusInfo }, change }
}
