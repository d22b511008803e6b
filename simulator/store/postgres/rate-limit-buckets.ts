import sql from 'sql-template-tag'
import type { ReplicaCoordinationStore } from '../replica-coordination-store.ts'
import type { Db } from '../sql-statements.ts'

/** How far behind the newest call one may be that waited for its turn; a clock further behind has been set back (D-111). */
const LATE_MS = 10_000

/**
 * Adds calls to an organization's rate-limit bucket in PostgreSQL, in one statement, so that replicas lose no calls of
 * each other. A call that waited does not set the bucket's time back, which would count the time since then twice.
 */
export const addToRateLimit = async (
  db: Db,
  organizationId: string,
  { calls, now, perSecond }: Parameters<ReplicaCoordinationStore['addToRateLimit']>[1],
): Promise<number> => {
  const level = sql`GREATEST(0, rate_limit_buckets.level - GREATEST(0, ${now}::bigint - rate_limit_buckets.updated_at) * ${perSecond}::double precision / 1000)`
  const asked = sql`${level} + ${calls}::double precision`
  const [row] = await db.rows<{ requested_level: number }>(sql`
    INSERT INTO rate_limit_buckets (organization_id, level, requested_level, updated_at) VALUES (${organizationId}, ${calls}, ${calls}, ${now})
    ON CONFLICT (organization_id) DO UPDATE SET requested_level = ${asked},
      updated_at = CASE WHEN rate_limit_buckets.updated_at BETWEEN ${now}::bigint AND ${now}::bigint + ${LATE_MS}::bigint
        THEN rate_limit_buckets.updated_at ELSE ${now} END,
      level = CASE WHEN ${asked} > ${perSecond}::double precision THEN ${level} ELSE ${asked} END
    RETURNING requested_level`)
  return row?.requested_level ?? calls
}
