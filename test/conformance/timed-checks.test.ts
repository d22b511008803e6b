import { expect, test } from 'vitest'
import type { Clock } from '../../contracts/suites/drivers/clock.ts'
import { begun, playTimeline, type TimedCheck } from '../../contracts/suites/given/play-timed-checks.ts'

const TYPING_SECONDS = 20

/** Plays a timed check whose beginning takes a person's time; returns how long after it was done the look came. */
const lookedAfter = async (check: Pick<TimedCheck, 'seconds' | 'within'>): Promise<number> => {
  let [now, done, looked] = [0, 0, 0]
  const clock = {
    now: () => now,
    passUntil: async (at: number) => {
      now = Math.max(now, at)
    },
  } as unknown as Clock
  const type = async () => {
    now += TYPING_SECONDS * 1000
    done = now
  }
  const look = async () => {
    looked = now
  }
  const failures: unknown[] = []
  await playTimeline({ clock }, [{ id: 'X', ...check, ...begun(type, look) }], (_, why) => void failures.push(why))
  expect(failures).toEqual([])
  return (looked - done) / 1000
}

test('rule 8: what must be gone by then is looked at that long after it was there, whoever types first', async () => {
  expect(await lookedAfter({ seconds: 46 })).toBe(46)
})

test('rule 8: what must still be there is looked at no later than that after its beginning', async () => {
  expect(await lookedAfter({ seconds: 43, within: 'PT1S' })).toBe(43 - TYPING_SECONDS)
})
