import type { DecisionChoices } from '../../contracts/dialect/decision-choices.ts'
import { refusalRow } from '../../contracts/dialect/status-and-code-of-refusal.ts'
import { REFUSALS, type RefusalName } from '../../contracts/protocol/reason-codes.ts'
import { toSingleLine } from './untrusted-text.ts'

/** Steps that can refuse a request, in the order in which it passes them; the journal names the one that did. */
export const REFUSING_LAYERS = [
  'http',
  'body',
  'certificate',
  'rate',
  'signature',
  'token',
  'version',
  'validation',
  'operation',
] as const
export type RefusingLayer = (typeof REFUSING_LAYERS)[number]

/** Details of a refusal for the journal only, never for the caller: what was expected and what was received. */
export type RefusalDiagnosis = Record<string, string>

/** An HTTP error of the contract (clause 7): a row of the REFUSALS table with one sentence for people. */
export class Refusal extends Error {
  readonly refusal: RefusalName
  readonly layer: RefusingLayer
  readonly fields: Record<string, string> | undefined
  readonly diagnosis: RefusalDiagnosis | undefined
  /** Seconds for the header Retry-After (7.1: 429). */
  readonly retryAfter: number | undefined

  constructor(
    refusal: RefusalName,
    layer: RefusingLayer,
    message: string,
    more: { fields?: Record<string, string>; diagnosis?: RefusalDiagnosis; retryAfter?: number } = {},
  ) {
    super(toSingleLine(message))
    this.refusal = refusal
    this.layer = layer
    this.fields = more.fields
    this.diagnosis = more.diagnosis
    this.retryAfter = more.retryAfter
  }

  get row() {
    return REFUSALS[this.refusal]
  }
}

/** Throws the named Refusal of an operation unless the condition holds. */
export function ensure(
  holds: unknown,
  refusal: RefusalName,
  message: string,
  fields?: Record<string, string>,
): asserts holds {
  if (!holds) throw new Refusal(refusal, 'operation', message, fields ? { fields } : {})
}

/** Creates the reply to a refused call: its HTTP status and JSON body (D-08). */
export const refusalReply = (refusal: Refusal, callId: string, choices: DecisionChoices) => {
  const { http, reasonCode } = refusalRow(refusal.refusal, choices)
  const document = {
    status: 'DECLINED',
    statusInfo: { reasonCode, message: refusal.message },
    callId,
    ...(refusal.fields ? { fields: refusal.fields } : {}),
  }
  return { http, body: JSON.stringify(document), document }
}
