import { isProviderOperation } from '../../contracts/operations.ts'
import type { LateCall, UnitOfWork, WriteSet } from '../store/unit-of-work.ts'
import type { Ids } from '../support/ids.ts'
import { decideCall } from './decide-call.ts'
import type { OperationCall, OperationRules } from './operation-types.ts'
import { PROVIDER_OPERATION_DEFINITIONS } from './operations-that-call-provider.ts'
import { selectRecordsToLoad } from './select-records-to-load.ts'

/** A count of triggered faults so high that the step of a mock triggers no more faults. */
const NO_MORE_FAULTS = Number.POSITIVE_INFINITY

/**
 * Creates the unit of work that carries out a late provider call (7.4): it decides the call on the current records and
 * saves the reply under the call's idempotency key. Running it again has no effect.
 */
export const createLateCallUnit = (
  late: LateCall,
  parts: { ids: Ids; rules: OperationRules },
): UnitOfWork<WriteSet> => {
  const call = JSON.parse(late.call) as OperationCall
  if (!isProviderOperation(call.operation)) throw new Error(`The operation ${call.operation} calls no provider.`)
  const definition = PROVIDER_OPERATION_DEFINITIONS[call.operation]
  const now = late.dueAt
  return {
    organizationId: call.organizationId,
    now,
    needs: selectRecordsToLoad(call, definition, { ...parts, now }),
    decide: loaded => {
      if (loaded.lateCall?.key !== late.key) return { result: {} }
      const { save } = decideCall(
        call,
        definition,
        { ...loaded, faults: [], faultTriggerCount: NO_MORE_FAULTS, lateCall: undefined },
        { ...parts, now },
      )
      return { result: save, save }
    },
  }
}
