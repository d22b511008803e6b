import { ENDPOINTS } from '../../../contracts/client/endpoints.ts'
import type { Json, Tongue } from './tongue.ts'

/** Members turned round, at every depth. */
const turnedRound = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turnedRound)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).reverse()
  return Object.fromEntries(members.map(([name, member]) => [name, turnedRound(member)]))
}

/**
 * The simulator's own words, and all at once what nobody forbids: 201 where others say 200, 422 for a decline, more than
 * was asked for, members in another order, and time to think.
 */
export const ODD: Tongue = {
  base: '',
  paths: Object.fromEntries(
    Object.entries(ENDPOINTS).map(([name, { path }]) => [name, path.replace('{transactionId}', '{id}')]),
  ) as Tongue['paths'],
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
      body: turnedRound({ ...body, extra: { nobody: ['asked'] } }) as Json,
    }
  },
}
