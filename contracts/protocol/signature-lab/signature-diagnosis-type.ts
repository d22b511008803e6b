import type { BaseDifference, BaseRow } from './compare-signature-bases.ts'
import type { PasteRepair } from './lab-request.ts'
import type { CorrectedRequest } from './sign-corrected-request.ts'
import type { DetectedCause } from './signature-error-causes.ts'
import type { VerificationStep } from './verification-steps/judge-verification-steps.ts'

/** The diagnosis of one signed request, as JSON-serialisable data. */
export type SignatureDiagnosis = {
  verdict: 'verifies' | 'refused'
  /** The errors to correct, in order. */
  faults: readonly DetectedCause[]
  /** Other causes that would give the same bytes as the last of the faults. */
  alternatives: readonly DetectedCause[]
  /** Observations that are no errors: the age of the request, how it was read. */
  notes: readonly DetectedCause[]
  verificationSteps: readonly VerificationStep[]
  base: {
    expected: string
    /** The base that was signed, if given or found. */
    signed?: string
    source?: 'given' | 'found'
    rows: readonly BaseRow[]
    difference?: BaseDifference
  }
  /** The key that made the signature, if found. */
  key?: { name?: string; use: 'signing' | 'certificate' | 'unregistered'; algorithm: string; publicKey: string }
  /** The extent of the search; `isExhausted` is false where the budget ended it. */
  search: { verifications: number; isExhausted: boolean }
  correct: CorrectedRequest
  mended?: PasteRepair
}
