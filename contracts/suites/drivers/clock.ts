import { sleep } from '../../client/wall-clock.ts'
import { Untestable } from '../../harness/judge/verdict-errors.ts'
import type { Ability } from '../../harness/profile/abilities.ts'
import { durationSeconds } from '../../harness/profile/duration.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { driverAdvice } from '../../harness/profile/response-fields.ts'
import type { ControlDriver } from '../context/control-driver.ts'

/** Lets time pass for one organization. */
export type Clock = {
  /**
   * Lets an ISO 8601 duration pass: on the clock of a simulator, else really; throws Untestable beyond `patience`. What
   * comes next shows something only `within` this duration of the end of the wait, as at a lower bound.
   */
  pass(duration: string, next?: { within: string }): Promise<unknown>
}

/** Creates the clock of an organization by the driver that the profile offers. */
export const createClock = (profile: Profile, control: ControlDriver): Clock => ({
  pass: async duration => {
    if (profile.control) return control.advance(duration)
    const advice = driverAdvice(profile, `time.${duration}` as Ability)
    if (advice !== undefined) throw new Untestable(advice)
    return sleep(durationSeconds(duration) * 1000)
  },
})
