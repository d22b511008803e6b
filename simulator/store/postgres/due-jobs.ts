import sql from 'sql-template-tag'
import { type JobRow, toJob } from '../row-mapping.ts'
import type { Store } from '../store.ts'
import type { Db } from './pool.ts'

/** Creates the PostgreSQL store of due jobs: reads the next due time, and the first jobs that are due. */
export const createDueJobStore = (db: Db): Pick<Store, 'nextDue' | 'dueJobs'> => ({
  nextDue: async organizationId => {
    const [row] = await db.rows<{ due_at: number }>(sql`
      SELECT due_at FROM jobs WHERE organization_id = ${organizationId} ORDER BY due_at, job_id LIMIT 1`)
    return row?.due_at
  },
  dueJobs: async (organizationId, now, limit) =>
    (
      await db.rows<JobRow>(sql`
        SELECT * FROM jobs WHERE organization_id = ${organizationId} AND due_at <= ${now}
        ORDER BY due_at, job_id LIMIT ${limit}`)
    ).map(toJob),
})
