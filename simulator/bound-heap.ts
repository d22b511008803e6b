import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Bytes that calls may take until the young generation is collected; behind them stand as many to move what is alive to. */
const ENOUGH = 8 * 2 ** 20
/** Milliseconds after the start. */
const SETTLED = 2_000
/** How much the old generation may grow beyond what is alive, in percent, before it is collected. */
const SLACK = 40
/** Hot code goes to TurboFan at once, after half as many calls as usual: Maglev, which comes between, holds ten megabytes. */
const COMPILING = ['--no-maglev', '--invocation-count-for-turbofan=1500']

/**
 * Keeps the heap of this process small: left alone, V8 gives a sandbox under load three times the memory that
 * it needs. First the young generation is held where it begins, because loading alone would make it grow.
 */
export const holdHeap = (): void => {
  for (const flag of COMPILING) setFlagsFromString(flag)
  setFlagsFromString(`--heap-growing-percent=${SLACK}`)
  growYoungBy(1)
}

/** Lets it grow as far as calls make use of it, once everything is loaded that no start waits for. */
export const boundHeap = (): void => void setTimeout(growToEnough, SETTLED).unref()

/** Again after every collection: a quiet hour makes it small once more. */
const growToEnough = (): void => {
  const growOn = () => growYoungBy(Math.max(1, Math.floor(ENOUGH / youngBytes())))
  growOn()
  new PerformanceObserver(growOn).observe({ entryTypes: ['gc'] })
}

const growYoungBy = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

const youngBytes = (): number => {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return young ? young.space_used_size + young.space_available_size : ENOUGH
}
