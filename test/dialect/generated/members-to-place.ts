/** Members of requests that a generated dialect may put elsewhere, of every kind: at the top, within an object, an object. */
export const REQUEST_MEMBERS = [
  ...['processingAccountId', 'clientTransactionId', 'transactionId', 'transactionType', 'returnUrl', 'metadata'],
  ...['paymentDetails', 'paymentDetails.amount', 'paymentDetails.currency', 'paymentDetails.autoCapture'],
  ...['providerDetails', 'providerDetails.providerId', 'requestContext', 'requestContext.channel'],
  ...['payerDetails', 'payerDetails.payerId', 'payerDetails.oneTimeCode', 'payerDetails.paymentToken'],
  ...[
    'reportId',
    'from',
    'key',
    'key.value',
    'oneTime',
    'scenario',
    'steps',
    'steps.initiate',
    'steps.finalize.status',
  ],
]

/** Members of responses that a generated dialect may put elsewhere. */
export const RESPONSE_MEMBERS = [
  ...['processingAccountId', 'transactionId', 'originalTransactionId', 'clientTransactionId', 'metadata', 'status'],
  ...['statusInfo', 'statusInfo.reasonCode', 'statusInfo.message', 'providerDetails', 'providerDetails.redirectUrl'],
  ...['providerDetails.providerTransactionId', 'providerDetails.registeredAt', 'providerDetails.expiresAt'],
  ...['payerDetails', 'payerDetails.paymentToken', 'paymentDetails', 'paymentDetails.amount'],
  ...['paymentDetails.capturedAmount', 'paymentDetails.refundedAmount', 'paymentDetails.captures'],
  ...['lifecycle', 'lifecycle.state', 'timeline', 'payments', 'providers', 'files', 'totalCount'],
]
