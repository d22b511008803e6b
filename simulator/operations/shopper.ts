import type { Change, Payment } from '../payments/payment.ts'
import { record, unchanged } from '../payments/record.ts'
import type { ShopperAction } from '../providers/provider.ts'
import { providerOf, statusInfoOf, withCode } from '../providers/providers.ts'

const MESSAGES = { approve: 'Consent given, waiting for finalize', decline: 'Declined by the shopper' } as const

/** The shopper decides in the bank app or at the bank (3 sequence 1); too late is refused like any move out of order. */
export const decideAsShopper = (payment: Payment, action: ShopperAction, now: number): Change => {
  const answer = providerOf(payment.providerId).shopper[action]
  return record(unchanged(payment), {
    cause: 'shopper',
    outcome: answer.outcome,
    at: now,
    statusInfo: statusInfoOf(payment.providerId, answer, MESSAGES[action]),
    ...withCode(payment, answer),
  })
}
