import type { Finding } from './causes.ts'
import type { BaseRow, Difference } from './compare.ts'
import type { Correct } from './correct.ts'
import type { Rung } from './ladder.ts'
import type { Mended } from './request.ts'

/** What the lab found out about one request; plain data, so that it can be sent and shown. */
export type Diagnosis = {
  verdict: 'verifies' | 'refused'
  /** Everything that has to be mended, the first thing first. */
  faults: readonly Finding[]
  /** Other causes that would look the same as the last of the faults. */
  alternatives: readonly Finding[]
  /** What is no fault of the request: its age, how it was read. */
  notes: readonly Finding[]
  ladder: readonly Rung[]
  base: {
    expected: string
    /** What was signed, where that was given or found out. */
    signed?: string
    source?: 'given' | 'found'
    rows: readonly BaseRow[]
    difference?: Difference
  }
  /** The key that made the signature, where that was found out. */
  key?: { name?: string; use: 'signing' | 'certificate' | 'unregistered'; algorithm: string; publicKey: string }
  /** What was spared by the budget is not said to be impossible. */
  search: { verifications: number; isExhausted: boolean }
  correct: Correct
  mended?: Mended
}
