import { type FaultWish, oneOf, readFault, told, WISH, WishError } from '../providers/fault-wish.ts'
import { CALL_MEMBERS, type CallMatch, type Fault, PROVIDER_CALLS } from '../providers/faults.ts'
import type { Store } from '../store/port.ts'
import { OperatorError } from './operator-error.ts'

/** A fault for the next calls of an operation; with `match` for those that it fits. */
export type ArmedWish = FaultWish & { operation?: unknown; match?: unknown }
export const ARMED = ['operation', ...WISH, 'match'] as const

/** Arms what goes wrong on the next calls of an operation (7.1, 7.4, 7.5). */
export const createFaults = ({ store }: { store: Store }) => ({
  arm: async (organizationId: string, wish: ArmedWish): Promise<Fault> => store.addFault(organizationId, faultOf(wish)),
  list: (organizationId: string): Promise<readonly Fault[]> => store.faults(organizationId),
  clear: (organizationId: string): Promise<number> => store.clearFaults(organizationId),
})

const faultOf = ({ operation, match, ...wish }: ArmedWish): Omit<Fault, 'faultId'> => {
  try {
    const named = oneOf('operation', operation, PROVIDER_CALLS)
    const { times, ...fault } = readFault(wish)
    return { operation: named, ...fault, ...(match === undefined ? {} : { match: matchOf(match) }), left: times }
  } catch (error) {
    if (!(error instanceof WishError)) throw error
    throw new OperatorError('invalid', error.message)
  }
}

const matchOf = (match: unknown): CallMatch => {
  if (match === null || typeof match !== 'object' || Array.isArray(match))
    throw new WishError('match', `is ${told(match)}: give an object of ${CALL_MEMBERS.join(', ')}.`)
  const entries = Object.entries(match)
  if (entries.length === 0) throw new WishError('match', `is empty: leave it out, or give ${CALL_MEMBERS.join(', ')}.`)
  for (const [member, value] of entries) {
    if (!CALL_MEMBERS.some(known => known === member))
      throw new WishError(`match.${member.slice(0, 40)}`, `is not known: give ${CALL_MEMBERS.join(', ')}.`)
    if (typeof value !== 'string' || value === '' || value.length > LONGEST)
      throw new WishError(`match.${member}`, `is ${told(value)}: give a text of 1 to ${LONGEST} characters.`)
  }
  return match
}

const LONGEST = 255
