import type { Rules } from './decided-rules-of-deployment.ts'
import { stageOf } from './lifecycle.ts'
import type { Call } from './model-call-and-judged-response.ts'
import { isOver, type Limit, lasting, type ModelState, mayBeOver, type Payment, withPayment } from './model-state.ts'

const DAY = 86_400_000
/** Longest time that a simulated or mocked shopper may take; one that acts for itself may do so at any time. */
const ANY_TIME = Number.POSITIVE_INFINITY

/** One thing that time does to a payment: whether it applies, from when to when, and what becomes of it. */
type TimedChange = { limit: Limit; change(payment: Payment): Payment }

/** Limits of R3, R6 and R7 that time brings about, by the phase that they end. */
const endOf = (payment: Payment): TimedChange[] => {
  const { phase, ends } = payment
  if (!ends) return []
  const stage = stageOf(payment)
  if (phase === 'waiting')
    return [
      { limit: ends, change: ({ ends: _, ...one }) => ({ ...one, phase: 'expired', reason: '2000', changed: true }) },
    ]
  if (phase === 'authenticated' || stage === 'authorized')
    return [{ limit: ends, change: ({ ends: _, ...one }) => ({ ...one, phase: 'expired', changed: true }) }]
  if (stage === 'partly captured')
    return [{ limit: ends, change: ({ ends: _, ...one }) => ({ ...one, released: true }) }]
  return []
}

/** What time may do to a payment: settle its captures (R4), end its limits, make its shopper act, complete its refunds. */
const timedChanges = (payment: Payment, call: Call, rules: Rules): TimedChange[] => [
  ...endOf(payment),
  ...payment.captures.flatMap((capture, index) =>
    capture.settled
      ? []
      : [
          {
            limit: capture.settles,
            change: (one: Payment) => ({ ...one, captures: one.captures.with(index, { ...capture, settled: true }) }),
          },
        ],
  ),
  ...payment.refunds.flatMap((refund, index) =>
    refund.done
      ? []
      : [
          {
            limit: { from: 0, to: ANY_TIME },
            change: (one: Payment) => ({ ...one, refunds: one.refunds.with(index, { ...refund, done: true }) }),
          },
        ],
  ),
  ...(payment.phase === 'waiting' && payment.shopperActs
    ? [{ limit: { from: 0, to: ANY_TIME }, change: (one: Payment) => consented(one, call, rules) }]
    : []),
]

/** Returns a payment of the model after its shopper has consented; the consent waits for finalize (D-118). */
export const consented = ({ ends: _, ...payment }: Payment, call: Call, rules: Rules): Payment => {
  const { consentFor } = rules
  const ends = consentFor === undefined ? lasting(call, 0, ANY_TIME) : lasting(call, consentFor)
  return { ...payment, phase: 'authenticated', changed: true, ...(consentFor === ANY_TIME ? {} : { ends }) }
}

/**
 * Returns every state that the model permits one payment to be in by the time of a call: what must have happened by
 * then has happened, what may have happened may or may not.
 */
const paymentsInTime = (payment: Payment, call: Call, rules: Rules): Payment[] => {
  const states = new Map<string, Payment>()
  const reach = (one: Payment): void => {
    const changes = timedChanges(one, call, rules)
    const due = changes.filter(({ limit }) => isOver(limit, call)).sort((a, b) => a.limit.to - b.limit.to)[0]
    if (due) {
      reach(due.change(one))
      return
    }
    const name = JSON.stringify(one)
    if (states.has(name)) return
    states.set(name, one)
    for (const { limit, change } of changes) if (mayBeOver(limit, call)) reach(change(one))
  }
  reach(payment)
  return [...states.values()]
}

/**
 * Returns every model state that one may have become by the time of a call, as far as the payment of the call is
 * concerned.
 */
export const statesInTime = (state: ModelState, call: Call, rules: Rules): ModelState[] => {
  const payment = call.payment === undefined ? undefined : state.payments[call.payment]
  if (!payment || call.payment === undefined) return [state]
  const name = call.payment
  return paymentsInTime(payment, call, rules).map(one => (one === payment ? state : withPayment(state, name, one)))
}

/**
 * Returns what the model permits a payment to be once it is authorized: captured where that is automatic (2.1, 3); of
 * a token alone, perhaps without money (1, D-62).
 */
export const authorized = ({ ends: _, ...payment }: Payment, call: Call, rules: Rules): Payment[] => {
  const tokenized: Payment = { ...payment, phase: 'tokenized', changed: true }
  if (payment.type === 'TOKEN_ONLY' && rules.isConfirmed('D-62')) return [tokenized]
  const { holdFor } = rules
  const ends = holdFor === undefined ? lasting(call, 0, ANY_TIME) : lasting(call, holdFor)
  const held: Payment = { ...payment, phase: 'held', ends, changed: true }
  const paid = held.autoCapture ? captured(held, held.amount, call, rules) : held
  return payment.type === 'TOKEN_ONLY' ? [tokenized, paid] : [paid]
}

/** Returns a payment of the model with a capture of an amount added; the capture settles by itself (R4). */
export const captured = (payment: Payment, amount: number, call: Call, rules: Rules): Payment => {
  const settles = lasting(call, rules.settlesAfter ?? 0, rules.settledWithin ?? ANY_TIME)
  return { ...payment, captures: [...payment.captures, { amount, settled: false, settles }], changed: true }
}

export const KEY_LIFETIME = DAY
export const MOCK_LIFETIME = DAY

/**
 * Returns the model states after the shopper of a payment was told to decide, which has an effect only while the
 * payment waits (3, R6, D-43).
 */
export const statesAfterShopper = (
  states: readonly ModelState[],
  call: Call & { payment: string },
  decision: 'approve' | 'decline',
  rules: Rules,
): ModelState[] =>
  states.flatMap(before =>
    statesInTime(before, call, rules).map(state => {
      const payment = state.payments[call.payment]
      if (payment?.phase !== 'waiting') return state
      const { ends: _, ...one } = payment
      const declined: Payment = { ...one, phase: 'declined', reason: '2001', changed: true }
      return withPayment(state, call.payment, decision === 'approve' ? consented(payment, call, rules) : declined)
    }),
  )
