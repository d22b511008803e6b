import { setTimeout as pause } from 'node:timers/promises'
import { Untestable } from '../../harness/judge/verdict-errors.ts'
import type { Ability } from '../../harness/profile/abilities.ts'
import { durationSeconds } from '../../harness/profile/duration.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { driverAdvice } from '../../harness/profile/response-fields.ts'
import type { ControlDriver } from '../context/control-driver.ts'

/** Lets time pass for one organization. */
export type Clock = {
  /**
   * Lets an ISO 8601 duration pass: on the clock of a simulator, else really, and then no longer than until `isOver` says
   * that there is nothing left to wait for; throws Untestable beyond `patience`.
   */
  pass(duration: string, isOver?: () => Promise<boolean>): Promise<unknown>
}

/** Longest pause that a timer of Node can make, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Least time between two looks whether a wait is over, in milliseconds. */
const LOOK_MS = 250

/** Creates the clock of an organization by the driver that the profile offers; `ended` ends a wait early. */
export const createClock = (profile: Profile, control: ControlDriver, ended: AbortSignal): Clock => ({
  pass: async (duration, isOver) => {
    if (profile.control) return control.advance(duration)
    const advice = driverAdvice(profile, `time.${duration}` as Ability)
    if (advice) throw new Untestable(advice.reason, undefined, advice.line)
    const step = isOver === undefined ? LONGEST_TIMER_MS : Math.max(LOOK_MS, (profile.limits?.pollSeconds ?? 0) * 1000)
    for (let left = durationSeconds(duration) * 1000; left > 0; left -= step) {
      await pause(Math.min(left, step), undefined, { signal: ended })
      if (await isOver?.()) return
    }
  },
})
