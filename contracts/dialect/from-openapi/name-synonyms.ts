import type { OperationName } from '../../operations.ts'

/** Words by which a path or an id in an OpenAPI document may name an operation. */
export const OPERATION_WORDS: Readonly<Record<OperationName, readonly string[]>> = {
  token: ['token', 'oauth', 'authenticate', 'login'],
  initiate: ['initiate', 'initialize', 'init', 'create', 'begin', 'start', 'new', 'open', 'register'],
  finalize: ['finalize', 'complete', 'confirm', 'finish', 'conclude', 'authorize'],
  charge: ['charge', 'recurring', 'again', 'repeat', 'recur', 'renew'],
  capture: ['capture', 'captures', 'take', 'collect', 'claim', 'settle'],
  cancel: ['cancel', 'cancels', 'cancellations', 'void', 'voids', 'release', 'releases', 'abort', 'revoke'],
  refund: ['refund', 'refunds', 'giveback', 'return', 'returns', 'reimburse', 'repay'],
  status: ['status', 'state', 'outcome'],
  events: ['events', 'history', 'steps', 'timeline', 'log', 'activity', 'audit'],
  search: ['search', 'find', 'lookup', 'query', 'list', 'filter', 'orders', 'transactions'],
  providers: ['providers', 'methods', 'schemes', 'paymentmethods', 'options'],
  reports: ['reports', 'books', 'statements', 'settlements', 'listreports'],
  downloadReport: ['download', 'file', 'one', 'content', 'csv', 'downloadreport'],
  mockSet: ['mock', 'mocks', 'mockset', 'simulate', 'simulation', 'play', 'script', 'stub'],
  keySet: ['jwks', 'keys', 'keyset', 'jwk', 'publickeys', 'certs'],
}

/**
 * Other names by which a deployment's OpenAPI document may name the members of messages, each as one lower-case word;
 * one with its parent's in front counts too.
 */
export const MEMBER_WORDS: Readonly<Record<string, readonly string[]>> = {
  processingAccountId: ['account', 'accountid', 'processingaccount', 'merchantaccount', 'merchantaccountid', 'shopid'],
  transactionId: [
    'payment',
    'paymentid',
    'paymentref',
    'paymentreference',
    'transaction',
    'transactionref',
    'txid',
    'txref',
  ],
  originalTransactionId: [
    'originalpayment',
    'originalpaymentid',
    'originalpaymentref',
    'parentpayment',
    'parentid',
    'originalid',
  ],
  clientTransactionId: [
    'reference',
    'ref',
    'orderref',
    'orderreference',
    'orderid',
    'ordernumber',
    'merchantreference',
    'clientreference',
    'externalid',
    'externalreference',
  ],
  transactionType: ['kind', 'paymenttype', 'paymentkind', 'sequencetype'],
  returnUrl: ['back', 'backurl', 'returnto', 'returnaddress', 'redirectback', 'successurl', 'callbackurl', 'returnuri'],
  amount: ['value', 'money', 'sum', 'total', 'amountminor', 'amountvalue', 'moneyvalue'],
  currency: ['unit', 'currencycode', 'moneyunit', 'ccy'],
  country: ['market', 'countrycode'],
  description: ['text', 'title', 'purpose', 'subject', 'label'],
  autoCapture: ['settlenow', 'capturenow', 'captureimmediately', 'immediatecapture', 'autosettle', 'instantcapture'],
  providerId: ['method', 'provider', 'scheme', 'paymentmethod', 'paymentscheme'],
  payerId: ['customerid', 'shopperid', 'buyerid', 'consumerid', 'userid', 'customerref'],
  oneTimeCode: ['code', 'pin', 'blikcode', 'otp', 'onetimepassword', 'authcode'],
  paymentToken: ['mandate', 'token', 'mandateid', 'mandatetoken', 'cardtoken'],
  metadata: ['tags', 'custom', 'customfields', 'attributes', 'extras', 'labels'],
  status: ['result', 'paymentstatus', 'resultstatus'],
  reasonCode: ['why', 'reason', 'code', 'errorcode', 'resultcode', 'statuscode'],
  message: ['detail', 'text', 'reasontext', 'errormessage', 'errortext', 'explanation'],
  callId: ['call', 'requestid', 'traceid', 'correlationid', 'requestref', 'tracecall'],
  fields: ['members', 'violations', 'validationerrors', 'errormembers'],
  redirectUrl: ['address', 'approvalurl', 'link', 'href', 'redirect', 'redirectto', 'checkouturl'],
  providerTransactionId: ['theirnumber', 'providerreference', 'providerref', 'bankreference', 'bankref', 'provider'],
  registeredAt: ['from', 'registered', 'acceptedat', 'receivedat'],
  expiresAt: ['until', 'expires', 'validuntil', 'expiry', 'expirytime'],
  capturedAmount: ['taken', 'captured', 'amountcaptured', 'collected'],
  refundedAmount: ['givenback', 'refunded', 'amountrefunded', 'returned', 'reimbursed'],
  state: ['phase', 'mark', 'lifecyclestate'],
  timeline: ['history', 'steps', 'events', 'log', 'activity'],
  payments: ['hits', 'results', 'items', 'transactions', 'orders'],
  providers: ['methods', 'schemes', 'options', 'items'],
  files: ['reports', 'items', 'books'],
  createdAt: ['created', 'since', 'creationdate', 'createddate'],
  at: ['time', 'when', 'occurredat', 'timestamp'],
  key: ['for', 'match', 'matcher', 'selector'],
  type: ['mode', 'eventtype'],
  scenario: ['script'],
  oneTime: ['once', 'singleuse'],
  nextCursor: ['next', 'nextpage', 'nexttoken'],
  totalCount: ['total', 'count'],
  ipAddress: ['ip', 'clientip'],
  userAgent: ['browser', 'agent'],
}

/** Other names of the document's objects, by which an OpenAPI document may name them. */
export const OBJECT_WORDS: Readonly<Record<string, readonly string[]>> = {
  paymentDetails: ['order', 'money', 'payment', 'details', 'sums', 'purchase', 'amount'],
  providerDetails: ['provider', 'method', 'scheme', 'paymentmethod'],
  payerDetails: ['payer', 'customer', 'shopper', 'buyer', 'consumer', 'user'],
  requestContext: ['context', 'device', 'client'],
  statusInfo: ['outcome', 'error', 'errors', 'reason', 'statusdetails', 'info'],
  lifecycle: ['state', 'progress'],
  phone: ['mobile', 'telephone'],
}

/** Other words of enum values, by member, by which an OpenAPI document may name them. */
export const ENUM_WORDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  status: {
    PENDING: ['open', 'waiting', 'inprogress'],
    ACCEPTED: ['received'],
    APPROVED: ['done', 'ok', 'success', 'succeeded', 'paid', 'authorised', 'authorized'],
    DECLINED: ['turneddown', 'rejected', 'refused', 'failed', 'denied'],
    CANCELED: ['void', 'voided', 'cancelled', 'aborted'],
  },
  transactionType: {
    ONE_TIME: ['once', 'single', 'oneoff'],
    RECURRING: ['again', 'repeat', 'repeated', 'subscription'],
    TOKEN_ONLY: ['tokenized', 'tokenised', 'token', 'mandate', 'setup'],
  },
}

/** Converts a name to one lower-case word, so that camelCase, snake_case and kebab-case are alike. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')
