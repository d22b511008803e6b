/** Source of the random choices of exploration, which a seed decides. */
export type Random = {
  /** A number from 0 to 1, without 1. */
  next(): number
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  pick<Item>(items: readonly Item[]): Item | undefined
  /** Whether something happens that does so once in so many times. */
  oneIn(times: number): boolean
}

/** Creates a source of random choices from a seed: a 32-bit generator (mulberry32), good enough to draw steps. */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item
  return { next, pick, oneIn: times => next() * times < 1 }
}
