import { OPERATIONS } from '../../../contracts/operations.ts'
import type { DeploymentDialect, JsonObject } from './deployment-dialect.ts'

/** Copies a JSON value with the members of every object in reverse order. */
const turnedRound = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turnedRound)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).reverse()
  return Object.fromEntries(members.map(([name, member]) => [name, turnedRound(member)]))
}

/**
 * The simulator's API dialect with all conformant variations at once: 201 instead of 200, 422 for a decline, additional
 * members, another member order, and slow responses.
 */
export const UNUSUAL_BUT_CONFORMANT_DIALECT: DeploymentDialect = {
  base: '',
  paths: Object.fromEntries(
    Object.entries(OPERATIONS).map(([name, { path }]) => [name, path.replace('{transactionId}', '{id}')]),
  ) as DeploymentDialect['paths'],
  dialect: { readings: ['literal', 'rfc'], encodings: ['der', 'raw'], port: 'dropped' },
  headers: {},
  ids: 'text',
  slowMs: 2,
  ours: (_endpoint, body) => body,
  theirs: (endpoint, { status, body }) => {
    const isDecline = (endpoint === 'initiate' || endpoint === 'charge') && body.status === 'DECLINED'
    const usual = status === 200 && endpoint !== 'token' ? 201 : status
    return {
      status: isDecline && status === 200 ? 422 : usual,
      body: turnedRound({ ...body, extra: { nobody: ['asked'] } }) as JsonObject,
    }
  },
}
