import { DECLINES } from '../../contracts/protocol/decline-reasons.ts'
import { applyTransition, createEmptyChange } from '../payments/apply-transition.ts'
import type { Deadline, Payment, PaymentChange, ScriptedOutcome } from '../payments/payment.ts'
import { findProvider } from '../providers/find-provider.ts'
import type { ProviderResponse } from '../providers/provider.ts'
import { toProviderUpdate, toStatusInfo } from '../providers/provider-response-mapping.ts'
import type { ShopperDecision } from '../providers/shopper-decision.ts'
import { UNEXPLAINED_DECLINE } from '../scenarios/create-scripted-response.ts'
import { ensure } from '../support/refusal.ts'
import type { OperationRules } from './operation-types.ts'

/** The reasonCode of a payment that its shopper declined (7.5). */
const SHOPPER_DECLINED = '2001'

const MESSAGES = { approve: 'Consent given, waiting for finalize', decline: 'Declined by the shopper' } as const

/**
 * Applies the shopper's decision in the bank app or at the bank (3 sequence 1); refuses a decision that comes too late.
 * If the payment has a scripted outcome, a consent leads to that outcome (E3).
 */
export const applyShopperDecision = (payment: Payment, decision: ShopperDecision, when: Moment): PaymentChange => {
  ensureUndecided(payment)
  if (decision.action === 'lapse') return expireShopperWindow(payment, when.now)
  ensureUnconfirmed(payment)
  if (isDecline(payment, decision)) return decline(payment, decision, when)
  return approve(withMandateConsent(payment, decision), when, decision.after)
}

/** When a decision takes effect, and what the deployment does where the document is silent. */
type Moment = { now: number; rules: Pick<OperationRules, 'choices' | 'consentFor'> }

/** Whether a decision declines the payment: also a TOKEN_ONLY payment without consent to the mandate (D-106). */
const isDecline = ({ transactionType }: Payment, { action, keep }: ShopperDecision): boolean =>
  action === 'decline' || (transactionType === 'TOKEN_ONLY' && keep === false)

const withMandateConsent = (payment: Payment, { keep }: ShopperDecision): Payment =>
  payment.transactionType === 'RECURRING' && keep === false ? { ...payment, refusesKeeping: true } : payment

/** Declines a payment: by the shopper, or by the bank for a reason that has no code in 7.5 (D-104). */
const decline = (payment: Payment, { cause }: ShopperDecision, when: Moment): PaymentChange =>
  cause === undefined
    ? toShopperChange(payment, findProvider(payment.providerId).shopper.decline, MESSAGES.decline, when)
    : toShopperChange(payment, { outcome: 'declined', statusInfo: DECLINES[cause] }, MESSAGES.decline, when)

/** Refuses a decision about a payment that no longer waits for one (R5). */
const ensureUndecided = ({ state }: Payment): void =>
  ensure(
    state === 'AWAITING_SHOPPER',
    'TRANSITION_NOT_ALLOWED',
    `The shopper has nothing to decide any more, as the payment is ${state}: begin another one.`,
  )

/** Refuses a second decision while the bank processes the shopper's consent. */
const ensureUnconfirmed = ({ confirmedAt }: Payment): void =>
  ensure(
    confirmedAt === undefined,
    'TRANSITION_NOT_ALLOWED',
    'The shopper has confirmed, and the bank is processing it: wait for the result.',
  )

const approve = (payment: Payment, when: Moment, bankTakes: number | undefined): PaymentChange => {
  const { shopper } = payment.arranged ?? {}
  if (shopper?.outcome === 'lapsed') return createEmptyChange(payment)
  const after = shopper?.after ?? bankTakes
  return after === undefined ? applyScriptedDecision(payment, when) : scheduleConsent(payment, when.now, after)
}

/** Applies the scripted outcome of the shopper's decision (E3). */
export const applyScriptedDecision = (payment: Payment, when: Moment): PaymentChange =>
  toShopperChange(payment, scriptedResponse(payment), MESSAGES.approve, when)

const scriptedResponse = ({ arranged, providerId }: Payment): ProviderResponse => {
  const { outcome, code, statusInfo }: Partial<NonNullable<ScriptedOutcome['shopper']>> = arranged?.shopper ?? {}
  if (outcome !== 'declined') return findProvider(providerId).shopper.approve
  const words = statusInfo ? { statusInfo } : {}
  return code ? { outcome, code, ...words } : { outcome, statusInfo: statusInfo ?? UNEXPLAINED_DECLINE }
}

/** Schedules the effect of the shopper's consent in `after` milliseconds, which the bank takes to process it. */
const scheduleConsent = (payment: Payment, now: number, after: number): PaymentChange => ({
  ...createEmptyChange({ ...payment, confirmedAt: now }),
  deadlines: [{ name: 'shopper-act', dueAt: now + after }],
})

/** Expires a payment whose shopper did not act within the window (R6, R7). */
export const expireShopperWindow = (payment: Payment, at: number): PaymentChange => {
  const answer = findProvider(payment.providerId).lapse
  return applyTransition(createEmptyChange(payment), {
    cause: 'window',
    outcome: 'lapsed',
    at,
    statusInfo: toStatusInfo(payment.providerId, answer, 'Expired'),
    ...toProviderUpdate(payment, answer),
  })
}

/** Returns the deadline by which a shopper's consent must be finalized (D-118); none without a limit. */
export const consentDeadline = (now: number, { consentFor }: Pick<OperationRules, 'consentFor'>): Deadline[] =>
  consentFor === 0 ? [] : [{ name: 'consent', dueAt: now + consentFor }]

const toShopperChange = (
  payment: Payment,
  answer: ProviderResponse,
  otherwise: string,
  { now, rules }: Moment,
): PaymentChange => {
  const statusInfo = toStatusInfo(payment.providerId, answer, otherwise)
  const isCanceled = rules.choices['D-43'] === 'canceled' && statusInfo.reasonCode === SHOPPER_DECLINED
  return applyTransition(createEmptyChange(payment), {
    cause: 'shopper',
    outcome: isCanceled ? 'canceled' : answer.outcome,
    at: now,
    statusInfo,
    deadlines: answer.outcome === 'approved' ? consentDeadline(now, rules) : [],
    ...toProviderUpdate(payment, answer),
  })
}
