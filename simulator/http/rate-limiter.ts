import type { ReplicaCoordinationStore } from '../store/replica-coordination-store.ts'
import { SECOND } from '../support/duration.ts'

/** Number of buckets beyond which empty ones are removed. */
const MAX_BUCKETS = 10_000

/**
 * Rate limiter, one token bucket per organization. Adds one call at `now` (epoch milliseconds) and returns the level:
 * calls not yet drained at the permitted rate. A level above the rate means that the call is refused and not counted.
 */
type RateLimiter = (organizationId: string, now: number) => Promise<number> | number

/** Counts in this process alone; several calls at once are counted together, or none of them. */
type LocalRateLimiter = (organizationId: string, now: number, added?: number) => number

/** Milliseconds elapsed from `of.at`; if the machine's clock was set back, `of.at` is moved to `now` (D-111). */
const millisecondsSince = (of: { at: number }, now: number): number => {
  of.at = Math.min(of.at, now)
  return now - of.at
}

const removeEmpty = <Bucket>(buckets: Map<string, Bucket>, isEmpty: (bucket: Bucket) => boolean): void => {
  if (buckets.size >= MAX_BUCKETS) for (const [name, bucket] of buckets) if (isEmpty(bucket)) buckets.delete(name)
}

/** Creates a rate limiter of API calls that counts in this process alone. */
export const createLocalRateLimiter = (perSecond: number): LocalRateLimiter => {
  const buckets = new Map<string, { calls: number; at: number }>()
  /** The level of a bucket now, in calls. */
  const levelOf = (of: { calls: number; at: number }, now: number): number =>
    Math.max(0, of.calls - (millisecondsSince(of, now) * perSecond) / SECOND)
  return (organizationId, now, added = 1) => {
    const known = buckets.get(organizationId) ?? { calls: 0, at: now }
    const calls = levelOf(known, now) + added
    if (calls > perSecond) return calls
    removeEmpty(buckets, of => levelOf(of, now) === 0)
    buckets.set(organizationId, { calls, at: now })
    return calls
  }
}

/**
 * Share of calls that one replica took from a rate limiter's bucket: `left` may still pass; `asked` is the bucket's
 * level at `at`.
 */
export type BucketShare = { left: number; asked: number; at: number }

/**
 * Creates a rate limiter of API calls that shares its buckets with other replicas through the database. Each replica
 * takes a twentieth of a second's calls at a time, so that few calls query the database. A refused organization is
 * refused without a query until the bucket can have drained, and concurrent calls share one query. Where the database
 * takes no count, as one that is read-only, this replica counts alone, so that reads are served.
 */
export const createSharedRateLimiter = (
  { addToRateLimit }: Pick<ReplicaCoordinationStore, 'addToRateLimit'>,
  perSecond: number,
  shares = new Map<string, { share: Promise<BucketShare>; at: number }>(),
): RateLimiter => {
  const block = Math.max(1, Math.floor(perSecond / 20))
  const countAlone = createLocalRateLimiter(perSecond)
  const takeShare = async (organizationId: string, now: number): Promise<BucketShare> => {
    const asked = await addToRateLimit(organizationId, { calls: block, now, perSecond }).catch(() =>
      countAlone(organizationId, now, block),
    )
    return { left: asked <= perSecond ? block : 0, asked, at: now }
  }
  /** Takes one call from a share and returns the level; undefined if the share is used up or outdated. */
  const takeFrom = (share: BucketShare, now: number): number | undefined => {
    const passed = millisecondsSince(share, now)
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
      const calls = known && takeFrom(await known.share, now)
      if (calls !== undefined) return calls
      if (shares.get(organizationId) !== known) continue
      removeEmpty(shares, of => millisecondsSince(of, now) >= SECOND) // a share is outdated after a second
      const share = takeShare(organizationId, now)
      shares.set(organizationId, { share, at: now })
    }
  }
}
