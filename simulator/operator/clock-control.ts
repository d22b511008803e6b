import { type Clock, type ClockSetting, END_OF_TIME, isoTime } from '../clock.ts'
import type { DueThing } from '../jobs/due.ts'
import type { Jobs, Ran } from '../jobs/jobs.ts'
import type { ClockMove } from '../store/deeds-port.ts'
import type { Store } from '../store/port.ts'
import { OperatorError } from './operator-error.ts'

type Parts = { store: Store; clock: Clock; jobs: Jobs }

/** How an organization's clock stands; `scale` is 0 where it is frozen, 1 at real pace. */
export type ClockView = {
  now: number
  mode: 'real' | 'frozen' | 'scaled'
  scale: number
  /** What it will bring next; null where nothing waits for it. */
  next: DueThing | null
}

export const FASTEST = 1_000_000

/** Moves an organization's clock forward, holds it or changes its pace; all that falls due on the way happens, in order. */
export const createClockControl = ({ store, clock, jobs }: Parts) => {
  const headedFor = new Map<string, number>()

  const save = (organizationId: string, setting: ClockSetting) => store.setClock(organizationId, setting)
  const moveTo = (organizationId: string) => async (instant: number) => {
    if (instant > clock.now(organizationId)) await save(organizationId, clock.goOn(organizationId, { at: instant }))
  }

  const next = async (organizationId: string): Promise<DueThing | undefined> => {
    const thing = await jobs.next(organizationId)
    return thing && thing.at <= END_OF_TIME ? thing : undefined
  }
  const look = async (organizationId: string): Promise<ClockView> => {
    const { rate } = clock.setting(organizationId)
    const mode = rate === 0 ? 'frozen' : rate === 1 ? 'real' : 'scaled'
    return { now: clock.now(organizationId), mode, scale: rate, next: (await next(organizationId)) ?? null }
  }

  /** Does it, and keeps that it was done. */
  const noted = async (organizationId: string, way: ClockMove['way'], move: () => Promise<Ran>) => {
    const [at, real] = [clock.now(organizationId), clock.real()]
    const { ran, others } = await move()
    const [until, { rate }] = [clock.now(organizationId), clock.setting(organizationId)]
    if (ran > 0 || way !== 'drain')
      await store.addDeed(organizationId, { kind: 'clock', at, until, way, rate, ran, real })
    return { ran, ...(others > 0 ? { deliveries: others } : {}) }
  }

  const travel = async (organizationId: string, target: number, way: ClockMove['way']) => {
    if (target > END_OF_TIME)
      throw new OperatorError('invalid', `No clock goes beyond ${isoTime(END_OF_TIME)}: give less.`)
    headedFor.set(organizationId, target)
    try {
      const ran = await noted(organizationId, way, async () => {
        const ran = await jobs.runUpTo(organizationId, target, moveTo(organizationId))
        await moveTo(organizationId)(target)
        return ran
      })
      return { ...(await look(organizationId)), ...ran }
    } finally {
      if (headedFor.get(organizationId) === target) headedFor.delete(organizationId)
      await jobs.refresh(organizationId)
    }
  }

  const setPace = async (organizationId: string, rate: number, way: ClockMove['way']) => {
    const ran = await noted(organizationId, way, async () => {
      await save(organizationId, clock.goOn(organizationId, { rate }))
      await jobs.refresh(organizationId)
      return { ran: await jobs.runDue(organizationId), others: 0 }
    })
    return { ...(await look(organizationId)), ...ran }
  }

  return {
    look,
    /** What the clock will bring, soonest first. */
    coming: (organizationId: string, limit: number) => store.agenda(organizationId, { limit }),
    /** Milliseconds forward, on top of a journey that is not over yet; tells how the clock stands and how much ran. */
    advance: (organizationId: string, milliseconds: number) =>
      travel(
        organizationId,
        Math.max(clock.now(organizationId), headedFor.get(organizationId) ?? 0) + milliseconds,
        'advance',
      ),
    /** To the next thing that is due, which is told as `reached`; where there is none nothing moves. */
    advanceToNext: async (organizationId: string) => {
      const reached = await next(organizationId)
      if (!reached) return { ...(await look(organizationId)), ran: 0, reached: null }
      return { ...(await travel(organizationId, reached.at, 'next')), reached }
    },
    /** Forward to an instant. */
    goTo: async (organizationId: string, instant: number) => {
      const now = clock.now(organizationId)
      if (instant < now)
        throw new OperatorError(
          'invalid',
          `The clock stands at ${isoTime(now)} and only moves forward: give a later time.`,
        )
      return travel(organizationId, instant, 'to')
    },
    /** Holds the clock, or lets it go on at real pace from where it stands. */
    freeze: (organizationId: string, held: boolean) => setPace(organizationId, held ? 0 : 1, held ? 'freeze' : 'real'),
    /** So many times as fast as real time, from where it stands. */
    scale: async (organizationId: string, pace: number) => {
      if (!(pace > 0 && pace <= FASTEST))
        throw new OperatorError('invalid', `scale is ${pace}: give a number above 0 and up to ${FASTEST}.`)
      return setPace(organizationId, pace, 'scale')
    },
    /** To the last due time there is: afterwards nothing waits for the clock. */
    drain: async (organizationId: string) => {
      const ran = await noted(organizationId, 'drain', () =>
        jobs.runUpTo(organizationId, END_OF_TIME, moveTo(organizationId)),
      )
      return { ...(await look(organizationId)), ...ran }
    },
  }
}
