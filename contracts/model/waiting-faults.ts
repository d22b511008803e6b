import { type Act, startsPayment } from '../operations.ts'
import type { Rules } from './decided-rules-of-deployment.ts'
import { inVain } from './initiate-and-charge.ts'
import type { Call, ProviderFault } from './model-call-and-judged-response.ts'
import { type ModelState, withPayment } from './model-state.ts'

/**
 * Adds the fault of a call to those that wait for its payment and operation in a model state; it stays until the
 * provider meets it.
 */
export const withFault = (state: ModelState, call: Call): ModelState =>
  call.fault === undefined
    ? state
    : withFaults(state, call, [...faultsOf(state, call.payment, call.operation), call.fault])

/**
 * Returns the ways in which a call that is to begin a payment meets the fault of an earlier one that never reached the
 * provider, each as a model state and the call with that fault.
 */
export const withUnmetFaults = (state: ModelState, call: Call): { state: ModelState; call: Call }[] =>
  state.unmet
    .filter(
      ({ by, operation, reference }) => by === call.by && operation === call.operation && reference === call.reference,
    )
    .map(one => ({
      state: { ...state, unmet: state.unmet.filter(other => other !== one) },
      call: { ...call, ...(one.fault && { fault: one.fault }) },
    }))

/**
 * Returns the provider faults that wait in a model state for the calls of an operation on a payment, the next one
 * first.
 */
export const faultsOf = ({ payments }: ModelState, payment = '', operation: string): readonly ProviderFault[] =>
  payments[payment]?.faults[operation as Act] ?? []

/** Copies a model state with other provider faults waiting for the calls of an operation on a payment. */
export const withFaults = (
  state: ModelState,
  { payment: name = '', operation }: Call,
  faults: readonly ProviderFault[],
): ModelState => {
  const payment = state.payments[name]
  return payment ? withPayment(state, name, { ...payment, faults: { ...payment.faults, [operation]: faults } }) : state
}

const begins = ({ operation }: Call): boolean => startsPayment(operation)

/** The state in which the provider was not asked, so that the fault of a call still waits. */
const stillArmed = (state: ModelState, call: Call): ModelState =>
  begins(call) && call.fault !== undefined ? { ...state, unmet: [...state.unmet, call] } : withFault(state, call)

/**
 * Returns the model states after a call that comes too early: it changes nothing and its fault waits for the next
 * call, unless that fault, or one of an earlier call that waited, is what it met; then the provider was asked.
 */
export const busily = (state: ModelState, call: Call, rules: Rules): ModelState[] => {
  const [waiting] = faultsOf(state, call.payment, call.operation)
  const isMet = call.fault === 'locked' || waiting === 'locked'
  return [stillArmed(state, call), ...(isMet ? inVain(withoutFault(state, call), call, rules) : [])]
}

/**
 * Returns the model states in which a call was lost on its way: its own provider fault, and those that waited for it,
 * still wait.
 */
export const notReached = (state: ModelState, call: Call): ModelState[] => [
  call.fault === undefined ? state : stillArmed(state, call),
]

/**
 * Returns the model states after a refused call; where it was to begin a payment, perhaps it was refused before the
 * provider was asked.
 */
export const statesAfterRefusal = (state: ModelState, call: Call): ModelState[] =>
  begins(call) ? [state, ...notReached(state, call)] : [state]

/** Copies a model state without the first of the provider faults that wait for a call, which the call has met. */
export const withoutFault = (before: ModelState, call: Call): ModelState => {
  const state = withFault(before, call)
  return withFaults(state, call, faultsOf(state, call.payment, call.operation).slice(1))
}
