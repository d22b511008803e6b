import type { Exchange } from '../client/exchange.ts'
import { Blocked } from './signals.ts'

/** Keeps what became of a step, also its failure, and hands it on. */
export type Keep<Step extends string> = (step: Step, exchange: Promise<Exchange>) => Promise<Exchange>

/** The exchanges of a journey by step. A step that failed or was not reached tells why to whoever asks for it. */
export type Evidence<Step extends string> = {
  of(step: Step): Exchange
  /** Every exchange of the run so far, whoever made it: for what must hold of all answers. */
  transcript: readonly Exchange[]
}

/** What became of a step. */
export type Kept = { exchange: Exchange } | { failure: unknown }

export const createEvidence = <Step extends string>(transcript: readonly Exchange[] = []) => {
  const steps = new Map<Step, Kept>()
  let stopped: unknown
  return {
    transcript,
    /** What was kept so far, and what ended the play early, for those who record it. */
    kept: () => ({ steps: steps as ReadonlyMap<Step, Kept>, stopped }),
    keep: (async (step, call) => {
      try {
        const exchange = await call
        steps.set(step, { exchange })
        return exchange
      } catch (failure) {
        steps.set(step, { failure })
        throw failure
      }
    }) satisfies Keep<Step>,
    stop: (why: unknown) => {
      stopped = why
    },
    of: (step: Step): Exchange => {
      const found = steps.get(step)
      if (found && 'exchange' in found) return found.exchange
      throw found?.failure ?? stopped ?? new Blocked(`the journey has no step ${step}`)
    },
  }
}
