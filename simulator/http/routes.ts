import { cancel } from '../operations/cancel.ts'
import { capture } from '../operations/capture.ts'
import { events } from '../operations/events.ts'
import type { Registered } from '../operations/execute.ts'
import { finalize } from '../operations/finalize.ts'
import { initiate } from '../operations/initiate.ts'
import { refund } from '../operations/refund.ts'
import { status } from '../operations/status.ts'
import type { Scope } from './tokens.ts'

export const TOKEN_PATH = '/auth/token'

export type Route = {
  method: 'GET' | 'POST'
  path: string
  operation: string
  scope: Scope
  /** Whether an Idempotency-Key is required (I1); where it is not, it is ignored (E1). */
  keyed: boolean
  /** Schema of the body in the API description; undefined where there is none. */
  body: string | undefined
  registered: Registered
}

/** The calls of clause 4 that work on payments. */
// biome-ignore format: a table reads by its columns
export const ROUTES: readonly Route[] = [
  { method: 'POST', path: '/payments/initiate',               operation: 'initiate', scope: 'payments:process', keyed: true,  body: 'InitiateRequest', registered: { on: 'nothing', decide: initiate } },
  { method: 'POST', path: '/payments/finalize',               operation: 'finalize', scope: 'payments:process', keyed: true,  body: 'FinalizeRequest', registered: { on: 'payment', decide: finalize } },
  { method: 'POST', path: '/payments/capture',                operation: 'capture',  scope: 'payments:process', keyed: true,  body: 'CaptureRequest',  registered: { on: 'payment', decide: capture } },
  { method: 'POST', path: '/payments/cancel',                 operation: 'cancel',   scope: 'payments:process', keyed: true,  body: 'CancelRequest',   registered: { on: 'payment', decide: cancel } },
  { method: 'POST', path: '/payments/refund',                 operation: 'refund',   scope: 'payments:process', keyed: true,  body: 'RefundRequest',   registered: { on: 'payment', decide: refund } },
  { method: 'GET',  path: '/payments/:transactionId/status',  operation: 'status',   scope: 'payments:read',    keyed: false, body: undefined,         registered: { on: 'payment', decide: status } },
  { method: 'GET',  path: '/payments/:transactionId/events',  operation: 'events',   scope: 'payments:read',    keyed: false, body: undefined,         registered: { on: 'payment', decide: events, events: true } },
]
