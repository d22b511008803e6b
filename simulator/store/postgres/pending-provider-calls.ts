import sql from 'sql-template-tag'
import { type LateCallRow, toLateCall } from '../row-mapping.ts'
import type { LateCall } from '../unit-of-work.ts'
import type { Db } from './pool.ts'

/** Inserts the job of a late provider call into PostgreSQL. */
export const insertLateCall = (
  db: Db,
  organizationId: string,
  { key, fingerprint, transactionId, dueAt, call }: LateCall,
): Promise<unknown>[] => [
  db.run(sql`
    INSERT INTO jobs (organization_id, due_at, name, transaction_id, late_call_key, late_call_fingerprint, late_call)
    VALUES (${organizationId}, ${dueAt}, 'late-answer', ${transactionId ?? null}, ${key}, ${fingerprint}, ${call})`),
]

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
