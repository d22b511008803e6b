import { onTerminationSignals } from '../../client/termination-signals.ts'
import { Inconclusive } from '../judge/verdict-errors.ts'

/** Cause of an early end of a run; `safety` where a safety limit stopped it, not a person or the clock. */
export type StopCause = { reason: string; safety?: boolean }

export type StopSignal = ReturnType<typeof createStopSignal>

/** Creates the stop signal of a run; the first cause counts. */
export const createStopSignal = () => {
  let cause: StopCause | undefined
  const stopped = Promise.withResolvers<void>()
  return {
    stop: (why: StopCause): void => {
      cause ??= why
      stopped.resolve()
    },
    get cause(): StopCause | undefined {
      return cause
    },
    /** Resolves when the run is stopped. */
    stopped: stopped.promise,
    /** Throws once the run is stopped, so that no further call is made. */
    throwIfStopped: (): void => {
      if (cause) throw new Inconclusive(cause.reason)
    },
  }
}

/** Stops the run on the first SIGINT or SIGTERM and exits on the second; returns a function that ends this. */
export const stopOnProcessSignals = (stop: StopSignal): (() => void) =>
  onTerminationSignals(signal => {
    if (stop.cause) process.exit(signal === 'SIGINT' ? 130 : 143)
    stop.stop({ reason: `stopped by ${signal}` })
  })
