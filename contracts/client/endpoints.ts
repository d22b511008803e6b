/** Methods, paths and idempotency of the calls that the merchant makes (4, I1). */
// biome-ignore format: a table reads by its columns
export const ENDPOINTS = {
  token:          { method: 'POST', path: '/auth/token',                      keyed: false },
  initiate:       { method: 'POST', path: '/payments/initiate',               keyed: true },
  finalize:       { method: 'POST', path: '/payments/finalize',               keyed: true },
  charge:         { method: 'POST', path: '/payments/charge',                 keyed: true },
  capture:        { method: 'POST', path: '/payments/capture',                keyed: true },
  cancel:         { method: 'POST', path: '/payments/cancel',                 keyed: true },
  refund:         { method: 'POST', path: '/payments/refund',                 keyed: true },
  status:         { method: 'GET',  path: '/payments/{transactionId}/status', keyed: false },
  events:         { method: 'GET',  path: '/payments/{transactionId}/events', keyed: false },
  search:         { method: 'POST', path: '/payments/search',                 keyed: false },
  providers:      { method: 'POST', path: '/payments/providers',              keyed: false },
  reports:        { method: 'GET',  path: '/reports',                         keyed: false },
  downloadReport: { method: 'GET',  path: '/reports/download',                keyed: false },
  mockSet:        { method: 'POST', path: '/mock/set',                        keyed: false },
  keySet:         { method: 'GET',  path: '/.well-known/jwks.json',           keyed: false },
} as const

export type EndpointName = keyof typeof ENDPOINTS
export type Paths = Readonly<Partial<Record<EndpointName, string>>>

/** A path with its `{name}` parts filled in. */
export const fillPath = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
