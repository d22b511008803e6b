import type { Wish } from '../wish.ts'

/** The signature lab, as a page needs it. */
export type LabPort = {
  /** A pasted request, or a call of the journal; `base` is what the client says it signed. */
  examine(organizationId: string, wish: LabWish): Promise<Wish<LabView>>
  /** The last calls that were refused for their signature, newest first. */
  refused(organizationId: string): readonly RefusedCall[]
}

export type LabWish = Partial<Record<'request' | 'call' | 'base', string | undefined>>
export type RefusedCall = { callId: string; at: string; method: string; target: string; reason: string }

/** One thing that was found, with its English sentences. */
export type FindingView = {
  cause: string
  part: string
  values: Readonly<Record<string, string>>
  sentence: string
  cure: string
}

export type StepName =
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
export type StepView = {
  step: StepName
  state: 'ok' | 'fault' | 'note' | 'unjudged'
  findings: readonly FindingView[]
  evidence?: string
}

/** One line of both bases; `at` is the character where they part. */
export type RowView = { expected?: string; signed?: string; at?: number }

/** What the lab found out; the REST twin answers the same. */
export type LabView = {
  verdict: 'verifies' | 'refused'
  faults: readonly FindingView[]
  alternatives: readonly FindingView[]
  notes: readonly FindingView[]
  ladder: readonly StepView[]
  base: {
    source?: 'given' | 'found'
    rows: readonly RowView[]
    difference?: { line: number; column: number; byte: number }
  }
  key?: { name?: string; use: 'signing' | 'certificate' | 'unregistered'; algorithm: string; publicKey: string }
  search: { verifications: number; isExhausted: boolean }
  correct: { keyId: string; base: string; openssl: string; headers?: Readonly<Record<string, string>>; curl?: string }
  mended?: 'line-ends' | 'last-newline'
}
