import { REFUSALS, type RefusalName } from '../contracts/protocol/reason-codes.ts'
import { oneLine } from './one-line.ts'

/** The layers in the order in which a request passes them; the journal names the one that refused. */
export const LAYERS = [
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
export type Layer = (typeof LAYERS)[number]

/** What only the journal may tell about a refusal: what was expected and what came. */
export type Diagnosis = Record<string, string>

/** An HTTP error of the contract (clause 7): named in the table of refusals, with one sentence for people. */
export class Refusal extends Error {
  readonly refusal: RefusalName
  readonly layer: Layer
  readonly fields: Record<string, string> | undefined
  readonly diagnosis: Diagnosis | undefined
  /** Seconds to wait before the call is worth trying again (7.1: 429). */
  readonly retryAfter: number | undefined

  constructor(
    refusal: RefusalName,
    layer: Layer,
    message: string,
    more: { fields?: Record<string, string>; diagnosis?: Diagnosis; retryAfter?: number } = {},
  ) {
    super(oneLine(message))
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

/** Refuses an operation unless its rule holds. */
export function ensure(
  holds: unknown,
  refusal: RefusalName,
  message: string,
  fields?: Record<string, string>,
): asserts holds {
  if (!holds) throw new Refusal(refusal, 'operation', message, fields ? { fields } : {})
}

/** The body of every refusal (D-08). */
export const refusalBody = (refusal: Refusal, callId: string) => ({
  status: 'DECLINED',
  statusInfo: { reasonCode: refusal.row.reasonCode, message: refusal.message },
  callId,
  ...(refusal.fields ? { fields: refusal.fields } : {}),
})
