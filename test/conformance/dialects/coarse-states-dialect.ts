import type { OperationName } from '../../../contracts/operations.ts'
import { BOOKKEEPING_DIALECT } from './bookkeeping-dialect.ts'
import type { DeploymentDialect, JsonObject, JsonResponse } from './deployment-dialect.ts'

/** The words of this deployment by the simulator's states, with the sums that the status response states beside them. */
// biome-ignore format: a table reads by its columns
const WORDS: Readonly<Record<string, readonly [word: string, taken: number, returned: number]>> = {
  AWAITING_SHOPPER:   ['OPEN',     0,      0],
  AUTHENTICATED:      ['OPEN',     0,      0],
  AUTHORIZED:         ['ACTIVE',   0,      0],
  PARTIALLY_CAPTURED: ['ACTIVE',   400,    0],
  CAPTURED:           ['ACTIVE',   1000,   0],
  SETTLED:            ['ACTIVE',   1000,   0],
  PARTIALLY_REFUNDED: ['ACTIVE',   1000, 400],
  REFUNDED:           ['ACTIVE',   1000, 1000],
  DECLINED:           ['ENDED',    0,      0],
  EXPIRED:            ['ENDED',    0,      0],
  CANCELED:           ['ENDED',    0,      0],
}

/** Translates a request; one without the constants that every request has here lacks its content. */
const ours = (endpoint: OperationName, { tenant, ref, market, unit, ...body }: JsonObject): JsonObject => {
  if (tenant !== 'T1' || (endpoint === 'capture' && unit !== 'PLN')) return { incomplete: true }
  return { ...body, ...(ref ? { clientTransactionId: ref } : {}), ...(market ? { country: market } : {}) }
}

const theirs = (endpoint: OperationName | undefined, { status, body }: JsonResponse): JsonResponse => {
  const { lifecycle } = body as { lifecycle?: { state: string } }
  if (!lifecycle) return { status, body }
  const [phase, taken, returned] = WORDS[lifecycle.state] ?? ['?', 0, 0]
  const sums = endpoint === 'status' ? { sums: { taken: String(taken), returned: String(returned) } } : {}
  return { status, body: { ...body, lifecycle: { phase }, ...sums } }
}

/**
 * API dialect: constants in every request, search and providers by GET, responses signed unlike requests, a protected key
 * set, payment ids that are numbers beyond 2^53, and words that each mean several states.
 */
export const COARSE_STATES_DIALECT: DeploymentDialect = {
  base: '',
  paths: { ...BOOKKEEPING_DIALECT.paths, search: '/orders', providers: '/methods' },
  byQuery: ['search', 'providers'],
  dialect: { readings: ['literal'], encodings: ['der'], port: 'dropped' },
  responses: { label: 'answer', reading: 'rfc', encoding: 'raw' },
  isKeySetProtected: true,
  webhookSignature: 'rfc9421',
  headers: {},
  ids: 'big number',
  ours,
  theirs,
}
