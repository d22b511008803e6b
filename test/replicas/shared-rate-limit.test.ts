import { expect, test } from 'vitest'
import { type BucketShare, createLocalRateLimiter, createSharedRateLimiter } from '../../simulator/http/rate-limiter.ts'

/** A shared token bucket in memory that counts how often it is asked. */
const sharedCount = () => {
  let [calls, last, asks] = [0, 0, 0]
  const spend = async (_: string, spent: { calls: number; now: number; perSecond: number }) => {
    asks += 1
    const owed = Math.max(0, calls - (Math.max(0, spent.now - last) * spent.perSecond) / 1_000)
    const asked = owed + spent.calls
    ;[calls, last] = [asked > spent.perSecond ? owed : asked, spent.now]
    return asked
  }
  return { addToRateLimit: spend, asks: () => asks }
}

const PER_SECOND = 100
const BLOCK = 5

test('8: an organization over its limit is refused without asking the store until its bucket can have refilled', async () => {
  const count = sharedCount()
  const spend = createSharedRateLimiter(count, PER_SECOND)
  const at = async (now: number, calls: number) => Promise.all(Array.from({ length: calls }, () => spend('loud', now)))
  const passed = (spent: number[]) => spent.filter(calls => calls <= PER_SECOND).length
  expect(passed(await at(0, 1_000))).toBe(PER_SECOND)
  expect(count.asks()).toBe(PER_SECOND / BLOCK + 1)
  expect(passed(await at(49, 1_000))).toBe(0)
  expect(count.asks()).toBe(PER_SECOND / BLOCK + 1)
  expect(passed(await at(50, 1_000))).toBe(BLOCK)
})

test('8: where the store takes no count, each replica counts for itself', async () => {
  const spend = createSharedRateLimiter({ addToRateLimit: () => Promise.reject(new Error('read-only')) }, PER_SECOND)
  const spent = await Promise.all(Array.from({ length: 1_000 }, () => spend('loud', 0)))
  expect(spent.filter(calls => calls <= PER_SECOND)).toHaveLength(PER_SECOND)
})

// biome-ignore format: a table reads by its columns
test.each([
  ['of one process',  () => createLocalRateLimiter(PER_SECOND)],
  ['of many replicas', () => createSharedRateLimiter(sharedCount(), PER_SECOND)],
])('8, D-111: a clock set back does not extend the refusal: the limiter %s goes on from there', async (_, open) => {
  const spend = open()
  const before = 3_600_000
  for (let call = 0; call <= PER_SECOND; call += 1) await spend('loud', before)
  expect(await spend('loud', before)).toBeGreaterThan(PER_SECOND)
  for (const after of [0, 1_000]) await spend('loud', after)
  expect(await spend('loud', 2_000)).toBeLessThanOrEqual(PER_SECOND)
})

test('a failed request to the shared bucket is repeated once the calls that this replica counted alone are used up', async () => {
  let asks = 0
  const spend = createSharedRateLimiter(
    {
      addToRateLimit: async () => {
        asks += 1
        if (asks === 1) throw new Error('cut off')
        return 1
      },
    },
    PER_SECOND,
  )
  for (let call = 0; call < BLOCK; call += 1) expect(await spend('shop', 0)).toBe(0)
  expect(asks).toBe(1)
  expect(await spend('shop', 0)).toBe(0)
  expect(asks).toBe(2)
})

test('8: organizations without calls for a second are removed from memory', async () => {
  const shares = new Map<string, { share: Promise<BucketShare>; at: number }>()
  const spend = createSharedRateLimiter({ addToRateLimit: async () => 1 }, PER_SECOND, shares)
  for (let number = 0; number < 10_000; number += 1) await spend(`shop-${number}`, number < 9_000 ? 0 : 500)
  expect(shares.size).toBe(10_000)
  await spend('one more', 1_000)
  expect(shares.size).toBe(1_001)
})

test('8, D-111: organizations are removed from memory also after the clock was set back', async () => {
  const shares = new Map<string, { share: Promise<BucketShare>; at: number }>()
  const spend = createSharedRateLimiter({ addToRateLimit: async () => 1 }, PER_SECOND, shares)
  for (let number = 0; number < 10_000; number += 1) await spend(`shop-${number}`, 3_600_000)
  for (const after of [0, 1_000]) await spend(`after ${after}`, after)
  expect(shares.size).toBe(1)
})
