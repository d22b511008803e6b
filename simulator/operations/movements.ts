import type { Change, Deadline, Movement, Payment } from '../payments/payment.ts'
import { record, unchanged } from '../payments/record.ts'
import type { ProviderAnswer } from '../providers/provider.ts'
import { statusInfoOf, withTold } from '../providers/providers.ts'
import { movementOf, statusOf } from './answers.ts'
import type { Decision } from './operation.ts'

const CAUSES = { captures: 'capture', refunds: 'refund' } as const
type List = keyof typeof CAUSES

/** What capture and refund answer: the last movement of the list, under an id of its own (D-50). */
export const movementDecision = (change: Change, list: List): Decision => {
  const { payment } = change
  const movement = payment[list].at(-1)
  if (!movement) throw new Error(`The payment ${payment.transactionId} has no ${list}.`)
  const moved = movement.declined === undefined && !movement.accepted
  return {
    answer: {
      processingAccountId: payment.processingAccountId,
      transactionId: movement.transactionId,
      originalTransactionId: payment.transactionId,
      clientTransactionId: movement.clientTransactionId,
      paymentDetails: { amount: movement.amount },
      ...(moved ? statusOf(payment) : stillOf(payment, movement)),
    },
    change,
  }
}

/** A movement that has not moved the payment speaks for itself. */
const stillOf = (payment: Payment, movement: Movement) => {
  const { providerDetails, status, statusInfo } = movementOf(payment, movement)
  return { providerDetails, status, statusInfo }
}

type Declined = Extract<ProviderAnswer, { outcome: 'declined' | 'lapsed' }>

/** Lists a capture or refund to which the provider said no; the payment stays as it is (7.5). */
export const declineMovement = (payment: Payment, list: List, asked: Movement, said: Declined): Change => {
  const { at, amount } = asked
  const statusInfo = statusInfoOf(payment.providerId, said, 'Declined')
  const movement = { ...asked, declined: said.code ?? true, ...(said.statusInfo ? { statusInfo } : {}) } as const
  const update = { [list]: [...payment[list], movement] }
  return record(unchanged(payment), { cause: CAUSES[list], outcome: 'declined', at, amount, statusInfo, update })
}

/** Lists a refund that the provider has taken on; the clock tells what becomes of it, if anything (R1). */
export const acceptRefund = (
  payment: Payment,
  asked: Movement,
  said: Extract<ProviderAnswer, { outcome: 'accepted' }>,
): Change => {
  const { at, amount, transactionId: movementId } = asked
  const statusInfo = statusInfoOf(payment.providerId, said, 'Accepted')
  const { later } = said
  const deadlines: Deadline[] = later ? [{ name: 'refund-outcome', dueAt: at + later.after, movementId }] : []
  const movement = { ...asked, accepted: later ?? true, ...(said.statusInfo ? { statusInfo } : {}) } as const
  return record(unchanged(payment), {
    cause: 'refund',
    outcome: 'accepted',
    at,
    amount,
    statusInfo,
    update: { ...withTold(payment, said).update, refunds: [...payment.refunds, movement] },
    deadlines,
  })
}
