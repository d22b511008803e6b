import type { Database } from 'better-sqlite3'
import { type LateCallRow, toLateCall } from '../row-mapping.ts'
import type { LateCall } from '../unit-of-work.ts'

/** Opens the SQLite store of late provider calls: jobs that keep their idempotency key and their payment locked. */
export const openLateCalls = (database: Database) => {
  const add = database.prepare<[string, number, string | null, string, string, string]>(`
    INSERT INTO jobs (organization_id, due_at, name, transaction_id, late_call_key, late_call_fingerprint, late_call)
    VALUES (?, ?, 'late-answer', ?, ?, ?, ?)`)
  const ofKey = database.prepare<[string, string], LateCallRow>(
    'SELECT * FROM jobs WHERE organization_id = ? AND late_call_key = ?',
  )
  const ofPayment = database.prepare<[string, string], LateCallRow>(
    'SELECT * FROM jobs WHERE organization_id = ? AND transaction_id = ? AND late_call_key IS NOT NULL',
  )

  return {
    insert: (organizationId: string, { key, fingerprint, transactionId, dueAt, call }: LateCall): void =>
      void add.run(organizationId, dueAt, transactionId ?? null, key, fingerprint, call),
    /** Late call under this key, or else one on this payment. */
    find: (organizationId: string, key = '', transactionId?: string): LateCall | undefined => {
      const row =
        ofKey.get(organizationId, key) ??
        (transactionId === undefined ? undefined : ofPayment.get(organizationId, transactionId))
      return row && toLateCall(row)
    },
  }
}
