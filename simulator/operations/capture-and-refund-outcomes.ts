import { applyTransition, createEmptyChange } from '../payments/apply-transition.ts'
import type { CaptureOrRefund, Deadline, Payment, PaymentChange } from '../payments/payment.ts'
import type { ProviderResponse } from '../providers/provider.ts'
import { toStatusInfo } from '../providers/provider-response-mapping.ts'
import type { Decision, OperationContext } from './operation-types.ts'
import { toCaptureOrRefundBody, toStatusFields } from './response-bodies.ts'

const CAUSES = { captures: 'capture', refunds: 'refund' } as const
type List = keyof typeof CAUSES

/** Creates the decision of `capture` or `refund`; its response is about the payment's last capture or refund (D-50). */
export const toCaptureOrRefundDecision = (change: PaymentChange, list: List): Decision => {
  const { payment } = change
  const movement = payment[list].at(-1)
  if (!movement) throw new Error(`The payment ${payment.transactionId} has no ${list}.`)
  const moved = movement.declined === undefined && !movement.accepted
  const { providerDetails, status, statusInfo } = toCaptureOrRefundBody(payment, movement)
  return {
    answer: {
      processingAccountId: payment.processingAccountId,
      transactionId: movement.transactionId,
      originalTransactionId: payment.transactionId,
      clientTransactionId: movement.clientTransactionId,
      paymentDetails: { amount: movement.amount },
      providerDetails,
      ...(moved ? toStatusFields(payment) : { status, statusInfo }),
    },
    change,
  }
}

/** Creates the provider's record of a capture or refund, with what a mock set in it (2.7). */
export const createProviderRecord = (
  { details }: ProviderResponse,
  { ids, now }: Pick<OperationContext, 'ids' | 'now'>,
): NonNullable<CaptureOrRefund['provider']> => ({
  providerTransactionId: details?.providerTransactionId ?? ids.uuid(),
  registeredAt: details?.registeredAt ?? now,
})

/** Copies a capture or refund with the statusInfo of a scripted approval. */
export const withStatusInfo = (movement: CaptureOrRefund, { statusInfo }: Pick<ProviderResponse, 'statusInfo'>) =>
  statusInfo ? { ...movement, statusInfo } : movement

type Declined = Extract<ProviderResponse, { outcome: 'declined' | 'lapsed' }>

/** Records a capture or refund that the provider declined; the payment's state does not change (7.5). */
export const declineCaptureOrRefund = (
  payment: Payment,
  list: List,
  asked: CaptureOrRefund,
  said: Declined,
): PaymentChange => {
  const { at, amount } = asked
  const statusInfo = toStatusInfo(payment.providerId, said, 'Declined')
  const movement = { ...asked, declined: said.code ?? true, ...(said.statusInfo ? { statusInfo } : {}) } as const
  const update = { [list]: [...payment[list], movement] }
  return applyTransition(createEmptyChange(payment), {
    cause: CAUSES[list],
    outcome: 'declined',
    at,
    amount,
    movement,
    statusInfo,
    update,
  })
}

/** Records a refund that the provider accepted but not yet made; schedules its outcome, if one is scripted (R1). */
export const acceptRefund = (
  payment: Payment,
  asked: CaptureOrRefund,
  said: Extract<ProviderResponse, { outcome: 'accepted' }>,
): PaymentChange => {
  const { at, amount, transactionId: captureOrRefundId } = asked
  const statusInfo = toStatusInfo(payment.providerId, said, 'Accepted')
  const { later } = said
  const deadlines: Deadline[] = later ? [{ name: 'refund-outcome', dueAt: at + later.after, captureOrRefundId }] : []
  const movement = { ...asked, accepted: later ?? true, ...(said.statusInfo ? { statusInfo } : {}) } as const
  return applyTransition(createEmptyChange(payment), {
    cause: 'refund',
    outcome: 'accepted',
    at,
    amount,
    movement,
    statusInfo,
    update: { refunds: [...payment.refunds, movement] },
    deadlines,
  })
}
