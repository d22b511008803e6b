import type { DueItem } from '../jobs/due-work.ts'
import type { JobScheduler } from '../jobs/job-scheduler.ts'
import type { RunCounts } from '../jobs/run-up-to-instant.ts'
import type { ClockMove } from '../store/shopper-click-and-clock-move-store.ts'
import type { Store } from '../store/store.ts'
import { type Clock, isoTime, LAST_INSTANT } from '../support/clock.ts'
import { ControlError } from '../support/control-error.ts'

type Parts = { store: Store; clock: Clock; jobs: JobScheduler }

/** The state of an organization's clock as control shows it; `scale` is 0 where it is frozen, 1 at real time. */
export type ClockView = {
  now: number
  mode: 'real' | 'frozen' | 'scaled'
  scale: number
  /** The next due job or delivery; null where nothing is scheduled. */
  next: DueItem | null
}

/** The highest rate of an organization's clock: how many times as fast as real time. */
export const MAX_CLOCK_RATE = 1_000_000

/** Creates the control of organizations' clocks: advance, freeze or scale, and run in order what becomes due. */
export const createClockControl = ({ store, clock, jobs }: Parts) => {
  const targets = new Map<string, number>()

  /** Adjusts a clock and saves it; one that cannot be saved, as on a full disk, stays as it was. */
  const adjust = async (organizationId: string, change: Parameters<Clock['adjust']>[1]): Promise<void> => {
    const before = clock.setting(organizationId)
    try {
      await store.setClock(organizationId, clock.adjust(organizationId, change), change)
    } catch (error) {
      clock.set(organizationId, before)
      throw error
    }
  }
  const moveTo = (organizationId: string) => async (instant: number) => {
    if (instant > clock.now(organizationId)) await adjust(organizationId, { at: instant })
  }

  const next = async (organizationId: string): Promise<DueItem | undefined> => {
    const thing = await jobs.nextDue(organizationId)
    return thing && thing.at <= LAST_INSTANT ? thing : undefined
  }
  const look = async (organizationId: string): Promise<ClockView> => {
    const { rate } = clock.setting(organizationId)
    const mode = rate === 0 ? 'frozen' : rate === 1 ? 'real' : 'scaled'
    return { now: clock.now(organizationId), mode, scale: rate, next: (await next(organizationId)) ?? null }
  }

  /** Runs a change of the clock and records it as an activity. */
  const recorded = async (organizationId: string, way: ClockMove['way'], move: () => Promise<RunCounts>) => {
    const [at, real] = [clock.now(organizationId), clock.real()]
    const { ran, others, unresponsive = [] } = await move()
    const [until, { rate }] = [clock.now(organizationId), clock.setting(organizationId)]
    if (ran > 0 || way !== 'drain')
      await store.addActivity(organizationId, { kind: 'clock', at, until, way, rate, ran, real })
    return { ran, ...(others > 0 ? { deliveries: others } : {}), ...(unresponsive.length > 0 ? { unresponsive } : {}) }
  }

  const advanceTo = async (organizationId: string, target: number, way: ClockMove['way']) => {
    if (target > LAST_INSTANT)
      throw new ControlError('invalid', `No clock goes beyond ${isoTime(LAST_INSTANT)}: give less.`)
    targets.set(organizationId, target)
    try {
      const ran = await recorded(organizationId, way, () =>
        jobs.runUpTo(organizationId, target, moveTo(organizationId)),
      )
      return { ...(await look(organizationId)), ...ran }
    } finally {
      if (targets.get(organizationId) === target) targets.delete(organizationId)
      await jobs.refresh(organizationId)
    }
  }

  /** Advances on top of those of other replicas, which this one knows of once they have ended. */
  const inTurn = <Result>(organizationId: string, advance: () => Promise<Result>): Promise<Result> =>
    store.replicas ? store.replicas.withTurn(`advance ${organizationId}`, advance) : advance()

  const setRate = async (organizationId: string, rate: number, way: ClockMove['way']) => {
    const ran = await recorded(organizationId, way, async () => {
      await adjust(organizationId, { rate })
      await jobs.refresh(organizationId)
      return { ran: await jobs.runDue(organizationId), others: 0 }
    })
    return { ...(await look(organizationId)), ...ran }
  }

  return {
    look,
    /** Scheduled jobs and deliveries, soonest first. */
    scheduled: (organizationId: string, limit: number) => store.scheduledItems(organizationId, { limit }),
    /** Advances by milliseconds, on top of an advance that still runs; returns the clock's state and how much ran. */
    advance: (organizationId: string, milliseconds: number) =>
      inTurn(organizationId, () =>
        advanceTo(
          organizationId,
          Math.max(clock.now(organizationId), targets.get(organizationId) ?? 0) + milliseconds,
          'advance',
        ),
      ),
    /** Advances to the next due job or delivery, returned as `reached`; without one the clock stays. */
    advanceToNext: async (organizationId: string) => {
      const reached = await next(organizationId)
      if (!reached) return { ...(await look(organizationId)), ran: 0, reached: null }
      return { ...(await advanceTo(organizationId, reached.at, 'next')), reached }
    },
    /** Advances to an instant, epoch milliseconds; an earlier one than now is refused. */
    goTo: async (organizationId: string, instant: number) => {
      const now = clock.now(organizationId)
      if (instant < now)
        throw new ControlError('invalid', `The clock is at ${isoTime(now)} and only moves forward: give a later time.`)
      return advanceTo(organizationId, instant, 'to')
    },
    /** Freezes the clock, or lets it run at the rate of real time from where it stands. */
    freeze: (organizationId: string, held: boolean) => setRate(organizationId, held ? 0 : 1, held ? 'freeze' : 'real'),
    /** Runs the clock at a multiple of real time, from where it stands. */
    scale: async (organizationId: string, pace: number) => {
      if (!(pace > 0 && pace <= MAX_CLOCK_RATE))
        throw new ControlError('invalid', `scale is ${pace}: give a number above 0 and up to ${MAX_CLOCK_RATE}.`)
      return setRate(organizationId, pace, 'scale')
    },
    /** Advances until nothing is scheduled any more. */
    drain: async (organizationId: string) => {
      const ran = await recorded(organizationId, 'drain', () =>
        jobs.runUpTo(organizationId, undefined, moveTo(organizationId)),
      )
      return { ...(await look(organizationId)), ...ran }
    },
  }
}
