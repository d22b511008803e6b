import { setTimeout as pause } from 'node:timers/promises'
import { Untestable } from '../../harness/judge/verdict-errors.ts'
import type { Ability } from '../../harness/profile/abilities.ts'
import { durationSeconds } from '../../harness/profile/duration.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { driverAdvice } from '../../harness/profile/response-fields.ts'
import type { ControlDriver } from '../context/control-driver.ts'

/** Lets time pass for one organization. */
export type Clock = {
  /** Lets an ISO 8601 duration pass: on the clock of a simulator, else really; throws Untestable beyond `patience`. */
  pass(duration: string): Promise<unknown>
}

/** Longest pause that a timer of Node can make, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Throws Untestable where an ISO 8601 duration is longer than a run really waits: beyond `patience`. */
export const ensurePatience = (profile: Profile, duration: string): void => {
  const advice = driverAdvice(profile, `time.${duration}` as Ability)
  if (advice) throw new Untestable(advice.reason, undefined, advice.line)
}

/** Creates the clock of an organization by the driver that the profile offers; `ended` ends a wait early. */
export const createClock = (profile: Profile, control: ControlDriver, ended: AbortSignal): Clock => ({
  pass: async duration => {
    if (profile.control) return control.advance(duration)
    ensurePatience(profile, duration)
    for (let left = durationSeconds(duration) * 1000; left > 0; left -= LONGEST_TIMER_MS)
      await pause(Math.min(left, LONGEST_TIMER_MS), undefined, { signal: ended })
  },
})
