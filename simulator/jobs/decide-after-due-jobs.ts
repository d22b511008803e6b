import type { Store } from '../store/store.ts'
import type { UnitOfWork } from '../store/unit-of-work.ts'
import type { Clock, ClockSetting } from '../support/clock.ts'
import type { JobScheduler } from './job-scheduler.ts'

type Parts = {
  store: Store
  clock: Clock
  jobs: Pick<JobScheduler, 'refresh'>
  runDue: JobScheduler['runDue' | 'catchUp']
}

/** How often a decision waits for jobs that fell due since the last look; a scheduler that is stopped runs none. */
const MOST_LOOKS = 4

type Looked<Result> = { result: Result } | { setBackTo?: ClockSetting }

/**
 * Decides now about a payment, after the jobs that are due by then: `unitAt` gives the unit of work for an instant of
 * the organization's clock. Where a job of the payment falls due while the unit waits for its turn, or the clock is
 * set back by a reset or a restore, here or at another replica, the unit decides nothing and is made anew. Throws what
 * `runDue` throws.
 */
export const decideAfterDueJobs = async <Result>(
  { store, clock, jobs, runDue }: Parts,
  organizationId: string,
  unitAt: (now: number) => Omit<UnitOfWork<Result>, 'organizationId' | 'now'>,
): Promise<Result> => {
  for (let look = 1; ; look += 1) {
    await runDue(organizationId)
    const [now, setting] = [clock.now(organizationId), clock.setting(organizationId)]
    const unit = unitAt(now)
    const looked = await store.transact<Looked<Result>>({
      organizationId,
      now,
      needs: { ...unit.needs, clock: !unit.needs.isReadOnly },
      decide: loaded => {
        const isEarly = loaded.isJobDue && look < MOST_LOOKS
        if (loaded.clock && clock.isSetBackBy(organizationId, loaded.clock))
          return { result: { setBackTo: loaded.clock } }
        if (isEarly || clock.now(organizationId) < now) return { result: {} }
        const { result, save } = unit.decide(loaded)
        return { result: { result }, ...(save ? { save } : {}) }
      },
    })
    if ('result' in looked) return looked.result
    // A later setting may have been heard of since the clock was read.
    if (looked.setBackTo && clock.setting(organizationId) === setting) clock.set(organizationId, looked.setBackTo)
    await jobs.refresh(organizationId)
  }
}
