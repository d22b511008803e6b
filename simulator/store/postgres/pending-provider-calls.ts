import sql, { type Sql } from 'sql-template-tag'
import { type LateCallRow, toLateCall } from '../row-mapping.ts'
import type { Db } from '../sql-statements.ts'
import type { LateCall } from '../unit-of-work.ts'
import { insertRows, type OfOrganization } from './insert-rows.ts'

// biome-ignore format: one line reads best
const LATE_CALLS = {
  table: 'jobs',
  columns: { organization_id: 'text', due_at: 'bigint', name: 'text', transaction_id: 'text', late_call_key: 'text', late_call_fingerprint: 'text', late_call: 'text' },
} as const

/** Returns the statement that inserts the jobs of late provider calls into PostgreSQL, in their order. */
export const insertLateCalls = (saved: readonly OfOrganization<{ lateCall: LateCall }>[]): Sql[] =>
  insertRows(
    LATE_CALLS,
    saved.map(({ organizationId, lateCall: { key, fingerprint, transactionId, dueAt, call } }) => ({
      organization_id: organizationId,
      due_at: dueAt,
      name: 'late-answer',
      transaction_id: transactionId,
      late_call_key: key,
      late_call_fingerprint: fingerprint,
      late_call: call,
    })),
  )

/** Finds the late provider call in PostgreSQL under an idempotency key, or else one on a payment. */
export const findLateCall = async (
  db: Db,
  organizationId: string,
  key = '',
  transactionId = '',
): Promise<LateCall | undefined> => {
  const [row] = await db.rows<LateCallRow>(sql`
    SELECT late_call_key, late_call_fingerprint, transaction_id, due_at, late_call FROM jobs
    WHERE organization_id = ${organizationId} AND late_call_key IS NOT NULL
      AND (late_call_key = ${key} OR transaction_id = ${transactionId})
    ORDER BY late_call_key = ${key} DESC, job_id LIMIT 1`)
  return row && toLateCall(row)
}
