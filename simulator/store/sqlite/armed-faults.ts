import type { Database } from 'better-sqlite3'
import type { Fault } from '../../providers/fault-kinds.ts'
import { INSERT_TARGETS, triggerCountRow } from '../inserted-rows.ts'
import { type FaultRow, toFault } from '../row-mapping.ts'
import type { WriteSet } from '../unit-of-work.ts'
import { prepareInsertion } from './prepare-insertion.ts'
import { PLANNED_ONCE } from './query-fragments.ts'

/** Opens the SQLite store of armed faults, and of triggered mock faults by idempotency key; deletes used-up faults. */
export const openFaults = (database: Database) => {
  const ofOperation = database.prepare<[string, string], FaultRow>(
    `SELECT * FROM faults WHERE organization_id = ${PLANNED_ONCE} AND operation = ${PLANNED_ONCE} ORDER BY fault_id`,
  )
  const decrement = database.prepare<[number]>(
    'UPDATE faults SET remaining_calls = remaining_calls - 1 WHERE fault_id = ?',
  )
  const deleteUsedUp = database.prepare<[number]>('DELETE FROM faults WHERE fault_id = ? AND remaining_calls <= 0')

  const triggerCount = database.prepare<[string, string, number], { trigger_count: number }>(
    'SELECT trigger_count FROM fault_trigger_counts WHERE organization_id = ? AND idempotency_key = ? AND expires_at > ?',
  )
  const saveTriggerCount = prepareInsertion(database, INSERT_TARGETS.triggerCounts)

  return {
    triggerCount: (organizationId: string, key: string, now: number): number =>
      triggerCount.get(organizationId, key, now)?.trigger_count ?? 0,
    saveTriggerCount: (organizationId: string, trigger: NonNullable<WriteSet['faultTrigger']>): void =>
      saveTriggerCount(triggerCountRow(organizationId, trigger)),
    armedFor: (organizationId: string, operation: string): Fault[] =>
      ofOperation.all(organizationId, operation).map(toFault),
    useOnce: (faultId: number): void => {
      decrement.run(faultId)
      deleteUsedUp.run(faultId)
    },
  }
}
