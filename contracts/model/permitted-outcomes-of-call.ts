import { OPERATIONS, startsPayment } from '../operations.ts'
import { PROVIDER_IDS } from '../protocol/providers-and-capabilities.ts'
import { boundToPayload, remember, underKey } from './calls-under-idempotency-key.ts'
import type { Rules } from './decided-rules-of-deployment.ts'
import { statesInTime } from './effects-of-time-and-shopper.ts'
import { isUnclear, refused, refusedBy } from './expectation.ts'
import { charge, initiate, inVain } from './initiate-and-charge.ts'
import { setMock } from './mock-setting-and-matching.ts'
import type { Call, JudgedResponse } from './model-call-and-judged-response.ts'
import { type ModelState, withPayment } from './model-state.ts'
import { actOn, unsupported } from './operations-on-payment.ts'
import type { Outcome } from './outcome.ts'
import { notFound, readPayment, search } from './reads.ts'
import {
  busily,
  faultsOf,
  notReached,
  statesAfterRefusal,
  withFault,
  withFaults,
  withoutFault,
  withUnmetFaults,
} from './waiting-faults.ts'

/** Returns every outcome that the contract permits for a call in one model state, each with the states that follow. */
export const permitted = (state: ModelState, call: Call, rules: Rules): Outcome[] => {
  const { broken, ...unbroken } = call
  const { keyed } = OPERATIONS[call.operation]
  if (!broken)
    return keyed ? underKey(state, call, rules, () => execute(state, call, rules)) : execute(state, call, rules)
  const refusal = { expect: refusedBy(broken), clause: broken.clause, after: [state] }
  const isOfLayers = broken.clause.startsWith('5')
  if (isOfLayers || !keyed) return [refusal]
  const isIgnored = broken.openBy !== undefined && !rules.isConfirmed(broken.openBy)
  return [
    refusal,
    ...underKey(state, call, rules, () => execute(state, unbroken, rules).filter(({ isDone }) => isIgnored || !isDone)),
  ]
}

const execute = (state: ModelState, call: Call, rules: Rules): Outcome[] => {
  const { operation, payment: name = '', by, account } = call
  if (operation === 'mockSet') return setMock(state, call, rules)
  if (operation === 'initiate') return initiate(state, call, rules)
  if (operation === 'charge') return charge(state, call, rules)
  const payment = state.payments[name]
  if (operation === 'search') return search(state, payment, call)
  const isRead = operation === 'status' || operation === 'events'
  const isForeign = payment !== undefined && !isRead && payment.account !== account
  if (!payment || payment.owner !== by)
    return [notFound(state, isForeign), ...(operation === 'capture' ? withoutCaptures(state, rules) : [])]
  if (isRead) return readPayment(state, payment, call, rules)
  const armed = withFault(state, call)
  const acted = [...withoutSum(state, call, rules), ...actOn(armed, name, armed.payments[name] ?? payment, call, rules)]
  if (!isForeign) return acted
  return [notFound(state, isForeign), ...(rules.isConfirmed('D-54') ? [] : acted)]
}

/** A capture or a refund may need an amount, of all that is left as well, until that is decided (D-47). */
const withoutSum = (state: ModelState, { operation, amount }: Call, rules: Rules): Outcome[] =>
  amount !== undefined || rules.isConfirmed('D-47') || (operation !== 'capture' && operation !== 'refund')
    ? []
    : [{ expect: refused([400, 422], '4'), clause: '4, D-47', after: [state] }]

/** A service that captures nothing by hand may say so of any payment, also of one that it does not have (7.1). */
const withoutCaptures = (state: ModelState, rules: Rules): Outcome[] =>
  PROVIDER_IDS.some(method => rules.supports('laterCapture', method) !== false)
    ? []
    : [{ expect: unsupported(rules), clause: '7.1', after: [state] }]

/**
 * Returns the model states in which the service may be after a response; none where the contract permits the response
 * in none of the states before.
 */
export const statesAfter = (
  states: readonly ModelState[],
  made: Call,
  response: JudgedResponse,
  rules: Rules,
): ModelState[] =>
  distinct(
    states
      .flatMap(before => withPending(before, made, rules))
      .flatMap(state => [{ state, call: made }, ...withUnmetFaults(state, made)])
      .flatMap(({ state, call }) => {
        if (isUnclear(response))
          return isPermittedUnclear(state, call, response) ? unclearly(state, call, response, rules) : []
        if (BUSY.allows(response)) return busily(state, call, rules)
        const isInUse = OPERATIONS[call.operation].keyed && state.pending.some(other => touches(other, call))
        if (isInUse && isConflict(state, call, response)) return [state]
        return permitted(state, call, rules)
          .filter(({ expect, clause }) => expect.allows(response) && !(isInUse && isBusy(call, clause, rules)))
          .flatMap(outcome =>
            outcome.after
              .flatMap(next => remember(next, call, response, outcome, rules))
              .map(next => noted(next, call, response))
              .flatMap(next => (outcome.isDone ? [next] : statesAfterRefusal(next, call))),
          )
      }),
  )

