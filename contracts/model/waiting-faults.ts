import type { Call, ProviderFault } from './call.ts'
import { inVain } from './initiate-and-charge.ts'
import { type ModelState, withPayment } from './model-state.ts'
import type { Act } from './operations-on-payment.ts'
import type { Rules } from './rules.ts'

/** A fault that waits for a call of its payment and operation stays until the provider meets it. */
export const withFault = (state: ModelState, call: Call): ModelState =>
  call.fault === undefined
    ? state
    : withFaults(state, call, [...faultsOf(state, call.payment, call.operation), call.fault])

/** A call that is to begin a payment meets the fault of an earlier one, if that one never reached the provider. */
export const withUnmetFaults = (state: ModelState, call: Call): { state: ModelState; call: Call }[] =>
  state.unmet
    .filter(
      ({ by, operation, reference }) => by === call.by && operation === call.operation && reference === call.reference,
    )
    .map(one => ({
      state: { ...state, unmet: state.unmet.filter(other => other !== one) },
      call: { ...call, ...(one.fault && { fault: one.fault }) },
    }))

/** The faults that wait for the calls of an operation on a payment, the next one first. */
export const faultsOf = ({ payments }: ModelState, payment = '', operation: string): readonly ProviderFault[] =>
  payments[payment]?.faults[operation as Act] ?? []

/** A state with other faults waiting for the calls of an operation on a payment. */
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

/** A call that comes too early changes nothing; its fault waits for the next one, unless that is what it met: then the provider was asked. */
export const busily = (state: ModelState, call: Call, rules: Rules): ModelState[] => [
  stillArmed(state, call),
  ...(call.fault === 'locked' ? inVain(withoutFault(state, call), call, rules) : []),
]

/** The state in which a call was lost on its way. */
export const notReached = (state: ModelState, call: Call): ModelState[] =>
  call.fault === undefined ? [] : [stillArmed(state, call)]

/** The states after a call that was to begin a payment and was refused: perhaps before the provider was asked. */
export const statesAfterRefusal = (state: ModelState, call: Call): ModelState[] =>
  begins(call) ? [state, ...notReached(state, call)] : [state]

/** The state in which a call has met the first of its faults. */
export const withoutFault = (before: ModelState, call: Call): ModelState => {
  const state = withFault(before, call)
  return withFaults(state, call, faultsOf(state, call.payment, call.operation).slice(1))
}
