import type { Ids } from '../ids.ts'
import { PROVIDER_CALLS } from '../providers/faults.ts'
import type { LateCall, Save, Unit } from '../store/port.ts'
import { attempt } from './attempt.ts'
import { needsOf } from './needs.ts'
import type { OperationCall, Rules } from './operation.ts'
import { OPERATIONS } from './provider-calls.ts'

/**
 * The unit of work in which a provider acts at last (7.4): the call is decided as things stand now, and its answer is
 * kept under the key that it came with. Whoever comes second finds it done.
 */
export const lateAnswer = (late: LateCall, world: { ids: Ids; rules: Rules }): Unit<Save> => {
  const call = JSON.parse(late.call) as OperationCall
  const operation = PROVIDER_CALLS.find(name => name === call.operation)
  if (!operation) throw new Error(`No provider is asked by ${call.operation}.`)
  const registered = OPERATIONS[operation]
  const now = late.dueAt
  return {
    organizationId: call.organizationId,
    now,
    needs: needsOf(call, registered, now),
    decide: loaded => {
      if (loaded.late?.key !== late.key) return { result: {} }
      const { save } = attempt(
        call,
        registered,
        { ...loaded, faults: [], faultsMet: Number.POSITIVE_INFINITY, late: undefined },
        { ...world, now },
      )
      return { result: save, save }
    },
  }
}
