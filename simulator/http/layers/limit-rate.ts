import type { MiddlewareHandler } from 'hono'
import type { Clock } from '../../clock.ts'
import { SECOND } from '../../duration.ts'
import { Refusal } from '../../refusal.ts'
import type { ApiEnvironment } from '../call.ts'

/** So many organizations are counted before those that have been quiet for a second are forgotten. */
const MOST_COUNTED = 10_000

/** Calls that an organization may make each second, as many of them at once as it likes (8, D-66): beyond is 429/3000. */
export const limitRate = (clock: Clock, perSecond: number): MiddlewareHandler<ApiEnvironment> => {
  const spent = new Map<string, { calls: number; at: number }>()
  /** Calls of the last second's worth that are still to be made good, now. */
  const owed = ({ calls, at }: { calls: number; at: number }, now: number): number =>
    Math.max(0, calls - (Math.max(0, now - at) * perSecond) / SECOND)
  return async (c, next) => {
    if (perSecond === 0) return next()
    const now = clock.real()
    const organizationId = c.var.call.organization?.organizationId ?? ''
    const calls = owed(spent.get(organizationId) ?? { calls: 0, at: now }, now) + 1
    if (calls > perSecond) {
      const retryAfter = Math.ceil((calls - perSecond) / perSecond)
      const sentence = `More than ${perSecond} calls in a second: wait as long as Retry-After says.`
      throw new Refusal('RATE_LIMITED', 'rate', sentence, { retryAfter })
    }
    if (spent.size >= MOST_COUNTED) for (const [name, of] of spent) if (owed(of, now) === 0) spent.delete(name)
    spent.set(organizationId, { calls, at: now })
    await next()
  }
}
