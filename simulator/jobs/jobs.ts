import { type Clock, END_OF_TIME, stopwatch } from '../clock.ts'
import { MINUTE, SECOND } from '../duration.ts'
import type { Job, Store } from '../store/port.ts'
import { type Due, type DueThing, firstOf, runAll } from './due.ts'

/** Runs what the clock makes due, in order of due time. */
export type Jobs = {
  /** Runs the jobs that are due for an organization by now; how many ran. Never waits for the world outside. */
  runDue(organizationId: string): Promise<number>
  /** The same for who only reads: what cannot be saved now stays to be done, and nothing is thrown. */
  catchUp(organizationId: string): Promise<void>
  /** What the clock brings next, of whatever kind. */
  next(organizationId: string): Promise<DueThing | undefined>
  /**
   * Moves the clock from due time to due time up to this instant and runs all kinds of things on the way, each at its
   * own time and jobs first; how many ran, and how many of them were others than jobs.
   */
  runUpTo(organizationId: string, instant: number, moveClockTo: MoveClock): Promise<Ran>
  /** Tells that something is saved to be done then, if anything is, so that its time is not missed. */
  scheduled(organizationId: string, dueAt: number | undefined): void
  /** Looks up again what is next, after a start or a change of the clock. */
  refresh(organizationId: string): Promise<void>
  stop(): void
}

/** Does what a job is there for, and removes it, in one unit of work. */
export type RunJob = (organizationId: string, job: Job) => Promise<void>

export type Ran = { ran: number; others: number }

type MoveClock = (instant: number) => Promise<void>

/** A machine that slept, or whose clock was put forward, is noticed after so long. */
const LONGEST_TIMER = MINUTE
/** What failed for a reason of ours, as where the disk is full, is not tried again before. */
const REST = SECOND

/**
 * `others` are the kinds of things that are due beside jobs; at the same instant they come after them. `onFault` is
 * told of what fails while nobody waits for it.
 */
