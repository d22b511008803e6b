import { Inconclusive } from './signals.ts'

/** What ends a run before its last check. Who stops it by hand or by the clock leaves it incomplete; safety is another matter. */
export type Cause = { reason: string; safety?: boolean }

export type Stop = ReturnType<typeof createStop>

/** The one place that says whether a run is to go on. The first cause counts. */
export const createStop = () => {
  let cause: Cause | undefined
  const told = Promise.withResolvers<void>()
  return {
    stop: (why: Cause): void => {
      cause ??= why
      told.resolve()
    },
    get cause(): Cause | undefined {
      return cause
    },
    /** Resolves when the run is to end. */
    told: told.promise,
    /** Throws once the run is to end: no further call is made. */
    throwIfStopped: (): void => {
      if (cause) throw new Inconclusive(cause.reason)
    },
  }
}

/** The first Ctrl-C ends a run in good order, the second at once. */
export const stopOnSignals = (stop: Stop): (() => void) => {
  const heed = (signal: NodeJS.Signals): void => {
    if (stop.cause) process.exit(signal === 'SIGINT' ? 130 : 143)
    stop.stop({ reason: `stopped by ${signal}` })
  }
  process.on('SIGINT', heed).on('SIGTERM', heed)
  return () => void process.off('SIGINT', heed).off('SIGTERM', heed)
}
