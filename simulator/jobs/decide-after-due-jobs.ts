import type { Store } from '../store/store.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import type { Clock } from '../support/clock.ts'
import type { JobScheduler } from './job-scheduler.ts'

type Parts = {
  store: Store
  clock: Clock
  jobs: Pick<JobScheduler, 'refresh'>
  runDue: JobScheduler['runDue' | 'catchUp']
}

/** How often a decision waits for jobs that fell due since the last look; a scheduler that is stopped runs none. */
const MOST_LOOKS = 4

/**
 * Decides now about a payment, after the jobs that are due by then: `unitAt` gives the unit of work for an instant of
 * the organization's clock. Where a job of the payment falls due while the unit waits for its turn, or the clock is
 * set back by a reset, the unit decides nothing and is made anew. Throws what `runDue` throws.
 */
export const decideAfterDueJobs = async <Result>(
  { store, clock, jobs, runDue }: Parts,
  organizationId: string,
  unitAt: (now: number) => Omit<UnitOfWork<Result>, 'organizationId' | 'now'>,
): Promise<Result> => {
  for (let look = 1; ; look += 1) {
    await runDue(organizationId)
    const now = clock.now(organizationId)
    const unit = unitAt(now)
    const decided = await store.transact<{ result: Result } | undefined>({
      organizationId,
      now,
      needs: unit.needs,
      decide: loaded => {
        const isEarly = loaded.isJobDue && look < MOST_LOOKS
        if (isEarly || clock.now(organizationId) < now) return { result: undefined }
        const { result, save } = unit.decide(loaded)
        return { result: { result }, ...(save ? { save } : {}) }
      },
    })
    if (decided) return decided.result
    await jobs.refresh(organizationId)
  }
}
