import {
  type DeploymentDialect,
  invertTable,
  type JsonObject,
  type JsonResponse,
  mapMembers,
} from './deployment-dialect.ts'

/** Member names that differ by more than their case: simulator's to deployment's. */
const NAMES: Readonly<Record<string, string>> = {
  transactionId: 'payment_ref',
  clientTransactionId: 'order_ref',
  paymentDetails: 'order',
  payerDetails: 'customer',
  oneTimeCode: 'pin',
  timeline: 'history',
  state: 'phase',
}
const OURS = invertTable(NAMES)

const snake = (name: string): string => NAMES[name] ?? name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
const camel = (name: string): string =>
  OURS[name] ?? name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Translates the simulator's enum values into this deployment's. */
const spoken = (name: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value
  if (name === 'status' || name === 'state') return value.toLowerCase()
  return name === 'transactionType' && value === 'TOKEN_ONLY' ? 'TOKENIZED' : value
}

const understood = (name: string, value: unknown): unknown =>
  name === 'transactionType' && (value === 'TOKENIZED' || value === 'TOKEN_ONLY')
    ? { TOKENIZED: 'TOKEN_ONLY', TOKEN_ONLY: 'NOT_HERE' }[value]
    : value

/** Endpoints that create something: 201. */
const MAKING: readonly unknown[] = ['initiate', 'charge', 'capture', 'refund', 'mockSet']

const refusal = ({ status, body }: JsonResponse): JsonResponse => {
  const { reasonCode, message } = body.statusInfo as { reasonCode: string; message: string }
  const code = status === 404 && reasonCode === '4001' ? 5000 : Number(reasonCode)
  return {
    status,
    body: { error: { code, text: message, ...(body.fields ? { members: body.fields } : {}) }, request_id: body.callId },
  }
}

/** API dialect: snake case, lower-case enum values, an error object with numeric codes, 201 on creation, 5000 for not found. */
export const SNAKE_CASE_DIALECT: DeploymentDialect = {
  base: '',
  paths: {
    token: '/auth/token',
    initiate: '/v2/payments',
    finalize: '/v2/payments/complete',
    charge: '/v2/payments/recurring',
    capture: '/v2/captures',
    cancel: '/v2/voids',
    refund: '/v2/refunds',
    status: '/v2/payments/{id}',
    events: '/v2/payments/{id}/history',
    search: '/v2/payments/find',
    providers: '/v2/methods',
    reports: '/v2/reports',
    downloadReport: '/v2/reports/file',
    mockSet: '/v2/sandbox/mocks',
    keySet: '/keys.json',
  },
  dialect: { readings: ['literal'], encodings: ['der'], port: 'dropped' },
  headers: {},
  ids: 'slashed',
  ours: (_endpoint, body) =>
    mapMembers(body, (name, value) => [camel(name), understood(camel(name), value)]) as JsonObject,
  theirs: (endpoint, answer) => {
    if (endpoint === 'token' && answer.status < 300) return answer
    if (answer.status >= 400) return refusal(answer)
    const body = mapMembers(answer.body, (name, value) => [snake(name), spoken(name, value)]) as JsonObject
    return { status: MAKING.includes(endpoint) ? 201 : answer.status, body }
  },
}
