import { toLateCall } from '../row-mapping.ts'
import { createSqlTags, type Db } from '../sql-statements.ts'
import type { LateCall } from '../unit-of-work.ts'

/** Finds the late provider call in PostgreSQL under an idempotency key, or else one on a payment. */
export const findLateCall = (
  db: Db,
  organizationId: string,
  key = '',
  transactionId = '',
): Promise<LateCall | undefined> =>
  createSqlTags(db).find(toLateCall)`
    SELECT late_call_key, late_call_fingerprint, transaction_id, due_at, late_call FROM jobs
    WHERE organization_id = ${organizationId} AND late_call_key IS NOT NULL
      AND (late_call_key = ${key} OR transaction_id = ${transactionId})
    ORDER BY late_call_key = ${key} DESC, job_id LIMIT 1`
