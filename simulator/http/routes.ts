import { events } from '../operations/events.ts'
import { mockSet } from '../operations/mock-set.ts'
import type { Registered } from '../operations/operation.ts'
import { OPERATIONS } from '../operations/provider-calls.ts'
import { providers } from '../operations/providers.ts'
import { downloadReport, reports } from '../operations/reports.ts'
import { search } from '../operations/search.ts'
import { status } from '../operations/status.ts'
import type { Config } from '../options.ts'
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
  /** The same of its query, where that says anything. */
  query?: string
  registered: Registered
  /** Whether production has no such call (D-72). */
  sandboxOnly?: true
}

/** The calls of clause 4 that work on payments. */
// biome-ignore format: a table reads by its columns
export const ROUTES: readonly Route[] = [
  { method: 'POST', path: '/payments/initiate',              operation: 'initiate',       scope: 'payments:process', keyed: true,  body: 'InitiateRequest',  registered: OPERATIONS.initiate },
  { method: 'POST', path: '/payments/finalize',              operation: 'finalize',       scope: 'payments:process', keyed: true,  body: 'FinalizeRequest',  registered: OPERATIONS.finalize },
  { method: 'POST', path: '/payments/charge',                operation: 'charge',         scope: 'payments:process', keyed: true,  body: 'ChargeRequest',    registered: OPERATIONS.charge },
  { method: 'POST', path: '/payments/capture',               operation: 'capture',        scope: 'payments:process', keyed: true,  body: 'CaptureRequest',   registered: OPERATIONS.capture },
  { method: 'POST', path: '/payments/cancel',                operation: 'cancel',         scope: 'payments:process', keyed: true,  body: 'CancelRequest',    registered: OPERATIONS.cancel },
  { method: 'POST', path: '/payments/refund',                operation: 'refund',         scope: 'payments:process', keyed: true,  body: 'RefundRequest',    registered: OPERATIONS.refund },
  { method: 'POST', path: '/mock/set',                       operation: 'mockSet',        scope: 'payments:process', keyed: false, body: 'MockRequest',      registered: { on: 'nothing', decide: mockSet }, sandboxOnly: true },
  { method: 'GET',  path: '/payments/:transactionId/status', operation: 'status',         scope: 'payments:read',    keyed: false, body: undefined,          registered: { on: 'payment', decide: status } },
  { method: 'GET',  path: '/payments/:transactionId/events', operation: 'events',         scope: 'payments:read',    keyed: false, body: undefined,          registered: { on: 'payment', decide: events, events: true } },
  { method: 'POST', path: '/payments/search',                operation: 'search',         scope: 'payments:read',    keyed: false, body: 'SearchRequest',    registered: { on: 'payments', ...search } },
  { method: 'POST', path: '/payments/providers',             operation: 'providers',      scope: 'payments:read',    keyed: false, body: 'ProvidersRequest', registered: { on: 'nothing', decide: providers } },
  { method: 'GET',  path: '/reports',                        operation: 'reports',        scope: 'data:reports',     keyed: false, body: undefined,          registered: { on: 'payments', ...reports }, query: 'ReportsQuery' },
  { method: 'GET',  path: '/reports/download',               operation: 'downloadReport', scope: 'data:reports',     keyed: false, body: undefined,          registered: { on: 'payments', ...downloadReport }, query: 'DownloadQuery' },
]

/** The calls that there are in an environment: what the sandbox alone has is unknown in production (1, 2.7). */
export const routesIn = (environment: Config['environment'], routes: readonly Route[] = ROUTES): readonly Route[] =>
  routes.filter(({ sandboxOnly }) => environment === 'sandbox' || !sandboxOnly)
