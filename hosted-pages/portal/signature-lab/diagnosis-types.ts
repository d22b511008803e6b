/**
 * One finding of the signature lab as the portal shows it: a cause, and its sentences: what is wrong, and what helps.
 */
export type Finding = {
  cause: string
  part: string
  values: Readonly<Record<string, string>>
  sentence: string
  cure: string
}

type StepName =
  | 'headers'
  | 'grammar'
  | 'label'
  | 'components'
  | 'parameters'
  | 'created'
  | 'key'
  | 'algorithm'
  | 'encoding'
  | 'digest'
  | 'signature'
export type VerificationStep = {
  step: StepName
  state: 'ok' | 'fault' | 'note' | 'unjudged'
  findings: readonly Finding[]
  evidence?: string
}

/** One line of both signature bases as the portal shows them; `at` is the character at which they differ first. */
export type BaseRow = { expected?: string; signed?: string; at?: number }

/**
 * A diagnosis by the signature lab of a signed request, as the portal shows it (5.2); the REST API of control returns
 * the same.
 */
export type Diagnosis = {
  verdict: 'verifies' | 'refused'
  /** One sentence: the problem and the correction, or that the signature is right and what else refused the call. */
  summary: string
  faults: readonly Finding[]
  alternatives: readonly Finding[]
  notes: readonly Finding[]
  verificationSteps: readonly VerificationStep[]
  base: {
    source?: 'given' | 'found'
    rows: readonly BaseRow[]
    difference?: { line: number; column: number; byte: number }
  }
  key?: { name?: string; use: 'signing' | 'certificate' | 'unregistered'; algorithm: string; publicKey: string }
  search: { verifications: number; isExhausted: boolean }
  correct: { keyId: string; base: string; openssl: string; headers?: Readonly<Record<string, string>>; curl?: string }
  mended?: 'line-ends' | 'last-newline'
}
