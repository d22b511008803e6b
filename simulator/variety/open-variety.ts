import { createIds, createSeededIds, type Ids } from '../ids.ts'
import type { Store } from '../store/port.ts'
import { createVariety, type Variety } from './variety.ts'

/** The word that asks for a seed by chance. */
const BY_CHANCE = 'random'

/** What the seed decides: variety and ids, which are chance and nothing else where there is no seed. */
export const openVariety = async (
  wanted: string | undefined,
  store: Pick<Store, 'setting' | 'saveSetting'>,
): Promise<{ ids: Ids; variety?: Variety }> => {
  const chance = createIds()
  if (wanted === undefined) return { ids: chance }
  const seed = wanted === BY_CHANCE ? chance.uuid().slice(0, 8) : wanted
  const run = Number((await store.setting('seeded-runs')) ?? 0) + 1
  await store.saveSetting('seeded-runs', String(run))
  return { ids: createSeededIds(seed, run), variety: createVariety(seed) }
}
