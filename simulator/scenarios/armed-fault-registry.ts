import { PROVIDER_OPERATIONS, startsPayment } from '../../contracts/operations.ts'
import { PROVIDER_IDS } from '../../contracts/protocol/providers-and-capabilities.ts'
import {
  appliesToProvider,
  FAULT_MATCH_MEMBERS,
  type Fault,
  type FaultMatch,
  providerOfCode,
} from '../providers/fault-kinds.ts'
import { FAULT_INPUT_MEMBERS, type FaultInput, readFault } from '../providers/read-fault-input.ts'
import type { Store } from '../store/store.ts'
import { ControlError } from '../support/control-error.ts'
import { describeValue, InvalidMemberError, readOneOf } from '../support/invalid-member-error.ts'
import { createOneAtATime } from '../support/one-at-a-time.ts'

/** Unvalidated request to arm a fault for the next calls of an operation; with `match`, only for those that match. */
export type ArmedFaultInput = FaultInput & { operation?: unknown; match?: unknown }
/** Names of the members that a request to arm a fault may have. */
export const ARMED_FAULT_MEMBERS = ['operation', ...FAULT_INPUT_MEMBERS, 'match'] as const

/** Number of armed faults of an organization: each call of their operation reads them all. */
const MAX_FAULTS = 1000

/** Creates the registry of armed faults, for the next calls of an operation: arm, list, clear (7.1, 7.4, 7.5). */
export const createFaultRegistry = ({ store }: { store: Store }) => {
  const oneAtATime = createOneAtATime()
  return {
    arm: async (organizationId: string, input: ArmedFaultInput): Promise<Fault> => {
      const fault = faultOf(input)
      return oneAtATime(organizationId, async () => {
        if ((await store.faults(organizationId)).length < MAX_FAULTS) return store.addFault(organizationId, fault)
        throw new ControlError('conflict', `There are ${MAX_FAULTS} armed faults: disarm them before you arm more.`)
      })
    },
    list: (organizationId: string): Promise<readonly Fault[]> => store.faults(organizationId),
    clear: (organizationId: string): Promise<number> => store.clearFaults(organizationId),
  }
}

const faultOf = ({ operation, match, ...input }: ArmedFaultInput): Omit<Fault, 'faultId'> => {
  try {
    const named = readOneOf('operation', operation, PROVIDER_OPERATIONS)
    const { times, ...fault } = readFault(input)
    const matched = match === undefined ? {} : { match: matchOf(match) }
    ensureReachable({ operation: named, ...fault, ...matched })
    return { operation: named, ...fault, ...matched, left: times }
  } catch (error) {
    if (!(error instanceof InvalidMemberError)) throw error
    throw new ControlError('invalid', error.message)
  }
}

/** Refuses a fault whose `match` no call of its operation can have. */
const ensureReachable = ({ operation, code, match = {} }: Pick<Fault, 'operation' | 'code' | 'match'>): void => {
  const { transactionId, providerId } = match
  if (transactionId !== undefined && startsPayment(operation))
    throw new InvalidMemberError(
      'match.transactionId',
      `does not apply to ${operation}, which starts the payment: leave it out.`,
    )
  if (providerId === undefined) return
  if (!appliesToProvider({ code }, readOneOf('match.providerId', providerId, PROVIDER_IDS)))
    throw new InvalidMemberError(
      'match.providerId',
      `is ${describeValue(providerId)}: the code ${code} is one of ${code && providerOfCode(code)}.`,
    )
}

const matchOf = (match: unknown): FaultMatch => {
  if (match === null || typeof match !== 'object' || Array.isArray(match))
    throw new InvalidMemberError(
      'match',
      `is ${describeValue(match)}: give an object of ${FAULT_MATCH_MEMBERS.join(', ')}.`,
    )
  const entries = Object.entries(match)
  if (entries.length === 0)
    throw new InvalidMemberError('match', `is empty: leave it out, or give ${FAULT_MATCH_MEMBERS.join(', ')}.`)
  for (const [member, value] of entries) {
    if (!FAULT_MATCH_MEMBERS.some(known => known === member))
      throw new InvalidMemberError(
        `match.${member.slice(0, 40)}`,
        `is not known: give ${FAULT_MATCH_MEMBERS.join(', ')}.`,
      )
    if (typeof value !== 'string' || value === '' || value.length > MAX_LENGTH)
      throw new InvalidMemberError(
        `match.${member}`,
        `is ${describeValue(value)}: give a text of 1 to ${MAX_LENGTH} characters.`,
      )
  }
  return match
}

/** Longest value of a match, in characters. */
const MAX_LENGTH = 255
