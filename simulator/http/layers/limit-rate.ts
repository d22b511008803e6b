import type { MiddlewareHandler } from 'hono'
import type { Clock } from '../../clock.ts'
import { SECOND } from '../../duration.ts'
import { Refusal } from '../../refusal.ts'
import type { ReplicaStore } from '../../store/port.ts'
import type { ApiEnvironment } from '../call.ts'

/** So many organizations are counted before those that have been quiet for a second are forgotten. */
const MOST_COUNTED = 10_000

/** How many calls of an organization are yet to be made good, those just made among them; what is too much is not counted. */
export type Spend = (organizationId: string, now: number) => Promise<number> | number

/** Calls that an organization may make each second, as many of them at once as it likes (8, D-66): beyond is 429/3000. */
export const limitRate = (
  clock: Clock,
  perSecond: number,
  replicas: ReplicaStore | undefined,
): MiddlewareHandler<ApiEnvironment> => {
  const spend = replicas ? spendingTogether(replicas, perSecond) : spendingAlone(perSecond)
  return async (c, next) => {
    if (perSecond === 0) return next()
    const calls = await spend(c.get('call').organization?.organizationId ?? '', clock.real())
    if (calls > perSecond) {
      const retryAfter = Math.ceil((calls - perSecond) / perSecond)
      const sentence = `More than ${perSecond} calls in a second: wait as long as Retry-After says.`
      throw new Refusal('RATE_LIMITED', 'rate', sentence, { retryAfter })
    }
    await next()
  }
}

const spendingAlone = (perSecond: number): Spend => {
  const spent = new Map<string, { calls: number; at: number }>()
  /** Calls of the last second's worth that are still to be made good, now. */
  const owed = ({ calls, at }: { calls: number; at: number }, now: number): number =>
    Math.max(0, calls - (Math.max(0, now - at) * perSecond) / SECOND)
  return (organizationId, now) => {
    const calls = owed(spent.get(organizationId) ?? { calls: 0, at: now }, now) + 1
    if (calls > perSecond) return calls
    if (spent.size >= MOST_COUNTED) for (const [name, of] of spent) if (owed(of, now) === 0) spent.delete(name)
    spent.set(organizationId, { calls, at: now })
    return calls
  }
}

/** What one replica was told when it asked for calls: how many it may let pass, or how many are yet to be made good. */
type Share = { left: number; asked: number; at: number }

/**
 * Replicas count together, a twentieth of a second's calls at a time, so that few calls have to ask. Who was refused is
 * refused without asking until it may have made good, and those who come at once ask once: a loud one holds no line.
 */
export const spendingTogether = ({ spend }: Pick<ReplicaStore, 'spend'>, perSecond: number): Spend => {
  const block = Math.max(1, Math.floor(perSecond / 20))
  const shares = new Map<string, Promise<Share>>()
  const ask = async (organizationId: string, now: number): Promise<Share> => {
    const asked = await spend(organizationId, { calls: block, now, perSecond })
    return { left: asked <= perSecond ? block : 0, asked, at: now }
  }
  /** Undefined where the share tells nothing any more. */
  const take = (share: Share, now: number): number | undefined => {
    if (share.left > 0 && now < share.at + SECOND) {
      share.left -= 1
      return 0
    }
    const calls = share.asked - (Math.max(0, now - share.at) * perSecond) / SECOND
    return calls > perSecond ? calls : undefined
  }
  return async (organizationId, now) => {
    for (;;) {
      const known = shares.get(organizationId)
      const calls = known && take(await known, now)
      if (calls !== undefined) return calls
      if (shares.get(organizationId) !== known) continue
      const asking = ask(organizationId, now)
      shares.set(organizationId, asking)
      asking.catch(() => shares.delete(organizationId))
    }
  }
}
