import sql from 'sql-template-tag'
import { type JobRow, toJob } from '../row-mapping.ts'
import type { Db } from '../sql-statements.ts'
import type { Store } from '../store.ts'

/** Creates the PostgreSQL store of due jobs: reads the first jobs that are due. */
export const createDueJobStore = (db: Db): Pick<Store, 'dueJobs'> => ({
  dueJobs: async (organizationId, now, limit) =>
    (
      await db.rows<JobRow>(sql`
        SELECT * FROM jobs WHERE organization_id = ${organizationId} AND due_at <= ${now}
        ORDER BY due_at, job_id LIMIT ${limit}`)
    ).map(toJob),
})
