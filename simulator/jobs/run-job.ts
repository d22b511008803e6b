import type { Ids } from '../ids.ts'
import { passDeadline } from '../operations/deadline.ts'
import { lateAnswer } from '../operations/late-answer.ts'
import type { Rules } from '../operations/operation.ts'
import type { Job, Store } from '../store/port.ts'
import type { RunJob } from './jobs.ts'

type Parts = { store: Store; ids: Ids; rules: Rules }

/** A job is done in the same unit of work that removes it: at its due time, whatever the time is now. */
export const createRunJob =
  ({ store, ids, rules }: Parts): RunJob =>
  async (organizationId, job) => {
    if (job.name !== 'late-answer') return passing(store, organizationId, job)
    const unit = lateAnswer(job.late, { ids, rules })
    await store.perform({
      ...unit,
      decide: loaded => {
        const { result, save } = unit.decide(loaded)
        return { result, save: { ...save, finishedJobId: job.jobId } }
      },
    })
  }

const passing = (store: Store, organizationId: string, job: Exclude<Job, { name: 'late-answer' }>): Promise<void> =>
  store.perform({
    organizationId,
    now: job.dueAt,
    needs: { transactionId: job.transactionId },
    decide: ({ payment }) => ({
      result: undefined,
      save: { finishedJobId: job.jobId, change: payment && passDeadline(payment, job) },
    }),
  })
