import type { SignatureDiagnosis } from './signature-diagnosis-type.ts'
import { type DetectedCause, describeCause, describeCorrection } from './signature-error-causes.ts'

/** A detected cause with its error sentence and its correction. */
type DescribedCause = DetectedCause & { sentence: string; cure: string }

/** A diagnosis with its sentences in English: the JSON of the control API and of `assay lab --json`. */
export type DiagnosisReport = Omit<SignatureDiagnosis, 'faults' | 'alternatives' | 'notes' | 'verificationSteps'> & {
  summary: string
  faults: readonly DescribedCause[]
  alternatives: readonly DescribedCause[]
  notes: readonly DescribedCause[]
  verificationSteps: readonly (Omit<SignatureDiagnosis['verificationSteps'][number], 'findings'> & {
    findings: readonly DescribedCause[]
  })[]
}

/** Converts a diagnosis to a report with a summary. */
export const toDiagnosisReport = (diagnosis: SignatureDiagnosis): DiagnosisReport => {
  const { verdict, faults, alternatives, notes, verificationSteps, ...rest } = diagnosis
  return {
    verdict,
    summary: summaryOf(diagnosis),
    faults: faults.map(toDescribedCause),
    alternatives: alternatives.map(toDescribedCause),
    notes: notes.map(toDescribedCause),
    verificationSteps: verificationSteps.map(step => ({ ...step, findings: step.findings.map(toDescribedCause) })),
    ...rest,
  }
}

const toDescribedCause = (found: DetectedCause): DescribedCause => ({
  ...found,
  sentence: describeCause(found),
  cure: describeCorrection(found),
})

const RIGHT = 'The signature is right.'
const NO_KEY = 'Nothing speaks against it, but no key is known to verify it with: give one.'

/** Returns the summary of a diagnosis in one sentence: the first error and its correction. */
const summaryOf = ({ verdict, faults, alternatives, verificationSteps }: SignatureDiagnosis): string => {
  const [first, ...more] = faults
  if (!first) return verdict === 'verifies' ? RIGHT : NO_KEY
  const signature = verificationSteps.at(-1)?.findings ?? []
  const together = signature.includes(first) ? signature : [first]
  const causes = [...together.map(describeCause)].join('; and: ')
  const or =
    alternatives.length === 0 ? '' : ` (or, which would look the same: ${alternatives.map(describeCause).join('; ')})`
  const cures = [...new Set(together.map(describeCorrection))].join('; ')
  const others = more.length - together.length + 1
  const rest = others > 0 ? ` ${others === 1 ? 'One more thing has' : `${others} more things have`} to be mended.` : ''
  return `${causes}${or}: ${cures}.${rest}`
}
