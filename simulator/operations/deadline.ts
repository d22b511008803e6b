import { deadlinesIn } from '../payments/deadlines.ts'
import type { Change, Deadline, Payment } from '../payments/payment.ts'
import { noProblem, record, unchanged } from '../payments/record.ts'
import { decideDispute, endRefund, openDispute } from './after-settlement.ts'
import { actAsArranged, closeWindow } from './shopper.ts'

type Passed = (payment: Payment, deadline: Deadline) => Change

/** What the clock does to a payment when a deadline passes; nothing where the payment has moved on. */
export const passDeadline = (payment: Payment, deadline: Deadline): Change =>
  deadlinesIn(payment.state).includes(deadline.name) ? PASSED[deadline.name](payment, deadline) : unchanged(payment)

/** The scheme lets the authorization go; of a partly captured payment only the rest (R3, D-33). */
const releaseHold: Passed = (payment, { dueAt }) => {
  const outcome = payment.captured === 0 ? 'lapsed' : payment.settled === payment.captured ? 'settled' : 'unsettled'
  const statusInfo =
    outcome === 'lapsed'
      ? { reasonCode: '2000', message: 'The authorization expired' }
      : noProblem('The rest of the authorization was released')
  return record(unchanged(payment), { cause: 'hold', outcome, at: dueAt, statusInfo })
}

/** A capture settles by itself (R4). */
const settle: Passed = (payment, { dueAt, movementId }) => {
  const movement = payment.captures.find(({ transactionId }) => transactionId === movementId)
  if (!movement || movement.settled) return unchanged(payment)
  const settled = payment.settled + movement.amount
  const full = payment.state === 'CAPTURED' && settled === payment.captured
  const { dispute } = payment.arranged ?? {}
  return record(unchanged(payment), {
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

const PASSED: Readonly<Record<Deadline['name'], Passed>> = {
  'shopper-act': (payment, { dueAt }) => actAsArranged(payment, dueAt),
  'refund-outcome': endRefund,
  dispute: openDispute,
  'dispute-decision': decideDispute,
  'shopper-window': (payment, { dueAt }) => closeWindow(payment, dueAt),
  hold: releaseHold,
  settlement: settle,
}
