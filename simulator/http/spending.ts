import { SECOND } from '../duration.ts'
import type { ReplicaStore } from '../store/port.ts'

/** So many organizations are counted before those that have been quiet for a second are forgotten. */
const MOST_COUNTED = 10_000

/** How many calls of an organization are yet to be made good, those just made among them; what is too much is not counted. */
export type Spend = (organizationId: string, now: number) => Promise<number> | number

/** How long ago that was. Where the machine's clock was put back meanwhile, it counts from there (D-111). */
const since = (of: { at: number }, now: number): number => {
  of.at = Math.min(of.at, now)
  return now - of.at
}

const forgetQuiet = <Count>(counts: Map<string, Count>, isQuiet: (count: Count) => boolean): void => {
  if (counts.size >= MOST_COUNTED) for (const [name, count] of counts) if (isQuiet(count)) counts.delete(name)
}

/** One process counts. */
export const spendingAlone = (perSecond: number): Spend => {
  const spent = new Map<string, { calls: number; at: number }>()
  /** Calls of the last second's worth that are still to be made good, now. */
  const owed = (of: { calls: number; at: number }, now: number): number =>
    Math.max(0, of.calls - (since(of, now) * perSecond) / SECOND)
  return (organizationId, now) => {
    const known = spent.get(organizationId) ?? { calls: 0, at: now }
    const calls = owed(known, now) + 1
    if (calls > perSecond) return calls
    forgetQuiet(spent, of => owed(of, now) === 0)
    spent.set(organizationId, { calls, at: now })
    return calls
  }
}

/** What one replica was told when it asked for calls: how many it may let pass, or how many are yet to be made good. */
export type Share = { left: number; asked: number; at: number }

/**
 * Replicas count together, a twentieth of a second's calls at a time, so that few calls have to ask. Who was refused is
 * refused without asking until it may have made good, and those who come at once ask once: a loud one holds no line.
 */
export const spendingTogether = (
  { spend }: Pick<ReplicaStore, 'spend'>,
  perSecond: number,
  shares = new Map<string, { share: Promise<Share>; at: number }>(),
): Spend => {
  const block = Math.max(1, Math.floor(perSecond / 20))
  const ask = async (organizationId: string, now: number): Promise<Share> => {
    const asked = await spend(organizationId, { calls: block, now, perSecond })
    return { left: asked <= perSecond ? block : 0, asked, at: now }
  }
  /** Undefined where the share tells nothing any more. */
  const take = (share: Share, now: number): number | undefined => {
    const passed = since(share, now)
    if (share.left > 0 && passed < SECOND) {
      share.left -= 1
      return 0
    }
    const calls = share.asked - (passed * perSecond) / SECOND
    return calls > perSecond ? calls : undefined
  }
  return async (organizationId, now) => {
    for (;;) {
      const known = shares.get(organizationId)
      const calls = known && take(await known.share, now)
      if (calls !== undefined) return calls
      if (shares.get(organizationId) !== known) continue
      forgetQuiet(shares, of => since(of, now) >= SECOND) // a share tells nothing after a second
      const share = ask(organizationId, now)
      shares.set(organizationId, { share, at: now })
      share.catch(() => shares.delete(organizationId))
    }
  }
}
