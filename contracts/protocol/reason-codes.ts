/** The reasonCode families of clause 7.2, by first digit. */
export const REASON_CODE_FAMILIES = {
  1: 'payment and risk',
  2: 'customer and session',
  3: 'idempotency and rate limits',
  4: 'request validation and authentication',
  5: 'business rules',
  6: 'webhooks and security',
  8: 'provider and downstream',
  9: 'internal',
} as const

/** The reasonCode of what a provider does not support: the request must change (7.3). */
const UNSUPPORTED = '8003'

/** Whether a decline with this reasonCode is temporary, so that the same call under the same key is worth a retry (7.2, 7.4.2). */
export const isTemporaryDecline = (reasonCode: string): boolean =>
  /^[89]\d{3}$/.test(reasonCode) && reasonCode !== UNSUPPORTED

/** The reasonCode of a response that reports no problem (D-06). */
export const NO_PROBLEM = '-1'

/**
 * Every refusal of the contract: HTTP status (7.1), reasonCode (7.3; D-10 where the document shows none) and whether
 * its response is stored for replay under the Idempotency-Key (D-22).
 */
// biome-ignore format: a table reads by its columns
export const REFUSALS = {
  INVALID_INPUT:          { http: 400, reasonCode: '4000', remembered: false, meaning: 'The request is malformed or breaks a validation rule.' },
  MEDIA_TYPE_REFUSED:     { http: 400, reasonCode: '4000', remembered: false, meaning: 'The body is of another media type.' },
  KEY_MISSING:            { http: 400, reasonCode: '4000', remembered: false, meaning: 'The idempotency key is missing.' },
  CERTIFICATE_MISSING:    { http: 400, reasonCode: '4980', remembered: false, meaning: 'The client certificate is missing.' },
  CERTIFICATE_REFUSED:    { http: 400, reasonCode: '4980', remembered: false, meaning: 'The client certificate is not trusted.' },
  DIGEST_MISSING:         { http: 400, reasonCode: '4990', remembered: false, meaning: 'The content digest is missing.' },
  DIGEST_REFUSED:         { http: 400, reasonCode: '4990', remembered: false, meaning: 'The content digest does not match the body.' },
  LENGTH_MISSING:         { http: 400, reasonCode: '4990', remembered: false, meaning: 'The body comes without its length.' },
  SIGNATURE_UNREADABLE:   { http: 401, reasonCode: '4990', remembered: false, meaning: 'The signature headers are missing or unreadable.' },
  SIGNATURE_REFUSED:      { http: 401, reasonCode: '4992', remembered: false, meaning: 'The signature does not verify.' },
  TOKEN_EXPIRED:          { http: 401, reasonCode: '4061', remembered: false, meaning: 'The access token has expired or was revoked.' },
  TOKEN_REFUSED:          { http: 401, reasonCode: '4970', remembered: false, meaning: 'The access token is missing or invalid.' },
  FORBIDDEN:              { http: 403, reasonCode: '4971', remembered: false, meaning: 'Scope, certificate or account do not allow this.' },
  PAYMENT_NOT_FOUND:      { http: 404, reasonCode: '4001', remembered: false, meaning: 'There is no such payment.' },
  ORDER_NOT_FOUND:        { http: 404, reasonCode: '4001', remembered: false, meaning: 'The provider knows no such order.' },
  REPORT_NOT_FOUND:       { http: 404, reasonCode: '4000', remembered: false, meaning: 'There is no such report.' },
  ENDPOINT_NOT_FOUND:     { http: 404, reasonCode: '4000', remembered: false, meaning: 'There is no such endpoint.' },
  METHOD_NOT_FOUND:       { http: 404, reasonCode: '4000', remembered: false, meaning: 'The endpoint has no such method.' },
  ORDER_EXISTS:           { http: 409, reasonCode: '3001', remembered: false, meaning: 'The provider has this order already.' },
  KEY_REUSED:             { http: 409, reasonCode: '3002', remembered: false, meaning: 'The idempotency key was used with another payload.' },
  BODY_TOO_LARGE:         { http: 413, reasonCode: '4130', remembered: false, meaning: 'The body is larger than the service accepts.' },
  TRANSITION_NOT_ALLOWED: { http: 422, reasonCode: '5002', remembered: true,  meaning: 'The payment is not in a state that allows this.' },
  MANDATE_REFUSED:        { http: 422, reasonCode: '5010', remembered: true,  meaning: 'The payer has no valid mandate for this.' },
  PAYMENT_LOCKED:         { http: 423, reasonCode: '5003', remembered: false, meaning: 'The payment is being processed.' },
  RATE_LIMITED:           { http: 429, reasonCode: '3000', remembered: false, meaning: 'Too many requests.' },
  INTERNAL:               { http: 500, reasonCode: '9999', remembered: false, meaning: 'The service failed unexpectedly.' },
  OPERATION_UNSUPPORTED:  { http: 501, reasonCode: '8003', remembered: true,  meaning: 'The scheme does not support this operation.' },
  PROVIDER_ERROR:         { http: 502, reasonCode: '8004', remembered: false, meaning: 'The provider failed.' },
  PROVIDER_TIMEOUT:       { http: 504, reasonCode: '8001', remembered: false, meaning: 'The provider did not answer in time.' },
} as const

/** reasonCodes outside family 4 for which 7.3 states no HTTP status: a service may return them with 400. */
export const CODES_OF_ANY_STATUS = ['2000', '2001', '3001', '8003', '8004'] as const

export type RefusalName = keyof typeof REFUSALS

/** HTTP statuses for errors that 7.1 does not cover: wrong method, media type, missing key (D-14, D-16, D-18). */
export const UNSTATED_STATUSES = { method: 405, type: 415, key: 428 } as const
