import sql from 'sql-template-tag'
import { type JobRow, toJob } from '../row-mapping.ts'
import type { Store } from '../store.ts'
import type { Job } from '../unit-of-work.ts'
import type { Db } from './pool.ts'

/** Creates the PostgreSQL store of due jobs: reads the next due time, and the first job that is due. */
export const createDueJobStore = (db: Db): Pick<Store, 'nextDue' | 'dueJob'> => ({
  nextDue: async organizationId => {
    const [row] = await db.rows<{ due_at: number }>(sql`
      SELECT due_at FROM jobs WHERE organization_id = ${organizationId} ORDER BY due_at, job_id LIMIT 1`)
    return row?.due_at
  },
  dueJob: async (organizationId, now): Promise<Job | undefined> => {
    const [row] = await db.rows<JobRow>(sql`
      SELECT * FROM jobs WHERE organization_id = ${organizationId} AND due_at <= ${now}
      ORDER BY due_at, job_id LIMIT 1`)
    return row && toJob(row)
  },
})
