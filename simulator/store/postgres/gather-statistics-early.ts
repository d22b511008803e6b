import sql, { raw } from 'sql-template-tag'
import { ORGANIZATION_TABLES } from '../tables-emptied-by-reset.ts'
import type { Pool } from './pool.ts'

/** Numbers of units of work after which statistics are gathered; PostgreSQL does so of its own accord about once a minute. */
const AFTER = [64, 1_024, 16_384]

/**
 * Creates the function that counts units of work and has PostgreSQL gather statistics while the tables are young. Its
 * statements are planned when they are first run and those plans are kept: made over empty tables, some read all rows
 * of an organization for each call, which a new sandbox under load would do for its first minute.
 */
export const createEarlyStatistics = (pool: Pool): (() => void) => {
  let units = 0
  return () => {
    units += 1
    if (!AFTER.includes(units)) return
    const tables = ORGANIZATION_TABLES.map(([table]) => table).join(', ')
    void pool.run(sql`ANALYZE (SKIP_LOCKED) ${raw(tables)}`).catch(() => undefined) // the calls go on as they are
  }
}
