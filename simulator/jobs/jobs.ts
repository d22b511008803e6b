import type { Clock } from '../clock.ts'
import type { Job, Store } from '../store/port.ts'

/** Runs what the clock makes due, in order of due time. */
export type Jobs = {
  /** Runs everything that is due for an organization by now; how many jobs ran. */
  runDue(organizationId: string): Promise<number>
  /** Moves the clock from due time to due time until nothing is left; how many jobs ran. */
  drain(organizationId: string, moveClockTo: (instant: number) => Promise<void>): Promise<number>
  /** Tells that a job was saved, so that its time is not missed. */
  scheduled(organizationId: string, dueAt: number): void
  /** Looks up again what is next, after a start or a jump of the clock. */
  refresh(organizationId: string): Promise<void>
  stop(): void
}

/** Does what a job is there for, and removes it, in one unit of work. */
export type RunJob = (organizationId: string, job: Job) => Promise<void>

const LONGEST_TIMER = 2 ** 31 - 1

export const createJobs = (store: Store, clock: Clock, runJob: RunJob): Jobs => {
  const nextDue = new Map<string, number>()
  let timer: { handle: NodeJS.Timeout; at: number } | undefined
  let stopped = false

  const arm = (organizationId: string): void => {
    const due = nextDue.get(organizationId)
    if (due === undefined || stopped) return
    const at = due - clock.offset(organizationId)
    if (timer && timer.at <= at) return
    if (timer) clearTimeout(timer.handle)
    const wait = Math.min(Math.max(at - clock.real(), 0), LONGEST_TIMER)
    timer = { at, handle: setTimeout(wake, wait).unref() }
  }

  const wake = async (): Promise<void> => {
    timer = undefined
    for (const organizationId of nextDue.keys()) await runDue(organizationId)
    for (const organizationId of nextDue.keys()) arm(organizationId)
  }

  const refresh = async (organizationId: string): Promise<void> => {
    const due = await store.nextDue(organizationId)
    if (due === undefined) nextDue.delete(organizationId)
    else nextDue.set(organizationId, due)
    arm(organizationId)
  }

  const runDue = async (organizationId: string): Promise<number> => {
    const now = clock.now(organizationId)
    if (stopped || (nextDue.get(organizationId) ?? Number.POSITIVE_INFINITY) > now) return 0
    let ran = 0
    for (let job = await store.dueJob(organizationId, now); job; job = await store.dueJob(organizationId, now)) {
      await runJob(organizationId, job)
      ran += 1
    }
    await refresh(organizationId)
    return ran
  }

  return {
    runDue,
    refresh,
    drain: async (organizationId, moveClockTo) => {
      let ran = await runDue(organizationId)
      for (
        let due = await store.nextDue(organizationId);
        due !== undefined;
        due = await store.nextDue(organizationId)
      ) {
        if (due > clock.now(organizationId)) await moveClockTo(due)
        else await refresh(organizationId)
        ran += await runDue(organizationId)
      }
      return ran
    },
    scheduled: (organizationId, dueAt) => {
      if (dueAt >= (nextDue.get(organizationId) ?? Number.POSITIVE_INFINITY)) return
      nextDue.set(organizationId, dueAt)
      arm(organizationId)
    },
    stop: () => {
      stopped = true
      if (timer) clearTimeout(timer.handle)
    },
  }
}
