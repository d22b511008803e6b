import type { Exchange } from '../../client/http-exchange.ts'
import { Blocked } from './verdict-errors.ts'

/** A function that records the exchange of a scenario's step, or its failure, and passes it on. */
export type KeepStep<Step extends string> = (step: Step, exchange: Promise<Exchange>) => Promise<Exchange>

/**
 * Evidence for checks: the exchanges of a scenario by step. A step that failed or was not reached throws its reason
 * when it is read.
 */
export type Evidence<Step extends string> = {
  of(step: Step): Exchange
  /** Every exchange of the run so far, of any scenario: for checks of all responses. */
  transcript: readonly Exchange[]
}

/** Outcome of a scenario's step: its exchange, or the failure that replaced it. */
export type StepOutcome = { exchange: Exchange } | { failure: unknown }

/** Creates the evidence of one scenario: it records the steps of the scenario and gives them to its checks. */
export const createEvidence = <Step extends string>(transcript: readonly Exchange[] = []) => {
  const steps = new Map<Step, StepOutcome>()
  let stopped: unknown
  return {
    transcript,
    /** Steps recorded so far, and what ended the scenario early, for the transcript. */
    recorded: () => ({ steps: steps as ReadonlyMap<Step, StepOutcome>, stopped }),
    keep: (async (step, call) => {
      try {
        const exchange = await call
        steps.set(step, { exchange })
        return exchange
      } catch (failure) {
        steps.set(step, { failure })
        throw failure
      }
    }) satisfies KeepStep<Step>,
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
