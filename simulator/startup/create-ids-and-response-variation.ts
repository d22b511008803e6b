import { createSeededVariation, type SeededVariation } from '../http/variation/seeded-variation.ts'
import type { Store } from '../store/store.ts'
import { createIds, createSeededIds, type Ids } from '../support/ids.ts'
import { withStartLock } from './start-lock.ts'

/** Value of --variety that asks for a random seed. */
const RANDOM_SEED = 'random'

/**
 * Creates the ids and the conformant response variation by the seed of --variety; without a seed, random ids only. Each
 * start has its own ids (D-90), also of replicas that start at the same time. Secrets are random whatever the seed, as
 * who knows one that was seeded could find the seed, and by it all others.
 */
export const createIdsAndResponseVariation = async (
  wanted: string | undefined,
  store: Pick<Store, 'setting' | 'saveSetting' | 'replicas'>,
): Promise<{ ids: Ids; variety?: SeededVariation }> => {
  const randomIds = createIds()
  if (wanted === undefined) return { ids: randomIds }
  const seed = wanted === RANDOM_SEED ? randomIds.uuid().slice(0, 8) : wanted
  const run = await withStartLock(store, async () => {
    const next = Number((await store.setting('seeded-runs')) ?? 0) + 1
    await store.saveSetting('seeded-runs', String(next))
    return next
  })
  const { secret, orderedSecret } = randomIds
  return { ids: { ...createSeededIds(seed, run), secret, orderedSecret }, variety: createSeededVariation(seed) }
}
