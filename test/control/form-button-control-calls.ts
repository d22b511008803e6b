const HERE = '/control/organizations/{organizationId}'
const ENDPOINT = `${HERE}/webhooks/{endpointId}`

/** Control call with an example body (undefined: none) that is equivalent to each button of the portal's forms. */
// biome-ignore format: a table reads by its columns
export const FORM_BUTTON_CALLS: Readonly<Record<string, readonly [call: string, body: object | undefined] | 'in the browser alone'>> = {
  'portal-copy':          'in the browser alone',
  'portal-sign-in':       'in the browser alone',
  'portal-sign-out':      'in the browser alone',
  'create-organization':  ['POST /control/organizations', { id: 'corner-shop' }],
  'register-key':         [`POST ${HERE}/signing-keys`, { publicKey: 'PEM' }],
  'deregister-key':       [`DELETE ${HERE}/signing-keys/{keyId}`, undefined],
  'revoke-tokens':        [`POST ${HERE}/tokens/revoke`, undefined],
  'issue-certificate':    [`POST ${HERE}/certificates`, { csr: 'PEM' }],
  'trust-certificate':    [`POST ${HERE}/certificates`, { certificate: 'PEM' }],
  'renew-kit':            [`POST ${HERE}/kit`, {}],
  'revoke-certificate':   [`DELETE ${HERE}/certificates/{fingerprint}`, undefined],
  'add-endpoint':         [`POST ${HERE}/webhooks`, { url: 'http://localhost:3000/', types: ['PAYMENT_REFUND'] }],
  'change-endpoint':      [`PATCH ${ENDPOINT}`, { url: 'http://localhost:3000/', types: ['PAYMENT_REFUND'] }],
  'enable-endpoint':      [`PATCH ${ENDPOINT}`, { enabled: true }],
  'disable-endpoint':     [`PATCH ${ENDPOINT}`, { enabled: false }],
  'rotate-secret':        [`POST ${ENDPOINT}/rotate`, { overlap: 'PT24H' }],
  'test-endpoint':        [`POST ${ENDPOINT}/test`, {}],
  'replay':               [`POST ${ENDPOINT}/replay`, { since: '2026-01-05T12:00:00Z' }],
  'delete-endpoint':      [`DELETE ${ENDPOINT}`, undefined],
  'resend':               [`POST ${HERE}/deliveries/{deliveryId}/resend`, {}],
  'clear-inbox':          [`DELETE ${HERE}/inbox`, undefined],
  'list-reports':         [`GET ${HERE}/reports`, undefined],
  'finish-day':           [`POST ${HERE}/clock`, { to: '2027-01-01T00:00:00Z' }],
  'set-capabilities':     [`PUT ${HERE}/accounts/{accountId}/capabilities`, { BLIK: { partialCapture: false } }],
  'drill-begin':          [`POST ${HERE}/drills/{name}/begin`, {}],
  'drill-between':        [`POST ${HERE}/drills/{name}/between`, {}],
  'drill-end':            [`POST ${HERE}/drills/{name}/end`, { since: '2026-01-05T12:00:00Z' }],
  'lab-examine':          [`POST ${HERE}/lab`, { request: 'POST /payments/search HTTP/1.1' }],
  'speak-profile':        [`PUT ${HERE}/dialect`, { profile: 'naming: snake_case' }],
  'speak-usual':          [`DELETE ${HERE}/dialect`, undefined],
  'usual-capabilities':   [`PUT ${HERE}/accounts/{accountId}/capabilities`, {}],
}