export const createJobs = (
  store: Store,
  clock: Clock,
  runJob: RunJob,
  others: readonly Due[] = [],
  onFault: (error: unknown) => void = console.error,
): Jobs => {
  const own = jobsOf(store, runJob, () => stopped)
  const kinds = [own, ...others]
  const nextDue = new Map<string, number>()
  const elapsed = stopwatch() // timers do not follow the machine's clock
  const restingUntil = new Map<string, number>()
  let timer: { handle: NodeJS.Timeout; at: number } | undefined
  let stopped = false

  const isDue = (organizationId: string): boolean =>
    !stopped && (nextDue.get(organizationId) ?? Number.POSITIVE_INFINITY) <= clock.now(organizationId)

  const arm = (organizationId: string): void => {
    const due = nextDue.get(organizationId)
    const untilDue = due === undefined || stopped ? undefined : clock.realUntil(organizationId, due)
    if (untilDue === undefined) return
    const wait = Math.min(Math.max(untilDue, restOf(organizationId)), LONGEST_TIMER)
    const at = elapsed() + wait
    if (timer && timer.at <= at) return
    if (timer) clearTimeout(timer.handle)
    timer = { at, handle: setTimeout(wake, wait).unref() }
  }

  const restOf = (organizationId: string): number => (restingUntil.get(organizationId) ?? 0) - elapsed()

  const failed =
    (organizationId: string) =>
    async (error: unknown): Promise<void> => {
      if (stopped) return
      restingUntil.set(organizationId, elapsed() + REST)
      onFault(error)
      await refresh(organizationId).catch(onFault)
    }

  const wake = async (): Promise<void> => {
    timer = undefined
    for (const organizationId of nextDue.keys())
      if (isDue(organizationId) && restOf(organizationId) <= 0)
        await runBoth(organizationId).catch(failed(organizationId))
    for (const organizationId of nextDue.keys()) arm(organizationId)
  }

  const runBoth = async (organizationId: string): Promise<void> => {
    await own.runDue(organizationId, clock.now(organizationId))
    // What calls out may take its time: neither jobs nor other organizations wait for it.
    void runAll(others, organizationId, clock.now(organizationId))
      .then(() => refresh(organizationId))
      .catch(failed(organizationId))
    await refresh(organizationId)
  }

  const runOwn = oneAtATime(async (organizationId: string): Promise<number> => {
    const ran = await own.runDue(organizationId, clock.now(organizationId))
    await refresh(organizationId)
    return ran
  })

  const runDue = async (organizationId: string): Promise<number> => (isDue(organizationId) ? runOwn(organizationId) : 0)

  const refresh = async (organizationId: string): Promise<void> => {
    const next = stopped ? undefined : await firstOf(kinds, organizationId)
    if (next === undefined) nextDue.delete(organizationId)
    else nextDue.set(organizationId, next.at)
    arm(organizationId)
  }

  return {
    refresh,
    next: organizationId => firstOf(kinds, organizationId),
    runDue,
    catchUp: async organizationId => void (await runDue(organizationId).catch(failed(organizationId))),
    runUpTo: async (organizationId, instant, moveClockTo) => {
      const last = Math.min(instant, END_OF_TIME)
      let [ran, besides, upTo, quiet] = [0, 0, Math.min(clock.now(organizationId), last), false]
      while (!quiet && !stopped) {
        const before = ran
        ran += await own.runDue(organizationId, upTo)
        const beside = await runAll(others, organizationId, upTo)
        ;[ran, besides] = [ran + beside, besides + beside]
        const due = await firstOf(kinds, organizationId)
        quiet = ran === before && (due === undefined || due.at > last) // a round that waited for something looks again
        upTo = due && due.at <= last ? due.at : upTo
        if (!quiet) await moveClockTo(upTo)
      }
      await refresh(organizationId)
      return { ran, others: besides }
    },
    scheduled: (organizationId, dueAt) => {
      const known = nextDue.get(organizationId) ?? Number.POSITIVE_INFINITY
      if (dueAt !== undefined && dueAt < known) nextDue.set(organizationId, dueAt)
      arm(organizationId) // its clock may run otherwise than when it was known
    },
    stop: () => {
      stopped = true
      if (timer) clearTimeout(timer.handle)
    },
  }
}

/**
 * Whoever comes while it runs shares one more run with all others who do: fifty calls at once would do each job fifty
 * times, and forty-nine of them find it done.
 */
const oneAtATime = <Result>(run: (name: string) => Promise<Result>): ((name: string) => Promise<Result>) => {
  const running = new Map<string, Promise<unknown>>()
  const waiting = new Map<string, Promise<Result>>()
  const begin = (name: string): Promise<Result> => {
    waiting.delete(name)
    const result = run(name).finally(() => running.get(name) === result && running.delete(name))
    running.set(name, result)
    return result
  }
  return name => {
    const before = running.get(name)
    const shared = waiting.get(name)
    if (!before || shared) return shared ?? begin(name)
    const next = before.then(
      () => begin(name),
      () => begin(name),
    )
    waiting.set(name, next)
    return next
  }
}

/** Jobs in the database: one after the other, by due time and then in the order of saving. */
const jobsOf = (store: Store, runJob: RunJob, isStopped: () => boolean): Due => ({
  next: async organizationId => {
    const job = await store.dueJob(organizationId, Number.MAX_SAFE_INTEGER)
    return job && { at: job.dueAt, name: job.name, transactionId: transactionIdOf(job) }
  },
  runDue: async (organizationId, upTo) => {
    let ran = 0
    for (let job = await store.dueJob(organizationId, upTo); job; job = await store.dueJob(organizationId, upTo)) {
      if (isStopped()) return ran
      await runJob(organizationId, job)
      ran += 1
    }
    return ran
  },
})

const transactionIdOf = (job: Job): string | undefined =>
  job.name === 'late-answer' ? job.late.transactionId : job.transactionId
