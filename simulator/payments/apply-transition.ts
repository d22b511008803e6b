import { NO_PROBLEM, REFUSALS } from '../../contracts/protocol/reason-codes.ts'
import { Refusal } from '../support/refusal.ts'
import { type Cause, findTransition, type Outcome, STATES, type Transition } from './lifecycle.ts'
import type {
  CaptureOrRefund,
  Deadline,
  LedgerEntry,
  NewPayment,
  Payment,
  PaymentChange,
  PaymentEvent,
  StatusInfo,
} from './payment.ts'

/** Creates a statusInfo that reports no problem (D-06). */
export const noProblem = (message: string): StatusInfo => ({ reasonCode: NO_PROBLEM, message })

/** Creates the empty change of a payment, to which transitions are applied. */
export const createEmptyChange = (payment: Payment): PaymentChange => ({
  payment,
  events: [],
  deadlines: [],
  ledgerEntries: [],
})

type Step = {
  cause: Cause
  outcome: Outcome
  at: number
  statusInfo: StatusInfo
  /** Changes of the payment beside state and statusInfo. */
  update?: Partial<Payment>
  /** Amount of the event in minor units, if it has one. */
  amount?: number
  /** The capture or refund that it is about; a ledger entry is created unless it was declined or only accepted. */
  movement?: CaptureOrRefund
  deadlines?: readonly Deadline[]
}

/** Applies a transition of the table to a payment; refuses with 422/5002 if the table has no such row (R5). */
export const applyTransition = (change: PaymentChange, move: Step): PaymentChange => {
  const { payment } = change
  const row = findTransition(payment.state, move.cause, move.outcome)
  if (!row) throw transitionNotAllowed(payment, move.cause)
  const stays = ['declined', 'accepted'].includes(row.outcome) && row.to === row.from // only the event reports it
  const statusInfo = stays ? payment.statusInfo : move.statusInfo
  const moved: Payment = { ...payment, ...move.update, state: row.to, statusInfo }
  return {
    payment: moved,
    ...(change.isNew ? { isNew: true } : {}),
    events: [...change.events, toEvent(row, move)],
    deadlines: [...change.deadlines, ...(move.deadlines ?? [])],
    ledgerEntries: [...change.ledgerEntries, ...toLedgerEntries(move)],
  }
}

/** Creates a payment by the transition of the table that begins it. */
export const beginPayment = (payment: NewPayment, move: Step): PaymentChange => {
  const row = findTransition('NEW', move.cause, move.outcome)
  if (!row) throw new Error(`No payment begins by ${move.cause} with the outcome ${move.outcome}.`)
  return {
    payment: { ...payment, ...move.update, state: row.to, statusInfo: move.statusInfo, createdAt: move.at },
    isNew: true,
    events: [toEvent(row, move)],
    deadlines: move.deadlines ?? [],
    ledgerEntries: [],
  }
}

const toEvent = ({ event: type, to: state }: Transition, step: Step): PaymentEvent => {
  const { cause, at, statusInfo, amount, movement } = step
  return {
    type,
    cause,
    at,
    state,
    statusInfo,
    ...(amount === undefined ? {} : { amount }),
    ...(movement ? { captureOrRefund: toStepIds(movement) } : {}),
  }
}

const toStepIds = ({ transactionId, clientTransactionId }: CaptureOrRefund) => ({ transactionId, clientTransactionId })

/** Kind of ledger (accounting) entry that each cause creates. */
const LEDGER_KIND_OF_CAUSE: Partial<Record<Cause, LedgerEntry['kind']>> = {
  capture: 'capture',
  settle: 'settlement',
  refund: 'refund',
  dispute: 'refund', // a lost dispute refunds the payer
}

const toLedgerEntries = ({ cause, outcome, movement, at }: Step): LedgerEntry[] => {
  const kind = LEDGER_KIND_OF_CAUSE[cause]
  if (!kind || !movement || outcome === 'declined' || outcome === 'accepted') return []
  const { transactionId, clientTransactionId, amount } = movement
  return [{ kind, captureOrRefundId: transactionId, clientTransactionId, amount, at }]
}

/** Creates the refusal of a transition that the payment's state does not allow (R5). */
export const transitionNotAllowed = (payment: Payment, cause: Cause): Refusal =>
  new Refusal(
    'TRANSITION_NOT_ALLOWED',
    'operation',
    `A payment that is ${payment.state} (${STATES[payment.state].status}) does not allow ${cause}.`,
    { diagnosis: { state: payment.state, cause, rule: REFUSALS.TRANSITION_NOT_ALLOWED.meaning } },
  )
