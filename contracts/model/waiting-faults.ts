import type { Call, ProviderFault } from './call.ts'
import type { Rules } from './deployment-rules.ts'
import { inVain } from './initiate-and-charge.ts'
import { type ModelState, withPayment } from './model-state.ts'
import type { Act } from './operations-on-payment.ts'

/**
 * Returns the model state in which a call's fault waits until the provider meets it, at a call of the same payment and
 * operation.
 */
export const withFault = (state: ModelState, call: Call): ModelState =>
  call.fault === undefined
    ? state
    : withFaults(state, call, [...faultsOf(state, call.payment, call.operation), call.fault])

/**
 * Returns the model states, each with the call, in which a call that is to begin a payment meets the fault of an
 * earlier one which never reached the provider.
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

/** Returns the faults that wait in a model state for the calls of an operation on a payment, the next one first. */
export const faultsOf = ({ payments }: ModelState, payment = '', operation: string): readonly ProviderFault[] =>
  payments[payment]?.faults[operation as Act] ?? []

/** Copies a model state with other faults waiting for the calls of an operation on a payment. */
export const withFaults = (
  state: ModelState,
  { payment: name = '', operation }: Call,
  faults: readonly ProviderFault[],
): ModelState => {
  const payment = state.payments[name]
  return payment ? withPayment(state, name, { ...payment, faults: { ...payment.faults, [operation]: faults } }) : state
}

const begins = ({ operation }: Call): boolean => operation === 'initiate' || operation === 'charge'

/** The state in which the provider was not asked, so that the fault of a call still waits. */
const stillArmed = (state: ModelState, call: Call): ModelState =>
  begins(call) && call.fault !== undefined ? { ...state, unmet: [...state.unmet, call] } : withFault(state, call)

/**
 * Returns the model states after a call that came too early: nothing changes, and its fault waits for the next one,
 * unless that is what it met.
 */
export const busily = (state: ModelState, call: Call, rules: Rules): ModelState[] => [
  stillArmed(state, call),
  ...(call.fault === 'locked' ? inVain(withoutFault(state, call), call, rules) : []),
]

/** Returns the model states in which a call was lost on its way. */
export const notReached = (state: ModelState, call: Call): ModelState[] =>
  call.fault === undefined ? [] : [stillArmed(state, call)]

/**
 * Returns the model states after a call that was to begin a payment and was refused: perhaps before the provider was
 * asked.
 */
export const statesAfterRefusal = (state: ModelState, call: Call): ModelState[] =>
  begins(call) ? [state, ...notReached(state, call)] : [state]

/** Returns the model state in which a call has met the first of its faults. */
export const withoutFault = (before: ModelState, call: Call): ModelState => {
  const state = withFault(before, call)
  return withFaults(state, call, faultsOf(state, call.payment, call.operation).slice(1))
}
