import fc from 'fast-check'
import type { Judge, Part } from './part.ts'

/** An input that something came of which must not, as small as it could be made. */
export type Find = { part: string; seed: number; broke: string; input: unknown }
export type Tried = { tries: number; find?: Find }
type HowMuch = { seed: number; runs: number; before?: (input: unknown) => void }

/** Seconds of the processor for one input. */
const AT_MOST = 2
/** Milliseconds until an answer that does not come is a hang. */
const PATIENCE = 30_000

/** Tries a part with so many inputs; the first that breaks something is made as small as it gets. */
export const tryPart = async (part: Part, judge: Judge<unknown>, { seed, runs, before }: HowMuch): Promise<Tried> => {
  let tries = 0
  const watched = watching(part, judge)
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

/** The judge, and what every part must bear: nothing thrown, nothing left hanging, nothing slow, nothing rejected behind its back. */
export const watching = (part: Part, judge: Judge<unknown>): Judge<unknown> => {
  if (process.listeners('unhandledRejection').every(listener => listener !== note))
    process.on('unhandledRejection', note)
  return async input => {
    const before = process.threadCpuUsage()
    const broke = await judged(judge, input)
    const { user, system } = process.threadCpuUsage(before)
    const seconds = (user + system) / 1e6
    const [unhandled] = rejected.splice(0)
    if (broke !== undefined) return broke
    if (unhandled !== undefined) return `a rejection that nobody handles: ${told(unhandled)}`
    const most = part.atMost ?? AT_MOST
    return seconds > most ? `${seconds.toFixed(1)} s of the processor, at most ${most} are bearable` : undefined
  }
}

const judged = async (judge: Judge<unknown>, input: unknown): Promise<string | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>(resolve => {
    timer = setTimeout(() => resolve(`nothing within ${PATIENCE / 1000} s`), PATIENCE)
  })
  try {
    return await Promise.race([judge(input), late])
  } catch (error) {
    return `thrown: ${told(error)}`
  } finally {
    clearTimeout(timer)
  }
}

/** An error in one line, with the place in our code that threw it. */
const told = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const place = error.stack?.split('\n').find(line => /\/(simulator|contracts|hosted-pages|fixtures)\//.test(line))
  return `${error.name}: ${error.message.split('\n', 1)[0]?.slice(0, 200)}${place ? ` (${place.trim().replace(/^at .*\/((simulator|contracts|hosted-pages|fixtures)\/.*?)\)?$/, '$1')})` : ''}`
}
