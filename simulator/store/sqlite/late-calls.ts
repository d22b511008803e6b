import type { Database } from 'better-sqlite3'
import type { LateCall } from '../port.ts'
import { type LateCallRow, lateCallOf } from '../rows.ts'

/** The part of the store that keeps what providers have yet to do: jobs that hold their key and their payment locked. */
export const openLateCalls = (database: Database) => {
  const add = database.prepare<[string, number, string | null, string, string, string]>(`
    INSERT INTO jobs (organization_id, due_at, name, transaction_id, call_key, fingerprint, call)
    VALUES (?, ?, 'late-answer', ?, ?, ?, ?)`)
  const ofKey = database.prepare<[string, string], LateCallRow>(
    'SELECT * FROM jobs WHERE organization_id = ? AND call_key = ?',
  )
  const ofPayment = database.prepare<[string, string], LateCallRow>(
    'SELECT * FROM jobs WHERE organization_id = ? AND transaction_id = ? AND call_key IS NOT NULL',
  )

  return {
    insert: (organizationId: string, { key, fingerprint, transactionId, dueAt, call }: LateCall): void =>
      void add.run(organizationId, dueAt, transactionId ?? null, key, fingerprint, call),
    /** The call under this very key first, then one on the same payment. */
    find: (organizationId: string, key = '', transactionId?: string): LateCall | undefined => {
      const row =
        ofKey.get(organizationId, key) ??
        (transactionId === undefined ? undefined : ofPayment.get(organizationId, transactionId))
      return row && lateCallOf(row)
    },
  }
}
