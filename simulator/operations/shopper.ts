import { DECLINES } from '../../contracts/protocol/declines.ts'
import type { Arranged, Change, Payment } from '../payments/payment.ts'
import { record, unchanged } from '../payments/record.ts'
import type { ProviderAnswer, ShopperDecision } from '../providers/provider.ts'
import { providerOf, statusInfoOf, withTold } from '../providers/providers.ts'
import { ensure } from '../refusal.ts'
import { UNEXPLAINED } from '../scenarios/mock-answer.ts'

const MESSAGES = { approve: 'Consent given, waiting for finalize', decline: 'Declined by the shopper' } as const

/**
 * The shopper decides in the bank app or at the bank (3 sequence 1); too late is refused like any move out of order.
 * Where an outcome was arranged for the payment, the bank's side of a consent is that outcome (E3).
 */
export const decideAsShopper = (payment: Payment, decision: ShopperDecision, now: number): Change => {
  if (decision.action === 'lapse') return closeWindow(payment, now)
  ensureOpen(payment)
  if (saysNo(payment, decision)) return decline(payment, decision, now)
  return approve(keptAsWished(payment, decision), now, decision.after)
}

/** Who is asked for nothing but to be kept, and does not want that, says no to all of it (D-106). */
const saysNo = ({ transactionType }: Payment, { action, keep }: ShopperDecision): boolean =>
  action === 'decline' || (transactionType === 'TOKEN_ONLY' && keep === false)

const keptAsWished = (payment: Payment, { keep }: ShopperDecision): Payment =>
  payment.transactionType === 'RECURRING' && keep === false ? { ...payment, refusesKeeping: true } : payment

/** The shopper's own no, or the bank's with its reason, of which 7.5 knows no code (D-104). */
const decline = (payment: Payment, { cause }: ShopperDecision, now: number): Change =>
  cause === undefined
    ? decided(payment, providerOf(payment.providerId).shopper.decline, MESSAGES.decline, now)
    : decided(payment, { outcome: 'declined', statusInfo: DECLINES[cause] }, MESSAGES.decline, now)

/** While the bank is at work on a yes, nothing is left to decide: a second press comes too late. */
const ensureOpen = ({ confirmedAt, state }: Payment): void =>
  ensure(
    confirmedAt === undefined || state !== 'AWAITING_SHOPPER',
    'TRANSITION_NOT_ALLOWED',
    'The shopper has confirmed, and the bank is at work: wait for what it says.',
  )

const approve = (payment: Payment, now: number, bankTakes: number | undefined): Change => {
  const { shopper } = payment.arranged ?? {}
  if (payment.state !== 'AWAITING_SHOPPER') return actAsArranged(payment, now)
  if (shopper?.outcome === 'lapsed') return unchanged(payment)
  const after = shopper?.after ?? bankTakes
  return after === undefined ? actAsArranged(payment, now) : actLater(payment, now, after)
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
const actLater = (payment: Payment, now: number, after: number): Change => ({
  ...unchanged({ ...payment, confirmedAt: now }),
  deadlines: [{ name: 'shopper-act', dueAt: now + after }],
})

/** The shopper did not act within the window (R6, R7). */
export const closeWindow = (payment: Payment, at: number): Change => {
  const answer = providerOf(payment.providerId).lapse
  return record(unchanged(payment), {
    cause: 'window',
    outcome: 'lapsed',
    at,
    statusInfo: statusInfoOf(payment.providerId, answer, 'Expired'),
    ...withTold(payment, answer),
  })
}

const decided = (payment: Payment, answer: ProviderAnswer, otherwise: string, at: number): Change =>
  record(unchanged(payment), {
    cause: 'shopper',
    outcome: answer.outcome,
    at,
    statusInfo: statusInfoOf(payment.providerId, answer, otherwise),
    ...withTold(payment, answer),
  })
