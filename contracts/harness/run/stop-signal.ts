import { constants } from 'node:os'
import { onTerminationSignals } from '../../client/termination-signals.ts'
import { Inconclusive } from '../judge/verdict-errors.ts'

/** Cause of an early end of a run; `safety` where a safety limit stopped it, not a person or the clock. */
export type StopCause = { reason: string; safety?: boolean }

export type StopSignal = ReturnType<typeof createStopSignal>

/** Creates the stop signal of a run; the first cause counts. */
export const createStopSignal = () => {
  let cause: StopCause | undefined
  const stopped = Promise.withResolvers<void>()
  const over = new AbortController()
  const calls = new Set<Promise<unknown>>()
  const stop = (why: StopCause): void => {
    cause ??= why
    stopped.resolve()
    over.abort()
  }
  return {
    stop,
    /** Stops a run whose writes can no longer be recorded, for this reason. */
    stopForLedger: (reason: string): void => stop({ reason, safety: true }),
    get cause(): StopCause | undefined {
      return cause
    },
    /** Resolves when the run is stopped. */
    stopped: stopped.promise,
    /** Aborts when the run is stopped. */
    signal: over.signal,
    /** Makes a call for whose end a run that is stopped waits. */
    call: async <Value>(make: () => Promise<Value>): Promise<Value> => {
      const call = make()
      calls.add(call)
      return call.finally(() => calls.delete(call))
    },
    /** Resolves when the calls in progress have ended. */
    callsEnded: (): Promise<unknown> => Promise.allSettled(calls),
    /** Throws once the run is stopped, so that no further call is made. */
    throwIfStopped: (): void => {
      if (cause) throw new Inconclusive(cause.reason)
    },
  }
}

/** Stops the run on the first SIGINT, SIGTERM or SIGHUP and exits on the second; returns a function that ends this. */
export const stopOnProcessSignals = (stop: StopSignal): (() => void) => {
  let isSecond = false
  return onTerminationSignals(signal => {
    if (isSecond) process.exit(128 + constants.signals[signal])
    isSecond = true
    stop.stop({ reason: `stopped by ${signal}` })
  })
}
