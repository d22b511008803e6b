import type { Exchange, WireRequest } from '../../client/http-exchange.ts'
import { realTime } from '../../client/wall-clock.ts'
import { Blocked, StillWaiting, TooLate, Untestable } from '../judge/verdict-errors.ts'

/** Longest wait, in seconds, through which a run sleeps; it pauses a scenario that waits longer. */
export const LONGEST_SLEEP_SECONDS = 600

/** Log of what a scenario has done so far, from which it can be played on in a later run. */
export type ScenarioLog = {
  calls: LoggedCall[]
  /** The times that it read, in epoch milliseconds. */
  times: number[]
  acts: LoggedAct[]
  /** Which of its waits, by number, it came back from too late. */
  missed: number[]
}
type LoggedCall = { organization: string; exchange: Exchange }
/** An act of a shopper: the number of calls when it was over, and why it failed where it did. */
type LoggedAct = { calls: number; failure?: string }

/** How a scenario waits: up to `longest` seconds in its place; it pauses beyond, unless that is not possible. */
type WaitRule = { longest: number; canPause: boolean }

export type ScenarioPlayer = ReturnType<typeof createScenarioPlayer>

const emptyLog = (): ScenarioLog => ({ calls: [], times: [], acts: [], missed: [] })
const beginning = () => ({ calls: 0, times: 0, acts: 0, waits: 0 })

/**
 * Creates the player of scenarios that may outlast a run. A paused scenario is played again from its beginning: its nth
 * call gets the nth exchange of its log, its nth look at the clock the nth time, a wait or an act that is over takes no
 * time, and what is not in the log is done and added to it. `onChange` is called after each addition.
 */
export const createScenarioPlayer = (onChange: () => void = () => undefined) => {
  let log = emptyLog()
  let rule: WaitRule = { longest: LONGEST_SLEEP_SECONDS, canPause: false }
  let at = beginning()
  /** What ended the scenario; it makes no further call, even where it ignores that. */
  let ended: unknown
  const end = (why: unknown): unknown => {
    ended = why
    return why
  }
  const throwIfEnded = (): void => {
    if (ended !== undefined) throw ended
  }
  const orEnd = async <Result>(perform: () => Promise<Result>): Promise<Result> => {
    try {
      return await perform()
    } catch (why) {
      throw end(why)
    }
  }
  const isReplay = (): boolean => at.calls < log.calls.length
  return {
    /** Begins a scenario, or goes back to the beginning of one that has a log. */
    start: (wanted: WaitRule, earlier: ScenarioLog = emptyLog()): void => {
      rule = wanted
      log = earlier
      at = beginning()
      ended = undefined
    },
    /** The log of the scenario that was begun last; it grows. */
    log: (): ScenarioLog => log,
    /** Makes the next call of the scenario, or returns its exchange; throws where the log holds another call. */
    call: async (organization: string, request: WireRequest, send: () => Promise<Exchange>): Promise<Exchange> => {
      throwIfEnded()
      const index = at.calls++
      const logged = log.calls[index]
      if (logged) {
        const [is, was] = [callName(organization, request), callName(logged.organization, logged.exchange.request)]
        if (is === was) return logged.exchange
        throw end(new Error(`call ${index + 1} of the scenario was ${was} when it began and is ${is} now`))
      }
      const exchange = await orEnd(send)
      log.calls[index] = { organization, exchange }
      onChange()
      return exchange
    },
    /** The time, in epoch milliseconds, at which the scenario first came here. */
    now: (): number => {
      throwIfEnded()
      const index = at.times++
      const known = log.times[index]
      if (known !== undefined) return known
      const time = realTime()
      log.times[index] = time
      onChange()
      return time
    },
    /** Waits until `due`, in epoch milliseconds; throws Inconclusive where what follows had to come before `until`. */
    wait: async (due: number, until: number | undefined, sleep: () => Promise<unknown>): Promise<void> => {
      throwIfEnded()
      const index = at.waits++
      const left = due - realTime()
      if (left > rule.longest * 1000) throw end(pausedUntil(due, until, rule))
      if (left > 0) await orEnd(sleep)
      if (until === undefined) return
      const isMissed = log.missed.includes(index)
      if (!isMissed && (isReplay() || realTime() <= until)) return
      if (!isMissed) {
        log.missed.push(index)
        onChange()
      }
      throw new TooLate(until)
    },
    /** Pauses between two reads, unless the second one is in the log. */
    pause: async (sleep: () => Promise<unknown>): Promise<void> => {
      throwIfEnded()
      if (!isReplay()) await orEnd(sleep)
    },
    /** Has a shopper act once; an act that the log holds is not repeated: it fails again, or yields `otherwise`. */
    act: async <Result>(perform: () => Promise<Result>, otherwise: Result): Promise<Result> => {
      throwIfEnded()
      const index = at.acts++
      const logged = log.acts[index]
      if (logged) {
        at.calls = logged.calls
        if (logged.failure !== undefined) throw new Blocked(logged.failure)
        return otherwise
      }
      try {
        const result = await perform()
        log.acts[index] = { calls: at.calls }
        return result
      } catch (why) {
        if (ended === undefined) log.acts[index] = { calls: at.calls, failure: messageOf(why) }
        throw why
      } finally {
        onChange()
      }
    },
  }
}

const messageOf = (why: unknown): string => (why instanceof Error ? why.message : String(why))

const pausedUntil = (due: number, until: number | undefined, { canPause }: WaitRule): Error =>
  canPause
    ? new StillWaiting({ from: isoTime(due), ...(until === undefined ? {} : { until: isoTime(until) }) })
    : new Untestable(
        `it waits until ${isoTime(due)}, longer than a run sleeps: add --report DIR, and assay certify resume DIR looks at it then`,
      )

const isoTime = (at: number): string => new Date(at).toISOString()

/** Names a call by organization, method and address without its query, which must be the same in every replay. */
const callName = (organization: string, { method, url }: WireRequest): string =>
  `${method} ${url.split('?', 1)[0]} of ${organization}`
