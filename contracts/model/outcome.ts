import type { Expectation } from './expectation.ts'
import type { World } from './world.ts'

/** What the contract permits in response to a call: the response, the worlds that follow it, and the clause. */
export type Outcome = { expect: Expectation; clause: string; after: readonly World[]; isDone?: true }
