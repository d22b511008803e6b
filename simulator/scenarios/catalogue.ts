import type { Scenario } from './scenario.ts'

/** Every scenario there is, by name and by magic number (2.7, E2). */
export type Catalogue = {
  all: readonly Scenario[]
  find(name: string): Scenario | undefined
  /** By the four digits nnnn of the BLIK code 99nnnn or the amount 999nnnn. */
  byMagic(digits: string): Scenario | undefined
  /** The names that come closest to one that is none, closest first. */
  nearest(name: string): string[]
}

export const createCatalogue = (scenarios: readonly Scenario[]): Catalogue => {
  const byName = new Map(scenarios.map(scenario => [scenario.name, scenario]))
  const byMagic = new Map(scenarios.flatMap(scenario => (scenario.magic ? [[scenario.magic, scenario] as const] : [])))
  return {
    all: scenarios,
    find: name => byName.get(name),
    byMagic: digits => byMagic.get(digits),
    nearest: name => nearest(name, [...byName.keys()]),
  }
}

/** The three of `names` that share the most pairs of neighbouring letters with `word`; none where nothing is shared. */
export const nearest = (word: string, names: readonly string[]): string[] =>
  names
    .map(name => ({ name, score: likeness(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ score }) => score > 0.3)
    .sort((a, b) => b.score - a.score)
    .slice(0, 3)
    .map(({ name }) => name)

/** From 0 to 1: twice the pairs that both have, by the pairs of either (Dice's coefficient). */
const likeness = (a: string, b: string): number => {
  const [left, right] = [pairs(a), pairs(b)]
  const shared = [...left].filter(pair => right.has(pair)).length
  return left.size + right.size === 0 ? 0 : (2 * shared) / (left.size + right.size)
}

const pairs = (word: string): Set<string> =>
  new Set(Array.from(word.slice(1), (letter, before) => `${word[before]}${letter}`))
