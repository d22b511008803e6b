const ACT = { processingAccountId: 'demo-merchant-account-1', clientTransactionId: 'act', transactionId: 'nobody' }
const DETAILS = { amount: 1999, currency: 'PLN', country: 'PL', description: 'A coat' }

const initiate = (change: object = {}) => ({
  processingAccountId: 'demo-merchant-account-1',
  clientTransactionId: 'order-1',
  transactionType: 'ONE_TIME',
  returnUrl: 'https://shop.example/thanks',
  paymentDetails: { amount: 4999, currency: 'EUR', country: 'GR', description: 'Two tickets' },
  providerDetails: { providerId: 'IRIS' },
  payerDetails: { payerId: 'payer-1' },
  ...change,
})

/** Valid API requests with a body, which fuzz targets edit. */
export const VALID_REQUESTS: readonly { target: string; body: object }[] = [
  { target: '/payments/initiate', body: initiate() },
  {
    target: '/payments/initiate',
    body: initiate({ metadata: { a: 'b' }, requestContext: { channel: 'WEB', locale: 'el-GR' } }),
  },
  {
    target: '/payments/initiate',
    body: initiate({
      paymentDetails: DETAILS,
      providerDetails: { providerId: 'BLIK' },
      payerDetails: { oneTimeCode: '123456' },
    }),
  },
  {
    target: '/payments/finalize',
    body: { processingAccountId: ACT.processingAccountId, transactionId: ACT.transactionId },
  },
  {
    target: '/payments/charge',
    body: initiate({ transactionType: 'RECURRING', payerDetails: { paymentToken: 'nobody' } }),
  },
  { target: '/payments/capture', body: { ...ACT, paymentDetails: { amount: 1 } } },
  { target: '/payments/cancel', body: ACT },
  { target: '/payments/refund', body: { ...ACT, paymentDetails: { amount: 1, description: 'Too small' } } },
  {
    target: '/payments/search',
    body: { clientTransactionId: 'order-1', amountFrom: 1, createdTo: '2027-01-01T00:00:00Z', limit: 10, cursor: 'x' },
  },
  {
    target: '/payments/providers',
    body: { processingAccountId: 'demo-merchant-account-1', country: 'PL', currency: 'PLN' },
  },
  {
    target: '/mock/set',
    body: {
      processingAccountId: 'demo-merchant-account-1',
      key: { type: 'PAYER_ID', value: 'payer-9' },
      type: 'MOCK',
      scenario: 'INSUFFICIENT_FUNDS',
      oneTime: true,
      steps: { initiateStep: { status: 'DECLINED', data: { a: 'b' } }, capture: { status: 'APPROVED' } },
    },
  },
]

/** Targets of API requests without a body, which fuzz targets edit. */
export const BODYLESS_TARGETS = [
  '/payments/nobody/status',
  '/payments/nobody/events?x=y',
  '/reports?from=2026-01-01&to=2026-01-31&type=TRANSACTIONS',
  '/reports/download?reportId=nothing',
  '/.well-known/jwks.json',
  '/',
]
