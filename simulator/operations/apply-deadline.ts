import { applyTransition, createEmptyChange, noProblem } from '../payments/apply-transition.ts'
import { deadlinesOfState } from '../payments/deadline-kinds.ts'
import type { Deadline, Payment, PaymentChange } from '../payments/payment.ts'
import { applyScriptedDecision, expireShopperWindow } from './apply-shopper-decision.ts'
import { decideDispute, disputeDeadline, openDispute } from './disputes.ts'
import type { DeadlineRules } from './operation-types.ts'
import { completeAcceptedRefund } from './refund.ts'
import { releaseHold } from './release-authorization-hold.ts'

type ApplyDeadline = (payment: Payment, deadline: Deadline, rules: DeadlineRules) => PaymentChange

/** Applies a passed deadline to a payment; no change if the payment has left the deadline's states. */
export const applyDeadline: ApplyDeadline = (payment, deadline, rules) =>
  deadlinesOfState(payment.state).includes(deadline.name)
    ? APPLY_DEADLINE[deadline.name](payment, deadline, rules)
    : createEmptyChange(payment)

/** Expires a payment whose consent nobody finalized in time (D-118). */
const expireConsent: ApplyDeadline = (payment, { dueAt }) =>
  applyTransition(createEmptyChange(payment), {
    cause: 'consent',
    outcome: 'lapsed',
    at: dueAt,
    statusInfo: { reasonCode: '2000', message: 'The consent was not finalized in time' },
  })

/** Settles a capture (R4). */
const settle: ApplyDeadline = (payment, { dueAt, captureOrRefundId }) => {
  const movement = payment.captures.find(({ transactionId }) => transactionId === captureOrRefundId)
  if (!movement || movement.settled) return createEmptyChange(payment)
  const settled = payment.settled + movement.amount
  const full = payment.state === 'CAPTURED' && settled === payment.captured
  return applyTransition(createEmptyChange(payment), {
    cause: 'settle',
    outcome: full ? (payment.refunded > 0 ? 'refunded' : 'full') : 'partial',
    at: dueAt,
    amount: movement.amount,
    movement,
    statusInfo: noProblem(full ? 'Settled' : 'Settled in part'),
    update: {
      settled,
      captures: payment.captures.map(known => (known === movement ? { ...known, settled: true } : known)),
    },
    deadlines: full && payment.refunded === 0 ? disputeDeadline(payment, dueAt) : [],
  })
}

const APPLY_DEADLINE: Readonly<Record<Deadline['name'], ApplyDeadline>> = {
  'shopper-act': (payment, { dueAt: now }, rules) => applyScriptedDecision(payment, { now, rules }),
  'refund-outcome': completeAcceptedRefund,
  dispute: openDispute,
  'dispute-decision': decideDispute,
  'shopper-window': (payment, { dueAt }) => expireShopperWindow(payment, dueAt),
  consent: expireConsent,
  hold: (payment, { dueAt }) => releaseHold(createEmptyChange(payment), dueAt),
  settlement: settle,
}
