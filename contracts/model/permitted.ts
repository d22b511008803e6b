import { OPERATIONS } from '../operations.ts'
import type { Call, JudgedResponse } from './call.ts'
import { worldsInTime } from './elapse.ts'
import { isUnclear, refused, refusedBy } from './expectation.ts'
import { charge, initiate, inVain } from './initiate-and-charge.ts'
import { remember, underKey } from './keys.ts'
import { setMock } from './mocks.ts'
import { actOn } from './operations-on-payment.ts'
import type { Outcome } from './outcome.ts'
import { notFound, readPayment, search } from './reads.ts'
import type { Rules } from './rules.ts'
import {
  busily,
  faultsOf,
  notReached,
  withFault,
  withFaults,
  withoutFault,
  withUnmetFaults,
  worldsAfterRefusal,
} from './waiting-faults.ts'
import { type World, withPayment } from './world.ts'

/** Everything that the contract permits in response to a call in one world, with the worlds that follow. */
export const permitted = (world: World, call: Call, rules: Rules): Outcome[] => {
  const { broken, ...unbroken } = call
  const { keyed } = OPERATIONS[call.operation]
  if (!broken)
    return keyed ? underKey(world, call, rules, () => execute(world, call, rules)) : execute(world, call, rules)
  const refusal = { expect: refusedBy(broken), clause: broken.clause, after: [world] }
  const isOfLayers = broken.clause.startsWith('5')
  if (isOfLayers || !keyed) return [refusal]
  return [
    refusal,
    ...underKey(world, call, rules, () => execute(world, unbroken, rules).filter(({ isDone }) => !isDone)),
  ]
}

const execute = (world: World, call: Call, rules: Rules): Outcome[] => {
  const { operation, payment: name = '', by, account } = call
  if (operation === 'mockSet') return setMock(world, call, rules)
  if (operation === 'initiate') return initiate(world, call, rules)
  if (operation === 'charge') return charge(world, call, rules)
  const payment = world.payments[name]
  if (operation === 'search') return search(world, payment, call)
  const isRead = operation === 'status' || operation === 'events'
  const isForeign = payment !== undefined && !isRead && payment.account !== account
  if (!payment || payment.owner !== by) return [notFound(world, isForeign)]
  if (isRead) return readPayment(world, payment, call, rules)
  const armed = withFault(world, call)
  const acted = actOn(armed, name, armed.payments[name] ?? payment, call, rules)
  if (!isForeign) return acted
  return [notFound(world, isForeign), ...(rules.isConfirmed('D-54') ? [] : acted)]
}

/** The worlds in which the service may be after a response; none where the contract permits it in none of the worlds before. */
export const worldsAfter = (worlds: readonly World[], made: Call, response: JudgedResponse, rules: Rules): World[] =>
  distinct(
    worlds
      .flatMap(before => withPending(before, made, rules))
      .flatMap(world => [{ world, call: made }, ...withUnmetFaults(world, made)])
      .flatMap(({ world, call }) => {
        if (isUnclear(response))
          return isPermittedUnclear(world, call, response) ? unclearly(world, call, response, rules) : []
        if (BUSY.allows(response)) return busily(world, call, rules)
        const isInUse = OPERATIONS[call.operation].keyed && world.pending.some(other => touches(other, call))
        if (isInUse && isConflict(world, call, response)) return [world]
        return permitted(world, call, rules)
          .filter(({ expect, clause }) => expect.allows(response) && !(isInUse && isBusy(call, clause, rules)))
          .flatMap(outcome =>
            outcome.after
              .flatMap(next => remember(next, call, response, outcome, rules))
              .map(next => noted(next, call, response))
              .flatMap(next => (outcome.isDone ? [next] : worldsAfterRefusal(next, call))),
          )
      }),
  )

/** While a call is under way, others on its payment and under its key must wait, unless they are refused or replayed before (D-83). */
const isBusy = ({ broken }: Call, clause: string, rules: Rules): boolean =>
  rules.isConfirmed('D-83') && broken === undefined && clause !== '7.1' && !clause.startsWith('I')

