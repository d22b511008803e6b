import type { Store } from '../store/store.ts'
import type { Job } from '../store/unit-of-work.ts'
import { type Clock, stopwatch } from '../support/clock.ts'
import { coalesceByName } from '../support/coalesce-concurrent-runs.ts'
import { MINUTE, SECOND } from '../support/duration.ts'
import {
  AFTER_ALL_DUE_TIMES,
  type BackgroundWorkSource,
  type DueItem,
  type DueWorkSource,
  findFirstDue,
} from './due-work.ts'
import { createRunsUpToInstant, type RunsUpToInstant } from './run-up-to-instant.ts'

/** Scheduler of due jobs and deliveries, in order of due time on each organization's clock. */
export type JobScheduler = RunsUpToInstant & {
  /** Runs the jobs that are due for an organization now; returns how many ran. Does not wait for webhook deliveries. */
  runDue(organizationId: string): Promise<number>
  /** Like runDue, for reads: on failure the jobs stay due and nothing is thrown. */
  catchUp(organizationId: string): Promise<void>
  /** The next due item of an organization, from any source. */
  nextDue(organizationId: string): Promise<DueItem | undefined>
  /** Notes that work is saved for this due time, if any, and sets the timer for it. */
  scheduled(organizationId: string, dueAt: number | undefined): void
  /** Reads the next due time again, after a start or a change of the clock. */
  refresh(organizationId: string): Promise<void>
  stop(): void
}

/** A function that runs one due job and removes it, in one unit of work. */
export type RunJob = (organizationId: string, job: Job) => Promise<void>

/** Longest timer, so that a machine that slept or whose clock was put forward is noticed within it. */
const LONGEST_TIMER = MINUTE
/**
 * How long jobs of an organization that another replica leads are left to it before a look at them; if the first one is
 * the same at the next look, that replica may be gone.
 */
const LEFT_TO_OTHERS = SECOND / 2
/** Organizations whose due jobs run at once, so that none waits for a long run of one other and commits share a flush. */
const AT_ONCE = 8
/** Pause after an internal failure, such as a full disk, before the jobs of the organization are tried again. */
const RETRY_PAUSE = SECOND

/**
 * Creates the scheduler of due jobs and deliveries. `others` are further sources of due work, run after jobs of the
 * same instant. `onError` is called with failures of background runs; replicas leave the organizations that others lead
 * to them for a while.
 */
