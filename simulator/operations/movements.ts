import type { ProviderCode } from '../../contracts/protocol/provider-codes.ts'
import type { Change, Movement, Payment } from '../payments/payment.ts'
import { record, unchanged } from '../payments/record.ts'
import { declinedInfo } from '../providers/providers.ts'
import { movementOf, statusOf } from './answers.ts'
import type { Decision } from './operation.ts'

const CAUSES = { captures: 'capture', refunds: 'refund' } as const
type List = keyof typeof CAUSES

/** What capture and refund answer: the last movement of the list, under an id of its own (D-50). */
export const movementDecision = (change: Change, list: List): Decision => {
  const { payment } = change
  const movement = payment[list].at(-1)
  if (!movement) throw new Error(`The payment ${payment.transactionId} has no ${list}.`)
  return {
    answer: {
      processingAccountId: payment.processingAccountId,
      transactionId: movement.transactionId,
      originalTransactionId: payment.transactionId,
      clientTransactionId: movement.clientTransactionId,
      paymentDetails: { amount: movement.amount },
      ...(movement.declined === undefined ? statusOf(payment) : saidNo(payment, movement)),
    },
    change,
  }
}

const saidNo = (payment: Payment, movement: Movement) => {
  const { providerDetails, status, statusInfo } = movementOf(payment, movement)
  return { providerDetails, status, statusInfo }
}

/** Lists a capture or refund to which the provider said no; the payment stays as it is (7.5). */
export const declineMovement = (
  payment: Payment,
  list: List,
  movement: Movement & { declined: ProviderCode },
): Change => {
  const { at, amount, declined } = movement
  const statusInfo = declinedInfo(payment.providerId, declined)
  const update = { [list]: [...payment[list], movement] }
  return record(unchanged(payment), { cause: CAUSES[list], outcome: 'declined', at, amount, statusInfo, update })
}
