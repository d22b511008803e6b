import sql, { type Sql } from 'sql-template-tag'
import type { Fault } from '../../providers/fault-kinds.ts'
import { toFault } from '../row-mapping.ts'
import { createSqlTags, type Db } from '../sql-statements.ts'
import type { RowLock } from './query-fragments.ts'

/**
 * Loads from PostgreSQL the faults armed for a provider call, oldest first; they may be locked, so that no fault is
 * triggered too often.
 */
export const loadArmedFaults = (db: Db, organizationId: string, operation: string, lock: RowLock): Promise<Fault[]> =>
  createSqlTags(db).list(toFault)`
      SELECT fault_id, remaining_calls, record FROM faults
      WHERE organization_id = ${organizationId} AND operation = ${operation} ORDER BY fault_id ${lock}`

/** Loads the number of calls under an idempotency key that have triggered the fault of their mock step. */
export const loadFaultTriggerCount = async (
  db: Db,
  organizationId: string,
  key: string,
  now: number,
): Promise<number> => {
  const [row] = await db.rows<{ trigger_count: number }>(sql`
    SELECT trigger_count FROM fault_trigger_counts WHERE organization_id = ${organizationId} AND idempotency_key = ${key} AND expires_at > ${now}`)
  return row?.trigger_count ?? 0
}

/** Returns the statements that count an armed fault down by one call, and delete it when no call is left. */
export const useFaultOnce = (faultId: number): Sql[] => [
  sql`UPDATE faults SET remaining_calls = remaining_calls - 1 WHERE fault_id = ${faultId} AND remaining_calls > 1`,
  sql`DELETE FROM faults WHERE fault_id = ${faultId} AND remaining_calls <= 1`,
]
