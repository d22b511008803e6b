import { NO_PROBLEM, REFUSALS } from '../../contracts/protocol/reason-codes.ts'
import { Refusal } from '../refusal.ts'
import { type Cause, STATES, transition } from './lifecycle.ts'
import type { Change, Deadline, Movement, Payment, Posting, StatusInfo } from './payment.ts'

/** A statusInfo that reports no problem (D-06). */
export const noProblem = (message: string): StatusInfo => ({ reasonCode: NO_PROBLEM, message })

/** A payment that nothing has happened to yet in this unit of work. */
export const unchanged = (payment: Payment): Change => ({ payment, events: [], deadlines: [], postings: [] })

type Move = {
  cause: Cause
  outcome: string
  at: number
  statusInfo: StatusInfo
  /** What the move changes beside state and statusInfo. */
  update?: Partial<Payment>
  /** Minor units, where the event is about a sum. */
  amount?: number
  /** The capture or refund by which money moves. */
  movement?: Movement
  deadlines?: readonly Deadline[]
}

/** Moves a payment along the table of transitions, or refuses with 422/5002 where the table has no such row (R5). */
export const record = (change: Change, move: Move): Change => {
  const { payment } = change
  const isFirst = payment.createdAt === NEVER
  const row = transition(isFirst ? 'NEW' : payment.state, move.cause, move.outcome)
  if (!row) throw notAllowed(payment, move.cause)
  const stays = row.outcome === 'declined' && row.to === row.from // the payment goes on as it was; only the event tells
  const statusInfo = stays ? payment.statusInfo : move.statusInfo
  const moved: Payment = { ...payment, ...move.update, state: row.to, statusInfo }
  if (isFirst) moved.createdAt = move.at
  const event = { type: row.event, cause: move.cause, at: move.at, state: row.to, statusInfo: move.statusInfo }
  return {
    payment: moved,
    ...(isFirst || change.begins ? { begins: true } : {}),
    events: [...change.events, move.amount === undefined ? event : { ...event, amount: move.amount }],
    deadlines: [...change.deadlines, ...(move.deadlines ?? [])],
    postings: [...change.postings, ...postingsOf(move)],
  }
}

/** Moves that book money, and as what. */
const BOOKED: Partial<Record<Cause, Posting['kind']>> = {
  capture: 'capture',
  settle: 'settlement',
  refund: 'refund',
  dispute: 'refund', // a lost one: the payer has the money back
}

const postingsOf = ({ cause, movement, at }: Move): Posting[] => {
  const kind = BOOKED[cause]
  if (!kind || !movement) return []
  const { transactionId, clientTransactionId, amount } = movement
  return [{ kind, movementId: transactionId, clientTransactionId, amount, at }]
}

/** `createdAt` of a payment that has not made its first move. */
export const NEVER = -1

/** The refusal of a move that the payment's state does not allow (R5). */
export const notAllowed = (payment: Payment, cause: Cause): Refusal =>
  new Refusal(
    'TRANSITION_NOT_ALLOWED',
    'operation',
    `A payment that is ${payment.state} (${STATES[payment.state].status}) does not allow ${cause}.`,
    { diagnosis: { state: payment.state, cause, rule: REFUSALS.TRANSITION_NOT_ALLOWED.meaning } },
  )