/** A resource that is locked and a rate limit say nothing but: later (7.1). */
const BUSY = refused([423, 429])

/** The key of a call under way is in use: another payload under it is a conflict (I4, D-83). */
const isConflict = ({ pending }: World, call: Call, response: JudgedResponse): boolean =>
  refused([409], '3').allows(response) &&
  pending.some(
    ({ by, key, payload, operation }) =>
      by === call.by && key === call.key && (payload !== call.payload || operation !== call.operation),
  )

/** A 500 is a failure of the service itself: only a fault that was asked for explains it (7.1). */
const isPermittedUnclear = (
  world: World,
  { fault, payment = '', operation }: Call,
  { http }: JudgedResponse,
): boolean =>
  http !== 500 || [fault, ...faultsOf(world, payment, operation)].some(one => one === 'undone' || one === 'unclear')

/** After an unclear response the call was carried out, or was not, or still is (7.4). */
const unclearly = (world: World, call: Call, response: JudgedResponse, rules: Rules): World[] => {
  const outcomes = permitted(world, call, rules)
  if (!OPERATIONS[call.operation].keyed) return [world, ...outcomes.flatMap(({ after }) => after)]
  const done = outcomes.flatMap(outcome =>
    outcome.after.flatMap(next => remember(next, call, response, outcome, rules)),
  )
  const idle = [
    ...inVain(withoutFault(world, call), call, rules),
    ...(response.http === 0 ? notReached(world, call) : []),
  ]
  const [fault = call.fault] = faultsOf(world, call.payment, call.operation)
  if (response.http !== 0 && fault === 'undone') return idle
  if (response.http !== 0 && fault === 'done') return done
  if ((response.http === 500 || response.http === 502) && rules.isConfirmed('D-83')) return idle
  const { fault: _, ...metItsFault } = call
  const late = response.http === 0 ? call : metItsFault
  return [...idle, ...done, ...idle.map(one => ({ ...one, pending: [...one.pending, late] }))]
}

/** The worlds by the time of a call: also those in which a call under way has taken effect, at any time since it was sent; it has met its fault. */
const withPending = (world: World, call: Call, rules: Rules): World[] => {
  const now = worldsInTime(world, call, rules)
  const late = world.pending.filter(other => touches(other, call))
  return [
    ...now,
    ...late.flatMap(other => {
      const rest = { ...world, pending: world.pending.filter(one => one !== other) }
      const then = { ...other, receivedAt: call.receivedAt }
      return worldsInTime(rest, then, rules)
        .flatMap(one =>
          permitted(withFaults(one, other, []), then, rules).flatMap(outcome =>
            outcome.after
              .map(next => withFaults(next, other, faultsOf(one, other.payment, other.operation)))
              .flatMap(next => remember(next, then, { http: 0 }, outcome, rules)),
          ),
        )
        .flatMap(next => worldsInTime(next, call, rules))
    }),
  ]
}

const touches = (one: Call, other: Call): boolean =>
  one.by === other.by &&
  ((one.payment !== undefined && one.payment === other.payment) || (one.key !== undefined && one.key === other.key))

/** Notes what a response tells of its payment: its id, and the events that were read. */
const noted = (world: World, call: Call, { transactionId, history }: JudgedResponse): World => {
  const payment = world.payments[call.payment ?? '']
  if (!payment) return world
  if (call.operation === 'events')
    return history && payment.owner === call.by
      ? withPayment(world, call.payment ?? '', { ...payment, history, changed: false })
      : world
  const begins = call.operation === 'initiate' || call.operation === 'charge'
  return begins && transactionId !== undefined && payment.id === undefined
    ? withPayment(world, call.payment ?? '', { ...payment, id: transactionId })
    : world
}

const distinct = (worlds: readonly World[]): World[] =>
  worlds.length < 2 ? [...worlds] : [...new Map(worlds.map(world => [JSON.stringify(world), world])).values()]
