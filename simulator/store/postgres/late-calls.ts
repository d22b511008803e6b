import sql from 'sql-template-tag'
import type { LateCall } from '../port.ts'
import { type LateCallRow, lateCallOf } from '../rows.ts'
import type { Db } from './open.ts'

export const insertLate = (
  db: Db,
  organizationId: string,
  { key, fingerprint, transactionId, dueAt, call }: LateCall,
): Promise<unknown>[] => [
  db.run(sql`
    INSERT INTO jobs (organization_id, due_at, name, transaction_id, call_key, fingerprint, call)
    VALUES (${organizationId}, ${dueAt}, 'late-answer', ${transactionId ?? null}, ${key}, ${fingerprint}, ${call})`),
]

/** The call under this very key first, then one on the same payment. */
export const findLate = async (
  db: Db,
  organizationId: string,
  key = '',
  transactionId = '',
): Promise<LateCall | undefined> => {
  const [row] = await db.rows<LateCallRow>(sql`
    SELECT call_key, fingerprint, transaction_id, due_at, call FROM jobs
    WHERE organization_id = ${organizationId} AND call_key IS NOT NULL
      AND (call_key = ${key} OR transaction_id = ${transactionId})
    ORDER BY call_key = ${key} DESC, job_id LIMIT 1`)
  return row && lateCallOf(row)
}
