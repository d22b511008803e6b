import type { OperationName } from '../../../contracts/operations.ts'
import {
  type DeploymentDialect,
  invertTable,
  type JsonObject,
  type JsonResponse,
  mapMembers,
} from './deployment-dialect.ts'

/** Paths of request members in this dialect and in the simulator's. */
const PLACES: readonly (readonly [here: string, there: string])[] = [
  ['account', 'processingAccountId'],
  ['reference', 'clientTransactionId'],
  ['payment', 'transactionId'],
  ['kind', 'transactionType'],
  ['money.value', 'paymentDetails.amount'],
  ['money.unit', 'paymentDetails.currency'],
  ['market', 'paymentDetails.country'],
  ['text', 'paymentDetails.description'],
  ['settleNow', 'paymentDetails.autoCapture'],
  ['method', 'providerDetails.providerId'],
  ['shopper.id', 'payerDetails.payerId'],
  ['shopper.code', 'payerDetails.oneTimeCode'],
  ['shopper.mandate', 'payerDetails.paymentToken'],
  ['back', 'returnUrl'],
  ['tags', 'metadata'],
  ['context', 'requestContext'],
  ['limit', 'limit'],
  ['country', 'country'],
  ['from', 'from'],
  ['to', 'to'],
  ['reportId', 'reportId'],
  ['for', 'key'],
  ['mode', 'type'],
  ['script', 'scenario'],
  ['once', 'oneTime'],
  ['play.begin.provider', 'steps.initiate.providerDetails.providerTransactionId'],
  ['play.begin.address', 'steps.initiate.providerDetails.redirectUrl'],
  ['play.begin.from', 'steps.initiate.providerDetails.registeredAt'],
  ['play.begin.until', 'steps.initiate.providerDetails.expiresAt'],
  ['play.complete.provider', 'steps.finalize.providerDetails.providerTransactionId'],
  ['play.complete.address', 'steps.finalize.providerDetails.redirectUrl'],
]
/** Objects that are translated even when empty. */
const GROUPS: readonly (readonly [here: string, there: string])[] = [
  ['money', 'paymentDetails'],
  ['shopper', 'payerDetails'],
]

const get = (body: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((part, name) => (part as JsonObject | undefined)?.[name], body)

const set = (body: JsonObject, path: string, value: unknown): void => {
  const [name = '', ...rest] = path.split('.')
  if (rest.length === 0) body[name] = value
  else {
    if (typeof body[name] !== 'object') body[name] = {}
    set(body[name] as JsonObject, rest.join('.'), value)
  }
}

const ours = (_endpoint: OperationName, body: JsonObject): JsonObject => {
  const made: JsonObject = {}
  for (const [here, there] of GROUPS) if (get(body, here) !== undefined) set(made, there, {})
  for (const [here, there] of PLACES) {
    const value = get(body, here)
    if (value !== undefined) set(made, there, WORDS[here]?.[String(value)] ?? value)
  }
  return made
}

const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  kind: { once: 'ONE_TIME', again: 'RECURRING', TOKENIZED: 'TOKEN_ONLY' },
  script: { GO: 'OK' },
}

const NAMES: Readonly<Record<string, string>> = {
  transactionId: 'payment',
  clientTransactionId: 'reference',
  redirectUrl: 'address',
  providerTransactionId: 'theirNumber',
  capturedAmount: 'taken',
  refundedAmount: 'givenBack',
  timeline: 'steps',
  payments: 'hits',
  paymentToken: 'mandate',
  providers: 'methods',
  providerId: 'method',
  statusInfo: 'outcome',
  reasonCode: 'why',
}

/** Payment states as numbered stages. */
const STAGES: Readonly<Record<string, string>> = {
  AWAITING_SHOPPER: 'S10',
  AUTHENTICATED: 'S15',
  AUTHORIZED: 'S20',
  PARTIALLY_CAPTURED: 'S29',
  CAPTURED: 'S30',
  SETTLED: 'S40',
  PARTIALLY_REFUNDED: 'S49',
  REFUNDED: 'S50',
  DECLINED: 'X1',
  EXPIRED: 'X2',
  CANCELED: 'X3',
}

const OUTCOMES = invertTable({
  accepted: 'ACCEPTED',
  open: 'PENDING',
  done: 'APPROVED',
  'turned down': 'DECLINED',
  void: 'CANCELED',
})

const theirs = (endpoint: OperationName | undefined, { status, body }: JsonResponse): JsonResponse => {
  if (endpoint === 'token' && status < 300) return { status, body }
  if (status >= 400) {
    const { reasonCode, message } = body.statusInfo as { reasonCode: string; message: string }
    return { status, body: { errors: [{ detail: message, reason: reasonCode }], trace: { call: body.callId } } }
  }
  const data = mapMembers(body, (name, value) => {
    if (name === 'state') return ['mark', STAGES[String(value)] ?? value]
    if (name === 'status') return ['result', OUTCOMES[String(value)] ?? value]
    return [NAMES[name] ?? name, value]
  })
  return { status: endpoint === 'initiate' ? 202 : status, body: { data, meta: { version: 3 } } }
}

/** API dialect: flat requests, response envelopes, numeric payment ids, a list of errors, strict RFC 9421 signatures. */
export const BOOKKEEPING_DIALECT: DeploymentDialect = {
  base: '/gateway/api',
  paths: {
    token: '/oauth/token',
    initiate: '/begin',
    finalize: '/complete',
    charge: '/again',
    capture: '/take',
    cancel: '/release',
    refund: '/give-back',
    status: '/payments/{id}',
    events: '/payments/{id}/steps',
    search: '/look-up',
    providers: '/methods',
    reports: '/books',
    downloadReport: '/books/one',
    mockSet: '/play',
    keySet: '/public-keys',
  },
  dialect: { readings: ['rfc'], encodings: ['raw'], port: 'kept', createdFirst: true },
  headers: {
    signature: 'x-answer-signature',
    'signature-input': 'x-answer-signature-input',
    'content-digest': 'x-answer-digest',
  },
  ids: 'number',
  ours,
  theirs,
}
