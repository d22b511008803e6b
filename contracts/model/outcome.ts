import type { Expectation } from './expectation.ts'
import type { ModelState } from './model-state.ts'

/** One outcome of a call that the contract permits: the response, the model states that follow it, and the clause. */
export type Outcome = { expect: Expectation; clause: string; after: readonly ModelState[]; isDone?: true }
