import { realTime, sleep } from '../../client/wall-clock.ts'
import { TooLate, Untestable, Withheld } from '../../harness/judge/verdict-errors.ts'
import { type Ability, beyondPatience } from '../../harness/profile/abilities-from-profile-lines.ts'
import { durationSeconds } from '../../harness/profile/parse-and-format-iso-duration.ts'
import type { Profile } from '../../harness/profile/profile.ts'
import { driverAdvice } from '../../harness/profile/response-fields-and-line-advice.ts'
import type { ControlDriver } from '../context/control-driver.ts'

/**
 * Time limit of what a check looks at after a wait: it shows only `within` this duration of the wait's end (ISO 8601).
 */
export type AfterWait = { within?: string }

/**
 * Clock of one organization under test, in milliseconds; a scenario that is played on later gets the times of before
 * again.
 */
export type Clock = {
  /** Returns the time: the real one, plus what the clock of a simulator was moved. */
  now(): number
  /** Lets an ISO 8601 duration pass: on the clock of a simulator, else really; throws as `ensurePatience` does. */
  pass(duration: string, next?: AfterWait): Promise<void>
  /** Lets time pass until then, as `pass` does; throws Inconclusive where it is too late already. */
  passUntil(at: number, next?: AfterWait): Promise<void>
  /** Really waits, between two reads of something that the service does in its own time. */
  pause(ms: number): Promise<void>
}

/** Longest pause that a timer of Node can make, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Creates the clock of an organization under test by the driver that the profile offers; `ended` ends a wait early. */
export const createClock = (profile: Profile, control: ControlDriver, ended: AbortSignal): Clock => {
  let moved = 0
  const now = (): number => realTime() + moved
  const pass = async (duration: string): Promise<void> => {
    const ms = durationSeconds(duration) * 1000
    if (profile.control) {
      await control.advance(duration)
      moved += ms
      return
    }
    ensurePatience(profile, ms)
    for (let left = ms; left > 0; left -= LONGEST_TIMER_MS) await sleep(Math.min(left, LONGEST_TIMER_MS), ended)
  }
  return {
    now,
    pass,
    passUntil: async (at, next) => {
      const seconds = Math.ceil((at - now()) / 1000)
      if (seconds > 0) await pass(`PT${seconds}S`)
      const until = lastTime(at, next)
      if (until !== undefined && now() > until) throw new TooLate(until)
    },
    pause: createRealClock(ended).pause,
  }
}

/**
 * Creates the real clock for what is no call and thus in no log, such as webhooks that come; `ended` ends a pause
 * early.
 */
export const createRealClock = (ended: AbortSignal): Pick<Clock, 'now' | 'pause'> => ({
  now: realTime,
  pause: ms => sleep(ms, ended),
})

/** Throws Untestable where nothing of the profile lets this many milliseconds pass, Withheld where its `patience` is shorter. */
export const ensurePatience = (profile: Profile, ms: number): void => {
  const ability: Ability = `time.PT${Math.ceil(ms / 1000)}S`
  const long = beyondPatience(profile, ability)
  if (long) throw new Withheld(long)
  const advice = driverAdvice(profile, ability)
  if (advice) throw new Untestable(advice.reason, undefined, advice.line)
}

/**
 * Returns the last time at which what follows a check's wait still shows something; undefined where any time is good.
 */
export const lastTime = (at: number, { within }: AfterWait = {}): number | undefined =>
  within === undefined ? undefined : at + durationSeconds(within) * 1000
