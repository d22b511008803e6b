import fc from 'fast-check'
import type { FuzzTarget, Oracle } from './fuzz-target.ts'

/** A failing input of a fuzz target, minimized. */
export type FuzzFailure = { part: string; seed: number; broke: string; input: unknown }
type TargetRun = { tries: number; find?: FuzzFailure }
type HowMuch = {
  seed: number
  runs: number
  before?: (input: unknown) => void
  /** CPU time that one input may take; unlimited where undefined. */
  cpuSeconds?: number
}

/** Milliseconds after which an input counts as hanging; a usual one takes a few. */
const PATIENCE = 30_000
const HANGS = `nothing within ${PATIENCE / 1000} s`

/** Runs a fuzz target with a number of inputs; the first failing input is minimized. */
export const runTarget = async (
  part: FuzzTarget,
  judge: Oracle<unknown>,
  { seed, runs, before, cpuSeconds }: HowMuch,
): Promise<TargetRun> => {
  let tries = 0
  const watched = withGeneralChecks(judge, cpuSeconds)
  const property = fc.asyncProperty(part.inputs, async input => {
    tries += 1
    before?.(input)
    const broke = await watched(input)
    if (broke !== undefined) throw new Broke(broke)
  })
  const result = await fc.check(property, {
    seed,
    numRuns: runs,
    interruptAfterTimeLimit: 120_000,
    markInterruptAsFailure: false,
  })
  const [input] = result.counterexample ?? []
  if (!result.failed || input === undefined) return { tries }
  const broke = result.errorInstance instanceof Error ? result.errorInstance.message : String(result.errorInstance)
  return { tries, find: { part: part.name, seed, broke, input } }
}

class Broke extends Error {}

const rejected: unknown[] = []
const note = (error: unknown): void => void rejected.push(error)

/**
 * Adds the general checks to the oracle of a fuzz target: no exception, no hang, no unhandled rejection, no excess CPU
 * time.
 */
export const withGeneralChecks = (judge: Oracle<unknown>, cpuSeconds = Number.POSITIVE_INFINITY): Oracle<unknown> => {
  if (process.listeners('unhandledRejection').every(listener => listener !== note))
    process.on('unhandledRejection', note)
  return async input => {
    const begun = performance.now()
    const before = process.threadCpuUsage()
    const broke = await judged(judge, input)
    const [unhandled] = rejected.splice(0)
    if (broke !== undefined) return broke
    if (unhandled !== undefined) return `a rejection that nobody handles: ${describeError(unhandled)}`
    if (performance.now() - begun > PATIENCE) return HANGS // it blocked the thread, and the timer with it
    const { user, system } = process.threadCpuUsage(before)
    const seconds = (user + system) / 1e6
    return seconds > cpuSeconds
      ? `${seconds.toFixed(1)} s of the processor, at most ${cpuSeconds} are bearable`
      : undefined
  }
}

const judged = async (judge: Oracle<unknown>, input: unknown): Promise<string | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>(resolve => {
    timer = setTimeout(() => resolve(HANGS), PATIENCE)
  })
  try {
    return await Promise.race([judge(input), late])
  } catch (error) {
    return `thrown: ${describeError(error)}`
  } finally {
    clearTimeout(timer)
  }
}

/** Formats an error in one line with its source location. */
const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const place = error.stack?.split('\n').find(line => /\/(simulator|contracts|hosted-pages|fixtures)\//.test(line))
  return `${error.name}: ${error.message.split('\n', 1)[0]?.slice(0, 200)}${place ? ` (${place.trim().replace(/^at .*\/((simulator|contracts|hosted-pages|fixtures)\/.*?)\)?$/, '$1')})` : ''}`
}
