import type { Call, ProviderFault } from './call.ts'
import { inVain } from './initiate-and-charge.ts'
import type { Act } from './operations-on-payment.ts'
import type { Rules } from './rules.ts'
import { type World, withPayment } from './world.ts'

/** A fault that waits for a call of its payment and operation stays until the provider meets it. */
export const withFault = (world: World, call: Call): World =>
  call.fault === undefined
    ? world
    : withFaults(world, call, [...faultsOf(world, call.payment, call.operation), call.fault])

/** A call that is to begin a payment meets the fault of an earlier one, if that one never reached the provider. */
export const withUnmetFaults = (world: World, call: Call): { world: World; call: Call }[] =>
  world.unmet
    .filter(
      ({ by, operation, reference }) => by === call.by && operation === call.operation && reference === call.reference,
    )
    .map(one => ({
      world: { ...world, unmet: world.unmet.filter(other => other !== one) },
      call: { ...call, ...(one.fault && { fault: one.fault }) },
    }))

/** The faults that wait for the calls of an operation on a payment, the next one first. */
export const faultsOf = ({ payments }: World, payment = '', operation: string): readonly ProviderFault[] =>
  payments[payment]?.faults[operation as Act] ?? []

/** A world with other faults waiting for the calls of an operation on a payment. */
export const withFaults = (
  world: World,
  { payment: name = '', operation }: Call,
  faults: readonly ProviderFault[],
): World => {
  const payment = world.payments[name]
  return payment ? withPayment(world, name, { ...payment, faults: { ...payment.faults, [operation]: faults } }) : world
}

const begins = ({ operation }: Call): boolean => operation === 'initiate' || operation === 'charge'

/** The world in which the provider was not asked, so that the fault of a call still waits. */
const stillArmed = (world: World, call: Call): World =>
  begins(call) && call.fault !== undefined ? { ...world, unmet: [...world.unmet, call] } : withFault(world, call)

/** A call that comes too early changes nothing; its fault waits for the next one, unless that is what it met: then the provider was asked. */
export const busily = (world: World, call: Call, rules: Rules): World[] => [
  stillArmed(world, call),
  ...(call.fault === 'locked' ? inVain(withoutFault(world, call), call, rules) : []),
]

/** The world in which a call was lost on its way. */
export const notReached = (world: World, call: Call): World[] =>
  call.fault === undefined ? [] : [stillArmed(world, call)]

/** The worlds after a call that was to begin a payment and was refused: perhaps before the provider was asked. */
export const worldsAfterRefusal = (world: World, call: Call): World[] =>
  begins(call) ? [world, ...notReached(world, call)] : [world]

/** The world in which a call has met the first of its faults. */
export const withoutFault = (before: World, call: Call): World => {
  const world = withFault(before, call)
  return withFaults(world, call, faultsOf(world, call.payment, call.operation).slice(1))
}
