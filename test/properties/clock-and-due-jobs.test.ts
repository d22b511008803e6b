import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DueItem, DueWorkSource } from '../../simulator/jobs/due-work.ts'
import { createJobScheduler } from '../../simulator/jobs/job-scheduler.ts'
import { createClockControl } from '../../simulator/organizations/clock-control.ts'
import type { Store } from '../../simulator/store/store.ts'
import type { Job } from '../../simulator/store/unit-of-work.ts'
import { createClock, LAST_INSTANT, realMillisecondsUntil, timeAt } from '../../simulator/support/clock.ts'
import { DAY } from '../../simulator/support/duration.ts'
import { startedInBackground } from '../support/background-work-source.ts'
import { propertyRuns } from './property-run-counts.ts'

const START = Date.UTC(2026, 0, 5, 12)
const RUNS = propertyRuns(200)

const rate = fc.oneof(fc.constantFrom(0, 1, 60, 1_000_000), fc.double({ min: 0.001, max: 1_000_000, noNaN: true }))

describe('the clock', () => {
  const step = fc.oneof(
    fc.record({ real: fc.integer({ min: -DAY, max: DAY }), passed: fc.double({ min: 0, max: DAY, noNaN: true }) }),
    fc.record({ forward: fc.nat(DAY) }),
    fc.record({ rate }),
  )

  test('never goes back and shows whole milliseconds', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), steps => {
        const time = { now: START, passed: 0 }
        const clock = createClock(
          () => time.now,
          () => time.passed,
        )
        let before = clock.now('a')
        for (const did of steps) {
          if ('real' in did) {
            time.now += did.real
            time.passed += did.passed
          } else clock.adjust('a', 'rate' in did ? did : { at: clock.now('a') + did.forward })
          const now = clock.now('a')
          expect(now).toBeGreaterThanOrEqual(before)
          expect(Number.isInteger(now)).toBe(true)
          before = now
        }
      }),
      RUNS,
    )
  })

  test('reaches an instant after the computed real time, to the millisecond', () => {
    const away = fc.integer({ min: 1, max: 400 * DAY })
    fc.assert(
      fc.property(rate, fc.nat(30 * DAY), away, (pace, elapsed, ahead) => {
        const setting = { anchorReal: START, anchorVirtual: START + 7, rate: pace }
        const real = START + elapsed
        const instant = timeAt(setting, real) + ahead
        const wait = realMillisecondsUntil(setting, real, instant)
        const isNever = pace === 0 || instant > LAST_INSTANT
        expect(wait === undefined).toBe(isNever)
        if (wait === undefined) return
        expect(timeAt(setting, real + wait)).toBeGreaterThanOrEqual(instant)
        expect(timeAt(setting, real + wait - 2)).toBeLessThan(instant)
      }),
      RUNS,
    )
  })
})

/** A due job: delay in milliseconds after its cause, and the jobs that it schedules. */
type Plan = { kind: 'job' | 'delivery'; after: number; makes: readonly Plan[] }
type Waiting = { id: number; at: number; plan: Plan }

const { plan } = fc.letrec<{ plan: Plan }>(tie => ({
  plan: fc.record({
    kind: fc.constantFrom('job', 'delivery'),
    after: fc.integer({ min: 1, max: 6 }),
    makes: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('plan'), { maxLength: 2 })),
  }),
}))

/**
 * Jobs and deliveries in memory on a frozen clock, and a log of what ran: kind, number, due time, time it was. Each
 * delivery takes so many real milliseconds.
 */
