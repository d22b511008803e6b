import { seededChance } from './chance.ts'

const seed = Number(process.env.ASSAY_LOT ?? 1)

/** All of them in `npm run proof`; so many, drawn by lot, in the usual run. ASSAY_LOT draws the same again. */
export const byLot = <Item>(all: readonly Item[], few: number): readonly Item[] => {
  if (process.env.ASSAY_PROOF === 'full') return all
  const { next } = seededChance(seed)
  const drawn = new Set(
    all
      .map(item => ({ item, place: next() }))
      .sort((a, b) => a.place - b.place)
      .slice(0, few)
      .map(({ item }) => item),
  )
  return all.filter(item => drawn.has(item))
}
