/** OAuth scopes of the payment API (5.3); the first one is always granted. */
export const SCOPES = ['payments:read', 'payments:process', 'data:reports'] as const
export type Scope = (typeof SCOPES)[number]
/** Scope of reports, which is to be asked for (5.3). */
export const REPORTS_SCOPE = 'data:reports' satisfies Scope

type Operation = {
  method: 'GET' | 'POST'
  /** Path with its parameters as `{name}`. */
  path: string
  /** Whether an Idempotency-Key is required (I1); otherwise it is ignored (E1). */
  keyed: boolean
  /** Scope that the call's token must have; undefined for a call without a token. */
  scope: Scope | undefined
  /** Schema in openapi.yaml of the body, or of the query of a GET; undefined for a call with neither. */
  schema: string | undefined
  /** Set if production does not serve it (1, 2.7, D-72). */
  sandboxOnly?: true
}

/** Operations of the API (4) by their names; a test compares them with openapi.yaml. */
// biome-ignore format: a table reads by its columns
export const OPERATIONS = {
  token:          { method: 'POST', path: '/auth/token',                      keyed: false, scope: undefined,          schema: 'TokenRequest' },
  initiate:       { method: 'POST', path: '/payments/initiate',               keyed: true,  scope: 'payments:process', schema: 'InitiateRequest' },
  finalize:       { method: 'POST', path: '/payments/finalize',               keyed: true,  scope: 'payments:process', schema: 'FinalizeRequest' },
  charge:         { method: 'POST', path: '/payments/charge',                 keyed: true,  scope: 'payments:process', schema: 'ChargeRequest' },
  capture:        { method: 'POST', path: '/payments/capture',                keyed: true,  scope: 'payments:process', schema: 'CaptureRequest' },
  cancel:         { method: 'POST', path: '/payments/cancel',                 keyed: true,  scope: 'payments:process', schema: 'CancelRequest' },
  refund:         { method: 'POST', path: '/payments/refund',                 keyed: true,  scope: 'payments:process', schema: 'RefundRequest' },
  status:         { method: 'GET',  path: '/payments/{transactionId}/status', keyed: false, scope: 'payments:read',    schema: undefined },
  events:         { method: 'GET',  path: '/payments/{transactionId}/events', keyed: false, scope: 'payments:read',    schema: undefined },
  search:         { method: 'POST', path: '/payments/search',                 keyed: false, scope: 'payments:read',    schema: 'SearchRequest' },
  providers:      { method: 'POST', path: '/payments/providers',              keyed: false, scope: 'payments:read',    schema: 'ProvidersRequest' },
  reports:        { method: 'GET',  path: '/reports',                         keyed: false, scope: REPORTS_SCOPE,      schema: 'ReportsQuery' },
  downloadReport: { method: 'GET',  path: '/reports/download',                keyed: false, scope: REPORTS_SCOPE,      schema: 'DownloadQuery' },
  mockSet:        { method: 'POST', path: '/mock/set',                        keyed: false, scope: 'payments:process', schema: 'MockRequest', sandboxOnly: true },
  keySet:         { method: 'GET',  path: '/.well-known/jwks.json',           keyed: false, scope: undefined,          schema: undefined },
} as const satisfies Readonly<Record<string, Operation>>

export type OperationName = keyof typeof OPERATIONS
export const OPERATION_NAMES = Object.keys(OPERATIONS) as readonly OperationName[]

/** Name of an operation that calls a provider to change a payment, and so requires an Idempotency-Key (I1). */
export type ProviderOperation = {
  [Name in OperationName]: (typeof OPERATIONS)[Name]['keyed'] extends true ? Name : never
}[OperationName]

export const PROVIDER_OPERATIONS = OPERATION_NAMES.filter(
  name => OPERATIONS[name].keyed,
) as readonly ProviderOperation[]

/** Whether a name is that of an operation that calls a provider. */
export const isProviderOperation = (name: string | undefined): name is ProviderOperation =>
  PROVIDER_OPERATIONS.some(known => known === name)

/** Operations that act on a payment that was begun. */
export const ACTS = ['finalize', 'capture', 'cancel', 'refund'] as const
export type Act = (typeof ACTS)[number]

/** Whether a name is that of an operation that starts a payment, which its calls name by clientTransactionId only. */
export const startsPayment = (name: string | undefined): name is 'initiate' | 'charge' =>
  name === 'initiate' || name === 'charge'

/** Whether a profile may name the members of an operation's request: those of a token are OAuth's (5.3). */
export const hasRequestMembers = (name: OperationName): boolean =>
  name !== 'token' && OPERATIONS[name].schema !== undefined

/** Whether an operation is about the one payment that its path names. */
export const readsOnePayment = (name: OperationName): boolean => OPERATIONS[name].path.includes('{transactionId}')

/**
 * Paths of a deployment that differ from those of the table of operations; one may begin with its method: `GET
 * /payments`.
 */
export type OperationPaths = Readonly<Partial<Record<OperationName, string>>>

/** Returns the method and the path that an operation has in a deployment. */
export const operationAddress = (
  name: OperationName,
  paths: OperationPaths = {},
): { method: 'GET' | 'POST'; path: string } => {
  const { method, path } = OPERATIONS[name]
  const [, otherMethod, otherPath] = /^(?:(GET|POST) )?(\/.*)$/.exec(paths[name] ?? '') ?? []
  return { method: (otherMethod as 'GET' | 'POST' | undefined) ?? method, path: otherPath ?? path }
}
