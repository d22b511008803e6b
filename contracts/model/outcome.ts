import type { Expectation } from './expectation.ts'
import type { ModelState } from './model-state.ts'

/** What the contract permits in response to a call: the response, the states that follow it, and the clause. */
export type Outcome = { expect: Expectation; clause: string; after: readonly ModelState[]; isDone?: true }
