import type { Database } from 'better-sqlite3'
import { INSERT_TARGETS, lateCallRow } from '../inserted-rows.ts'
import { type LateCallRow, toLateCall } from '../row-mapping.ts'
import type { LateCall } from '../unit-of-work.ts'
import { prepareInsertion } from './prepare-insertion.ts'

/** Opens the SQLite store of late provider calls: jobs that keep their idempotency key and their payment locked. */
export const openLateCalls = (database: Database) => {
  const add = prepareInsertion(database, INSERT_TARGETS.lateCalls)
  const ofKey = database.prepare<[string, string], LateCallRow>(
    'SELECT * FROM jobs WHERE organization_id = ? AND late_call_key = ?',
  )
  const ofPayment = database.prepare<[string, string], LateCallRow>(
    'SELECT * FROM jobs WHERE organization_id = ? AND transaction_id = ? AND late_call_key IS NOT NULL',
  )

  return {
    insert: (organizationId: string, call: LateCall): void => add(lateCallRow(organizationId, call)),
    /** Late call under this key, or else one on this payment. */
    find: (organizationId: string, key = '', transactionId?: string): LateCall | undefined => {
      const row =
        ofKey.get(organizationId, key) ??
        (transactionId === undefined ? undefined : ofPayment.get(organizationId, transactionId))
      return row && toLateCall(row)
    },
  }
}
