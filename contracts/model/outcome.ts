import type { Expectation } from './expectation.ts'
import type { ModelState } from './model-state.ts'

/** Outcome of a call that the model permits: the response, the states that follow it, and the clause. */
export type Outcome = { expect: Expectation; clause: string; after: readonly ModelState[]; isDone?: true }