export const createJobScheduler = (
  store: Store,
  clock: Clock,
  runJob: RunJob,
  others: readonly BackgroundWorkSource[] = [],
  onError: (error: unknown) => void = console.error,
  leads: (organizationId: string) => boolean = () => true,
): JobScheduler => {
  const own = jobsOf(store, clock, runJob, () => stopped)
  const kinds = [own, ...others]
  const nextDue = new Map<string, number>()
  /** Newest look at an organization's work that is under way, with the earliest due time noted since it began. */
  const looks = new Map<string, { earliest: number }>()
  const elapsed = stopwatch() // timers do not follow the machine's clock
  const pausedUntil = new Map<string, number>()
  const leftUntil = new Map<string, { due: number; until: number; first?: string }>()
  const timers = new Map<string, { handle: NodeJS.Timeout; at: number }>()
  const ready = new Set<string>()
  const underWay = new Set<string>()
  let stopped = false

  const isDue = (organizationId: string): boolean =>
    !stopped && (nextDue.get(organizationId) ?? Number.POSITIVE_INFINITY) <= clock.now(organizationId)

  const arm = (organizationId: string): void => {
    const due = nextDue.get(organizationId)
    const untilDue = due === undefined || stopped ? undefined : clock.realUntil(organizationId, due)
    if (untilDue === undefined || underWay.has(organizationId)) return // the end of its run arms it
    const [left, latest] = [leftUntil.get(organizationId), elapsed() + untilDue + LEFT_TO_OTHERS]
    if (leads(organizationId)) leftUntil.delete(organizationId)
    else if (left && left.due === due) left.until = Math.min(left.until, latest)
    else leftUntil.set(organizationId, { due: due ?? 0, until: latest })
    const wait = Math.min(Math.max(untilDue, pauseOf(organizationId)), LONGEST_TIMER)
    const at = elapsed() + wait
    const timer = timers.get(organizationId)
    if (timer && timer.at <= at) return
    clearTimeout(timer?.handle)
    timers.set(organizationId, { at, handle: setTimeout(wake, wait, organizationId).unref() })
  }

  const pauseOf = (organizationId: string): number =>
    Math.max(pausedUntil.get(organizationId) ?? 0, leftUntil.get(organizationId)?.until ?? 0) - elapsed()

  const failed =
    (organizationId: string) =>
    async (error: unknown): Promise<void> => {
      if (stopped) return
      pausedUntil.set(organizationId, elapsed() + RETRY_PAUSE)
      onError(error)
      await refresh(organizationId).catch(onError)
    }

  const wake = async (organizationId: string): Promise<void> => {
    timers.delete(organizationId)
    if (underWay.has(organizationId)) return
    if (!isDue(organizationId) || pauseOf(organizationId) > 0) return arm(organizationId)
    ready.add(organizationId)
    if (underWay.size < AT_ONCE) for (const next of ready) await runInTurn(next)
  }

  const runInTurn = async (organizationId: string): Promise<void> => {
    ready.delete(organizationId)
    underWay.add(organizationId)
    const run = leads(organizationId) ? runAllSources : standIn
    await run(organizationId).catch(failed(organizationId))
    underWay.delete(organizationId)
    arm(organizationId)
  }

  /** Runs what is due in the place of another replica, unless that has run something since the last look. */
  const standIn = async (organizationId: string): Promise<void> => {
    const left = leftUntil.get(organizationId)
    const item = await findFirstDue(kinds, organizationId)
    const first = JSON.stringify(item)
    if (!item || item.at > clock.now(organizationId)) await refresh(organizationId)
    else if (left && left.first !== first)
      leftUntil.set(organizationId, { due: left.due, until: elapsed() + LEFT_TO_OTHERS, first })
    else await runAllSources(organizationId)
  }

  const runOwn = coalesceByName(async (organizationId: string): Promise<number> => {
    const ran = await own.runDue(organizationId, clock.now(organizationId))
    await refresh(organizationId)
    return ran
  })

  const runAllSources = coalesceByName(async (organizationId: string): Promise<void> => {
    await runOwn(organizationId)
    for (const source of others)
      for (const ended of await source.startDue(organizationId)) void lookAfter(ended, organizationId)
    await refresh(organizationId)
  })

  const lookAfter = async (ended: Promise<{ error?: unknown }>, organizationId: string): Promise<void> => {
    const { error } = await ended
    await (error === undefined ? refresh(organizationId) : Promise.reject(error)).catch(failed(organizationId))
  }

  const runDue = async (organizationId: string): Promise<number> => (isDue(organizationId) ? runOwn(organizationId) : 0)

  const refresh = async (organizationId: string): Promise<void> => {
    const look = { earliest: Number.POSITIVE_INFINITY }
    looks.set(organizationId, look)
    const next = stopped ? undefined : await findFirstDue(kinds, organizationId)
    if (looks.get(organizationId) !== look) return // a newer look has seen more
    looks.delete(organizationId)
    const at = Math.min(next?.at ?? Number.POSITIVE_INFINITY, look.earliest)
    if (at === Number.POSITIVE_INFINITY) nextDue.delete(organizationId)
    else nextDue.set(organizationId, at)
    arm(organizationId)
  }

  return {
    refresh,
    nextDue: organizationId => findFirstDue(kinds, organizationId),
    runDue,
    catchUp: async organizationId => void (await runDue(organizationId).catch(failed(organizationId))),
    ...createRunsUpToInstant({
      clock,
      jobs: own,
      others,
      isStopped: () => stopped,
      afterRun: (organizationId, isUnresponsive) => (isUnresponsive ? runAllSources : refresh)(organizationId),
    }),
    scheduled: (organizationId, dueAt) => {
      const look = looks.get(organizationId)
      if (look && dueAt !== undefined) look.earliest = Math.min(look.earliest, dueAt)
      const known = nextDue.get(organizationId) ?? Number.POSITIVE_INFINITY
      if (dueAt !== undefined && dueAt < known) nextDue.set(organizationId, dueAt)
      arm(organizationId) // the clock's rate may have changed since the due time was noted
    },
    stop: () => {
      stopped = true
      for (const { handle } of timers.values()) clearTimeout(handle)
    },
  }
}

/** Maximum number of jobs of an organization that run together, so that they share a commit. */
const MOST_TOGETHER = 16
/** Jobs that are due within this time of each other run together, where they are of different payments. */
const TOGETHER_WITHIN = SECOND / 10

/** Creates the source of due work for jobs in the database: by due time, then in the order of saving. */
const jobsOf = (store: Store, clock: Clock, runJob: RunJob, isStopped: () => boolean): DueWorkSource => ({
  next: async organizationId => {
    const [job] = await store.dueJobs(organizationId, AFTER_ALL_DUE_TIMES, 1)
    return job && { at: job.dueAt, name: job.name, transactionId: transactionIdOf(job) }
  },
  runDue: async (organizationId, upTo) => {
    let ran = 0
    for (;;) {
      const until = Math.min(upTo, clock.now(organizationId)) // a reset or restore may have set the clock back meanwhile
      const jobs = firstTogether(await store.dueJobs(organizationId, until, MOST_TOGETHER))
      if (jobs.length === 0 || isStopped()) return ran
      const ends = await Promise.allSettled(jobs.map(job => runJob(organizationId, job)))
      const failed = ends.find(end => end.status === 'rejected')
      if (failed) throw failed.reason
      ran += jobs.length
    }
  },
})

/** Returns the first of some jobs in order of due time that may run together: deadlines, no two of one payment. */
const firstTogether = (jobs: readonly Job[]): readonly Job[] => {
  const payments = jobs.map(transactionIdOf)
  const end = jobs.findIndex(
    ({ dueAt, name }, at) =>
      at > 0 &&
      (dueAt > (jobs[0]?.dueAt ?? 0) + TOGETHER_WITHIN ||
        [name, jobs[0]?.name].includes('late-answer') || // it may use up a mock or a code that the next one wants
        payments.indexOf(payments[at]) < at),
  )
  return end === -1 ? jobs : jobs.slice(0, end)
}

const transactionIdOf = (job: Job): string | undefined =>
  job.name === 'late-answer' ? job.lateCall.transactionId : job.transactionId