/** While a call is under way, others on its payment and under its key must wait, unless they are refused or replayed before (D-83). */
const isBusy = ({ broken }: Call, clause: string, rules: Rules): boolean =>
  rules.isConfirmed('D-83') && broken === undefined && clause !== '7.1' && !clause.startsWith('I')

/** A resource that is locked and a rate limit say nothing but: later (7.1). */
const BUSY = refused([423, 429])

/** The key of a call under way is in use: another payload under it is a conflict (I4, D-83). */
const isConflict = ({ pending }: ModelState, call: Call, response: JudgedResponse): boolean =>
  refused([409], '3').allows(response) &&
  pending.some(
    ({ by, key, payload, operation }) =>
      by === call.by && key === call.key && (payload !== call.payload || operation !== call.operation),
  )

/** A 500 is a failure of the service itself: only a fault that was asked for explains it (7.1). */
const isPermittedUnclear = (
  state: ModelState,
  { fault, payment = '', operation }: Call,
  { http }: JudgedResponse,
): boolean =>
  http !== 500 || [fault, ...faultsOf(state, payment, operation)].some(one => one === 'undone' || one === 'unclear')

/** After an unclear response the call was carried out, or was not, or still is (7.4). */
const unclearly = (state: ModelState, call: Call, response: JudgedResponse, rules: Rules): ModelState[] => {
  const outcomes = permitted(state, call, rules)
  if (!OPERATIONS[call.operation].keyed) return [state, ...outcomes.flatMap(({ after }) => after)]
  const done = outcomes.flatMap(outcome =>
    outcome.after.flatMap(next => remember(next, call, response, outcome, rules)),
  )
  const idle = [
    ...inVain(withoutFault(state, call), call, rules),
    ...(response.http === 0 ? notReached(state, call) : []),
  ].flatMap(one => boundToPayload(one, call))
  const [fault = call.fault] = faultsOf(state, call.payment, call.operation)
  if (response.http !== 0 && fault === 'undone') return idle
  if (response.http !== 0 && fault === 'done') return done
  if ((response.http === 500 || response.http === 502) && rules.isConfirmed('D-83')) return idle
  const { fault: _, ...metItsFault } = call
  const late = response.http === 0 ? call : metItsFault
  return [...idle, ...done, ...idle.map(one => ({ ...one, pending: [...one.pending, late] }))]
}

/** The states by the time of a call: also those in which a call under way has taken effect, at any time since it was sent; it has met its fault. */
const withPending = (state: ModelState, call: Call, rules: Rules): ModelState[] => {
  const now = statesInTime(state, call, rules)
  const late = state.pending.filter(other => touches(other, call))
  return [
    ...now,
    ...late.flatMap(other => {
      const rest = { ...state, pending: state.pending.filter(one => one !== other) }
      const then = { ...other, receivedAt: call.receivedAt }
      return statesInTime(rest, then, rules)
        .flatMap(one =>
          permitted(withFaults(one, other, []), then, rules).flatMap(outcome =>
            outcome.after
              .map(next => withFaults(next, other, faultsOf(one, other.payment, other.operation)))
              .flatMap(next => remember(next, then, { http: 0 }, outcome, rules)),
          ),
        )
        .flatMap(next => statesInTime(next, call, rules))
    }),
  ]
}

const touches = (one: Call, other: Call): boolean =>
  one.by === other.by &&
  ((one.payment !== undefined && one.payment === other.payment) || (one.key !== undefined && one.key === other.key))

/** Notes what a response tells of its payment: its id, and the events that were read. */
const noted = (state: ModelState, call: Call, { transactionId, history }: JudgedResponse): ModelState => {
  const payment = state.payments[call.payment ?? '']
  if (!payment) return state
  if (call.operation === 'events')
    return history && payment.owner === call.by
      ? withPayment(state, call.payment ?? '', { ...payment, history, changed: false })
      : state
  return startsPayment(call.operation) && transactionId !== undefined && payment.id === undefined
    ? withPayment(state, call.payment ?? '', { ...payment, id: transactionId })
    : state
}

const distinct = (states: readonly ModelState[]): ModelState[] =>
  states.length < 2 ? [...states] : [...new Map(states.map(state => [JSON.stringify(state), state])).values()]
