import { OPERATIONS } from '../operations.ts'
import { isTemporaryDecline } from '../protocol/reason-codes.ts'
import { mayBe, type Rules } from './decided-rules-of-deployment.ts'
import { KEY_LIFETIME } from './effects-of-time-and-shopper.ts'
import { isUnclear, REFUSED, refused, replayOf } from './expectation.ts'
import type { Call, JudgedResponse } from './model-call-and-judged-response.ts'
import { isOver, lasting, type ModelState, mayBeOver, type StoredReply } from './model-state.ts'
import type { Outcome } from './outcome.ts'

const nameOf = ({ by, key, operation, account }: Call): string => `${by} ${key} ${operation} ${account}`

/** Whether a key is one and the same for two calls that do not have both operation and account in common (D-19). */
const isShared = (other: string, { by, key, operation, account }: Call, rules: Rules): boolean =>
  mayBe(rules, 'D-19', 'organization') ||
  (mayBe(rules, 'D-19', 'operation') && other.startsWith(`${by} ${key} ${operation} `)) ||
  (mayBe(rules, 'D-19', 'account') && other.endsWith(` ${account}`))

/**
 * Returns the outcomes that the model permits for a call that needs an idempotency key (I1 to I4); `execute` returns
 * those of a call whose key is new.
 */
export const underKey = (state: ModelState, call: Call, rules: Rules, execute: () => Outcome[]): Outcome[] => {
  if (call.key === undefined || call.key === '') {
    const choice = rules.choice('D-18')
    const expect = choice === undefined ? refused([400, 403, 409, 412, 422, 428]) : refused([Number(choice)], '4')
    const asKey = call.key === '' && choice === undefined ? execute() : []
    return [{ expect, clause: 'I1', after: [state] }, ...asKey]
  }
  const name = nameOf(call)
  const stored = state.keys[name]
  const own = stored ? known(state, call, stored, rules) : []
  if (stored?.again && !mayBeOver(stored.until, call)) return own
  const ofOthers = Object.entries(state.keys).filter(
    ([other, { until }]) =>
      other !== name &&
      other.startsWith(`${call.by} ${call.key} `) &&
      !(isOver(until, call) && rules.isConfirmed('D-21')) &&
      isShared(other, call, rules),
  )
  const isSurelyUsed = ofOthers.some(([, { until, again }]) => again && !mayBeOver(until, call))
  return [
    ...own,
    ...(ofOthers.length > 0 ? [conflict(state, 'I4, D-19')] : []),
    ...(rules.choice('D-19') === undefined || !isSurelyUsed ? execute() : []),
  ]
}

/** A key may be kept for longer than 24 hours (8), until D-21 is confirmed. */
const known = (state: ModelState, call: Call, stored: StoredReply, rules: Rules): Outcome[] => {
  if (isOver(stored.until, call) && rules.isConfirmed('D-21')) return []
  if (stored.payload !== call.payload) return [conflict(state, 'I4')]
  return stored.again ? [{ expect: stored.again, clause: 'I3', after: [state] }] : []
}

const conflict = (state: ModelState, clause: string): Outcome => ({
  expect: refused([409], '3'),
  clause,
  after: [state],
})

/**
 * Returns the model states after a response, with what it leaves under the idempotency key of its call (I3, D-22,
 * D-117).
 */
export const remember = (
  state: ModelState,
  call: Call,
  response: JudgedResponse,
  { expect, clause }: Outcome,
  rules: Rules,
): ModelState[] => {
  const isKeyed = OPERATIONS[call.operation].keyed && call.key !== undefined && call.key !== ''
  if (!isKeyed || clause.startsWith('I4')) return [state]
  if (clause === 'I3') {
    const first = state.keys[nameOf(call)]
    return [isUnclear(response) ? state : withReply(renamed(state, first, call), call, first, replayOf(response))]
  }
  const stored = withReply(state, call, undefined, isUnclear(response) ? expect : replayOf(response))
  const is = isUnclear(response) ? true : isStored(response, rules)
  const unstored = isTemporary(response) ? withReply(state, call, undefined, undefined) : state
  return [...(is === false ? [] : [stored]), ...(is === true ? [] : [unstored])]
}

/**
 * Returns the model states in which a call without a clear response has left nothing but its payload under its key: the
 * same call is carried out anew, and another payload may be a conflict (I4, 7.4).
 */
export const boundToPayload = (state: ModelState, call: Call): ModelState[] => {
  if (call.key === undefined || call.key === '') return [state]
  const stored = state.keys[nameOf(call)]
  if (stored?.again && !isOver(stored.until, call)) return [state]
  const bound = withReply(state, call, undefined, undefined)
  return stored && stored.payload !== call.payload ? [state, bound] : [bound]
}

/** A payment whose first response was lost is known from its replay on, by the name that the repeated call has. */
const renamed = (
  state: ModelState,
  { payment: name = '' }: Partial<StoredReply> = {},
  { payment = '' }: Call,
): ModelState => {
  const { [name]: begun, ...others } = state.payments
  return begun === undefined || begun.id !== undefined || payment === ''
    ? state
    : { ...state, payments: { ...others, [payment]: begun } }
}

const withReply = (
  state: ModelState,
  call: Call,
  before: StoredReply | undefined,
  again: StoredReply['again'],
): ModelState => {
  const until = before?.until ?? lasting(call, KEY_LIFETIME)
  const reply = {
    payload: call.payload,
    until,
    again,
    ...(call.payment === undefined ? {} : { payment: call.payment }),
  }
  return { ...state, keys: { ...state.keys, [nameOf(call)]: reply } }
}

/** Whether a response is a decline after which a service may carry the same call out anew, and refuse another (D-117, I4). */
const isTemporary = ({ declined, code = '' }: JudgedResponse): boolean => declined === true && isTemporaryDecline(code)

/** Whether a response is kept under its key; undefined where that is open. */
const isStored = (response: JudgedResponse, rules: Rules): boolean | undefined => {
  const { http, declined, code = '' } = response
  if (isTemporary(response))
    return rules.choice('D-117') === undefined ? undefined : rules.choice('D-117') === 'replayed'
  if (declined || http < 300) return true
  const choice = rules.choice('D-22')
  const isConflictOfStates = http === 409 && code.startsWith('5')
  if (http === 422 || http === 501 || isConflictOfStates)
    return choice === undefined ? undefined : choice !== 'successes'
  if (!REFUSED.allows({ http }) || http === 409) return false
  return choice === undefined || choice === 'every' ? undefined : false
}
