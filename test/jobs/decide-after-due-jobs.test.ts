import { describe, expect, test } from 'vitest'
import { decideAfterDueJobs } from '../../simulator/jobs/decide-after-due-jobs.ts'
import type { Store } from '../../simulator/store/store.ts'
import type { UnitOfWork } from '../../simulator/store/unit-of-work.ts'
import { type ClockSetting, createClock } from '../../simulator/support/clock.ts'

const SECOND = 1_000
const HOUR = 3_600_000

type Moment = { clock: ReturnType<typeof createClock>; pass(milliseconds: number): void; unit: number }

/**
 * Decides once for an organization whose clock runs in real time; `meanwhile` acts as each unit of work waits for its
 * turn, and may return the clock that the unit then loads. Returns the instants at which due jobs ran and units decided.
 */
const decide = async (
  meanwhile: (moment: Moment) => ClockSetting | undefined,
  needs: { isReadOnly?: boolean } = {},
) => {
  let real = 50 * HOUR
  const clock = createClock(() => real)
  const pass = (milliseconds: number) => {
    real += milliseconds
  }
  const told: string[] = []
  const seen = { unit: 0 }
  const transact = async (unit: UnitOfWork<unknown>) => {
    seen.unit += 1
    const loaded = meanwhile({ clock, pass, unit: seen.unit })
    return unit.decide({ isJobDue: false, ...(loaded ? { clock: loaded } : {}) } as never).result
  }
  const ran = (at: number) => told.push(`jobs ${(at - 50 * HOUR) / SECOND}`)
  const decided = await decideAfterDueJobs(
    {
      store: { transact } as unknown as Store,
      clock,
      jobs: { refresh: async () => undefined },
      runDue: async id => ran(clock.now(id)),
    },
    'shop',
    now => ({ needs, decide: () => ({ result: (now - 50 * HOUR) / SECOND }) }),
  )
  return { decided, told, units: seen.unit, now: (clock.now('shop') - 50 * HOUR) / SECOND }
}

const move = ({ clock }: Moment, milliseconds: number) => clock.adjust('shop', { at: clock.now('shop') + milliseconds })

describe('D-93: a decision whose unit of work waited for its turn', () => {
  test('is dated when it was made ready, where the clock only ran', async () => {
    const made = await decide(({ pass }) => void pass(2 * SECOND))
    expect(made).toMatchObject({ decided: 0, told: ['jobs 0'], units: 1 })
  })

  test('is made anew after a move of the clock, and after the jobs that are due then', async () => {
    const made = await decide(moment => void (moment.unit === 1 && move(moment, 2 * SECOND)))
    expect(made).toMatchObject({ decided: 2, told: ['jobs 0', 'jobs 2'], units: 2 })
  })

  test('is not made anew as a replica hears again of the setting that it has', async () => {
    const made = await decide(({ clock }) => void clock.set('shop', { ...clock.setting('shop') }))
    expect(made.units).toBe(1)
  })

  test('is made at last where each unit of work meets a move', async () => {
    const made = await decide(moment => void move(moment, 2 * SECOND))
    expect(made.decided).toBeGreaterThan(2)
  })

  test('goes by the stored clock where that is ahead, and this process has not heard of it', async () => {
    const ahead = { anchorReal: 50 * HOUR, anchorVirtual: 51 * HOUR, rate: 0 }
    const made = await decide(() => ahead)
    expect(made).toMatchObject({ decided: HOUR / SECOND, units: 2, now: HOUR / SECOND })
  })

  test('reads at once: what only reads dates nothing', async () => {
    const made = await decide(moment => void move(moment, 2 * SECOND), { isReadOnly: true })
    expect(made.units).toBe(1)
  })
})
