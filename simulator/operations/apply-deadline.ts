import { applyTransition, createEmptyChange, noProblem } from '../payments/apply-transition.ts'
import { deadlinesOfState } from '../payments/deadline-kinds.ts'
import type { Deadline, Payment, PaymentChange } from '../payments/payment.ts'
import { applyScriptedDecision, expireShopperWindow } from './apply-shopper-decision.ts'
import { decideDispute, openDispute } from './disputes.ts'
import type { DeadlineRules } from './operation-types.ts'
import { completeAcceptedRefund } from './refund.ts'

type ApplyDeadline = (payment: Payment, deadline: Deadline, rules: DeadlineRules) => PaymentChange

/** Applies a passed deadline to a payment; no change if the payment has left the deadline's states. */
export const applyDeadline: ApplyDeadline = (payment, deadline, rules) =>
  deadlinesOfState(payment.state).includes(deadline.name)
    ? APPLY_DEADLINE[deadline.name](payment, deadline, rules)
    : createEmptyChange(payment)

/** Expires an authorization hold; of a partially captured payment only the remainder (R3, D-33). */
const releaseHold: ApplyDeadline = (payment, { dueAt }) => {
  const outcome = payment.captured === 0 ? 'lapsed' : payment.settled === payment.captured ? 'settled' : 'unsettled'
  const statusInfo =
    outcome === 'lapsed'
      ? { reasonCode: '2000', message: 'The authorization expired' }
      : noProblem('The rest of the authorization was released')
  return applyTransition(createEmptyChange(payment), { cause: 'hold', outcome, at: dueAt, statusInfo })
}

/** Settles a capture (R4). */
const settle: ApplyDeadline = (payment, { dueAt, captureOrRefundId }) => {
  const movement = payment.captures.find(({ transactionId }) => transactionId === captureOrRefundId)
  if (!movement || movement.settled) return createEmptyChange(payment)
  const settled = payment.settled + movement.amount
  const full = payment.state === 'CAPTURED' && settled === payment.captured
  const { dispute } = payment.arranged ?? {}
  return applyTransition(createEmptyChange(payment), {
    cause: 'settle',
    outcome: full ? 'full' : 'partial',
    at: dueAt,
    amount: movement.amount,
    movement,
    statusInfo: noProblem(full ? 'Settled' : 'Settled in part'),
    update: {
      settled,
      captures: payment.captures.map(known => (known === movement ? { ...known, settled: true } : known)),
    },
    deadlines: full && dispute ? [{ name: 'dispute', dueAt: dueAt + dispute.after }] : [],
  })
}

const APPLY_DEADLINE: Readonly<Record<Deadline['name'], ApplyDeadline>> = {
  'shopper-act': (payment, { dueAt: now }, { choices }) => applyScriptedDecision(payment, { now, choices }),
  'refund-outcome': completeAcceptedRefund,
  dispute: openDispute,
  'dispute-decision': decideDispute,
  'shopper-window': (payment, { dueAt }) => expireShopperWindow(payment, dueAt),
  hold: releaseHold,
  settlement: settle,
}
