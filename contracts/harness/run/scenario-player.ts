import type { Exchange, WireRequest } from '../../client/http-exchange.ts'
import { realTime } from '../../client/wall-clock.ts'
import { Inconclusive, StillWaiting, Untestable } from '../judge/verdict-errors.ts'

/** Longest wait, in seconds, through which a run sleeps; it pauses a scenario that waits longer. */
export const LONGEST_SLEEP_SECONDS = 600

/** What a scenario has done so far, from which it can be played on in a later run. */
export type ScenarioLog = {
  calls: LoggedCall[]
  /** When its waits began, in epoch milliseconds. */
  waits: number[]
  /** The number of its calls when each act of a shopper was over. */
  acts: number[]
}
export type LoggedCall = { organization: string; exchange: Exchange }

/** How a scenario waits: up to `longest` seconds in its place; it pauses beyond, unless that is not possible. */
export type WaitRule = { longest: number; canPause: boolean }

export type ScenarioPlayer = ReturnType<typeof createScenarioPlayer>

/**
 * Creates the player of scenarios that may outlast a run. A paused scenario is played again from its beginning: its nth
 * call gets the nth exchange of its log, a wait or an act that is over takes no time, and what is not in the log is done
 * and added to it. `onChange` is called after each addition.
 */
export const createScenarioPlayer = (onChange: () => void = () => undefined) => {
  let log: ScenarioLog = { calls: [], waits: [], acts: [] }
  let rule: WaitRule = { longest: LONGEST_SLEEP_SECONDS, canPause: false }
  let at = { calls: 0, waits: 0, acts: 0 }
  /** What ended the scenario; it makes no further call, even where it ignores that. */
  let ended: Error | undefined
  const end = (why: Error): Error => {
    ended = why
    return why
  }
  const throwIfEnded = (): void => {
    if (ended) throw ended
  }
  return {
    /** Begins a scenario, or goes back to the beginning of one that has a log. */
    start: (wanted: WaitRule, earlier: ScenarioLog = { calls: [], waits: [], acts: [] }): void => {
      rule = wanted
      log = earlier
      at = { calls: 0, waits: 0, acts: 0 }
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
      const exchange = await send()
      log.calls[index] = { organization, exchange }
      onChange()
      return exchange
    },
    /** Lets seconds pass that began when the scenario first came here; `within` limits how late it may go on. */
    wait: async (seconds: number, within: number | undefined, pause: (seconds: number) => Promise<unknown>) => {
      throwIfEnded()
      const index = at.waits++
      const known = log.waits[index]
      const since = known ?? realTime()
      if (known === undefined) {
        log.waits[index] = since
        onChange()
      }
      const due = since + seconds * 1000
      const until = within === undefined ? undefined : due + within * 1000
      const left = due - realTime()
      if (left > rule.longest * 1000) throw end(pausedUntil(due, until, rule))
      if (left > 0) await pause(left / 1000)
      if (until !== undefined && at.calls >= log.calls.length && realTime() > until)
        throw end(new Inconclusive(`it had to be looked at by ${isoTime(until)}, and that is over: run it again`))
    },
    /** Has a shopper act once; an act that the log holds is not repeated, and yields `otherwise`. */
    act: async <Result>(perform: () => Promise<Result>, otherwise: Result): Promise<Result> => {
      throwIfEnded()
      const index = at.acts++
      const calls = log.acts[index]
      if (calls !== undefined) {
        at.calls = calls
        return otherwise
      }
      const result = await perform()
      log.acts[index] = at.calls
      onChange()
      return result
    },
  }
}

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
