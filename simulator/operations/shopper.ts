import type { Arranged, Change, Payment } from '../payments/payment.ts'
import { record, unchanged } from '../payments/record.ts'
import type { ProviderAnswer, ShopperAction } from '../providers/provider.ts'
import { providerOf, statusInfoOf, withTold } from '../providers/providers.ts'
import { UNEXPLAINED } from '../scenarios/mock-answer.ts'

const MESSAGES = { approve: 'Consent given, waiting for finalize', decline: 'Declined by the shopper' } as const

/**
 * The shopper decides in the bank app or at the bank (3 sequence 1); too late is refused like any move out of order.
 * Where an outcome was arranged for the payment, the bank's side of a consent is that outcome (E3).
 */
export const decideAsShopper = (payment: Payment, action: ShopperAction, now: number): Change => {
  const { shopper } = payment.arranged ?? {}
  if (action === 'decline' || !shopper || payment.state !== 'AWAITING_SHOPPER')
    return decided(payment, providerOf(payment.providerId).shopper[action], MESSAGES[action], now)
  if (shopper.outcome === 'lapsed') return unchanged(payment)
  return shopper.after === undefined ? actAsArranged(payment, now) : actLater(payment, now + shopper.after)
}

/** What was arranged for the shopper's decision happens (E3). */
export const actAsArranged = (payment: Payment, at: number): Change =>
  decided(payment, arrangedAnswer(payment), MESSAGES.approve, at)

const arrangedAnswer = ({ arranged, providerId }: Payment): ProviderAnswer => {
  const { outcome, code, statusInfo }: Partial<NonNullable<Arranged['shopper']>> = arranged?.shopper ?? {}
  if (outcome !== 'declined') return providerOf(providerId).shopper.approve
  const words = statusInfo ? { statusInfo } : {}
  return code ? { outcome, code, ...words } : { outcome, statusInfo: statusInfo ?? UNEXPLAINED }
}

/** A bank that takes its time: the decision is made, and counts when the time is up. */
const actLater = (payment: Payment, dueAt: number): Change => ({
  ...unchanged(payment),
  deadlines: [{ name: 'shopper-act', dueAt }],
})

const decided = (payment: Payment, answer: ProviderAnswer, otherwise: string, at: number): Change =>
  record(unchanged(payment), {
    cause: 'shopper',
    outcome: answer.outcome,
    at,
    statusInfo: statusInfoOf(payment.providerId, answer, otherwise),
    ...withTold(payment, answer),
  })
