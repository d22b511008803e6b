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
/** How often a decision is made anew as the clock is moved on, which a long advance does many times a second. */
const MOST_MOVES = 30

type Looked<Result> = { result: Result } | { movedTo?: ClockSetting }

/**
 * Decides now about a payment, after the jobs that are due by then: `unitAt` gives the unit of work for an instant of
 * the organization's clock. Where a job of the payment falls due while the unit waits for its turn, or the clock is
 * set back by a reset or a restore, here or at another replica, the unit decides nothing and is made anew; so is one
 * that changes something where the clock is moved on, so that nothing is dated before what it acts on (D-93). Throws
 * what `runDue` throws.
 */
export const decideAfterDueJobs = async <Result>(
  { store, clock, jobs, runDue }: Parts,
  organizationId: string,
  unitAt: (now: number) => Omit<UnitOfWork<Result>, 'organizationId' | 'now'>,
): Promise<Result> => {
  const isMovedTo = (stored: ClockSetting, look: number): boolean =>
    clock.isSetBackBy(organizationId, stored) || (look < MOST_MOVES && clock.isMovedOnBy(organizationId, stored))
  for (let look = 1; ; look += 1) {
    await runDue(organizationId)
    const [now, setting] = [clock.now(organizationId), clock.setting(organizationId)]
    const unit = unitAt(now)
    const looked = await store.transact<Looked<Result>>({
      organizationId,
      now,
      needs: { ...unit.needs, clock: !unit.needs.isReadOnly },
      decide: loaded => {
        if (loaded.clock && isMovedTo(loaded.clock, look)) return { result: { movedTo: loaded.clock } }
        const isEarly = loaded.isJobDue && look < MOST_LOOKS
        const isLate = !unit.needs.isReadOnly && look < MOST_MOVES && clock.isSetBackBy(organizationId, setting)
        if (isEarly || isLate || clock.now(organizationId) < now) return { result: {} }
        const { result, save } = unit.decide(loaded)
        return { result: { result }, ...(save ? { save } : {}) }
      },
    })
    if ('result' in looked) return looked.result
    // A later setting may have been heard of since the clock was read.
    if (looked.movedTo && clock.setting(organizationId) === setting) clock.set(organizationId, looked.movedTo)
    await jobs.refresh(organizationId)
  }
}
