import type { RunJob } from '../jobs/job-scheduler.ts'
import type { Store } from '../store/store.ts'
import type { Job } from '../store/unit-of-work.ts'
import type { Ids } from '../support/ids.ts'
import { applyDeadline } from './apply-deadline.ts'
import type { DeadlineRules, RulesOf } from './operation-types.ts'
import { idsByRules } from './payment-id-generators.ts'
import { createLateCallUnit } from './run-provider-call-after-timeout.ts'

type Parts = { store: Store; ids: Ids; rulesOf: RulesOf }

/** Creates the function that runs a job and removes it in one unit of work, dated at the job's due time. */
export const createRunJob =
  ({ store, ids, rulesOf }: Parts): RunJob =>
  async (organizationId, job) => {
    const rules = rulesOf(organizationId)
    if (job.name !== 'late-answer')
      return runDeadline(store, organizationId, job, { ...rules, ids: idsByRules(ids, rules) })
    const unit = createLateCallUnit(job.lateCall, { ids, rules })
    await store.transact({
      ...unit,
      needs: { ...unit.needs, jobId: job.jobId },
      decide: loaded => {
        const { result, save } = unit.decide(loaded)
        return { result, save: { ...save, finishedJobId: job.jobId } }
      },
    })
  }

const runDeadline = (
  store: Store,
  organizationId: string,
  job: Exclude<Job, { name: 'late-answer' }>,
  rules: DeadlineRules,
): Promise<void> =>
  store.transact({
    organizationId,
    now: job.dueAt,
    needs: { transactionId: job.transactionId, jobId: job.jobId },
    decide: ({ payment }) => ({
      result: undefined,
      save: { finishedJobId: job.jobId, change: payment && applyDeadline(payment, job, rules) },
    }),
  })