const openWorld = async (plans: readonly Plan[], delay = 0) => {
  const time = { now: START }
  const clock = createClock(() => time.now)
  const waiting: Waiting[] = []
  const log: { kind: string; id: number; at: number; now: number }[] = []
  let made = 0
  const add = (more: readonly Plan[], from: number) => {
    for (const one of more) waiting.push({ id: ++made, at: from + one.after, plan: one })
  }
  const allDue = (kind: Plan['kind'], upTo: number) =>
    waiting.filter(one => one.plan.kind === kind && one.at <= upTo).sort((a, b) => a.at - b.at || a.id - b.id)
  const firstDue = (kind: Plan['kind'], upTo: number) => allDue(kind, upTo)[0]
  const run = (one: Waiting) => {
    waiting.splice(waiting.indexOf(one), 1)
    log.push({ kind: one.plan.kind, id: one.id, at: one.at, now: clock.now('a') })
    add(one.plan.makes, one.at)
  }
  const store = {
    setClock: async () => {},
    addActivity: async () => {},
    dueJobs: async (_: string, now: number, limit: number) =>
      allDue('job', now)
        .slice(0, limit)
        .map(({ id, at }) => ({ jobId: id, name: 'hold', dueAt: at, transactionId: `${id}` }) as Job),
  } as unknown as Store
  const deliveries: DueWorkSource = {
    next: async (): Promise<DueItem | undefined> => {
      const one = firstDue('delivery', Number.MAX_SAFE_INTEGER)
      return one && { at: one.at, name: 'delivery' }
    },
    runDue: async (_, upTo) => {
      let ran = 0
      for (let one = firstDue('delivery', upTo); one; one = firstDue('delivery', upTo)) {
        await Promise.resolve()
        time.now += delay
        run(one)
        ran += 1
      }
      return ran
    },
  }
  const runJob = async (_: string, { jobId }: Job) => {
    const one = waiting.find(({ id }) => id === jobId)
    if (one) run(one)
  }
  const jobs = createJobScheduler(store, clock, runJob, [startedInBackground(deliveries)])
  const control = createClockControl({ store, clock, jobs })
  add(plans, START)
  await control.freeze('a', true)
  return { clock, waiting, log, control, all: () => made }
}

const inOrder = (log: readonly { kind: string; id: number; at: number }[]) =>
  log.toSorted((a, b) => a.at - b.at || b.kind.localeCompare(a.kind) || a.id - b.id)

describe('due jobs', () => {
  const plans = fc.array(plan, { maxLength: 6 })

  test('run at their instant, ordered by time, jobs before deliveries, then insertion; new jobs included', async () => {
    await fc.assert(
      fc.asyncProperty(
        plans,
        fc.array(fc.oneof(fc.nat(9), fc.constant('next')), { maxLength: 12 }),
        async (all, moves) => {
          const { clock, waiting, log, control } = await openWorld(all)
          for (const move of moves) {
            const { ran, now } = await (typeof move === 'number'
              ? control.advance('a', move)
              : control.advanceToNext('a'))
            expect(now).toBe(clock.now('a'))
            expect(log.filter(one => one.at > now)).toEqual([])
            expect(waiting.filter(one => one.at <= now)).toEqual([])
            expect(ran).toBeLessThanOrEqual(log.length)
          }
          expect(log.filter(one => one.now !== one.at)).toEqual([])
          expect(log).toEqual(inOrder(log))
        },
      ),
      RUNS,
    )
  })

  test('never move a running clock back, however long deliveries take', async () => {
    await fc.assert(
      fc.asyncProperty(plans, fc.nat(9), fc.nat(9), async (all, delay, move) => {
        const { log, control } = await openWorld(all, delay)
        await control.freeze('a', false)
        const { now } = await control.advance('a', move)
        const seen = [...log.map(one => one.now), now]
        expect(seen).toEqual(seen.toSorted((a, b) => a - b))
        expect(now).toBeGreaterThanOrEqual(START + move)
      }),
      RUNS,
    )
  })

  test('are all run by a drain', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async all => {
        const { waiting, log, control, all: total } = await openWorld(all)
        const { ran, now, next } = await control.drain('a')
        expect([waiting, next, ran]).toEqual([[], null, total()])
        expect(now).toBe(Math.max(START, ...log.map(one => one.at)))
        expect(log).toEqual(inOrder(log))
        expect((await control.drain('a')).ran).toBe(0)
      }),
      RUNS,
    )
  })
})
