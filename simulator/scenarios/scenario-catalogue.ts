import type { Scenario } from './scenario.ts'

/** Catalogue of all scenarios, with look-up by name and by magic number (2.7, E2). */
export type ScenarioCatalogue = {
  all: readonly Scenario[]
  find(name: string): Scenario | undefined
  /** Finds a scenario by the four digits nnnn of the BLIK code 99nnnn or the amount 999nnnn. */
  byMagic(digits: string): Scenario | undefined
  /** Names similar to an unknown one, most similar first. */
  nearest(name: string): string[]
}

/** Creates the catalogue of the given scenarios. */
export const createScenarioCatalogue = (scenarios: readonly Scenario[]): ScenarioCatalogue => {
  const byName = new Map(scenarios.map(scenario => [scenario.name, scenario]))
  const byMagic = new Map(scenarios.flatMap(scenario => (scenario.magic ? [[scenario.magic, scenario] as const] : [])))
  return {
    all: scenarios,
    find: name => byName.get(name),
    byMagic: digits => byMagic.get(digits),
    nearest: name => findSimilarNames(name, [...byName.keys()]),
  }
}

/** Finds up to three of `names` that are most similar to `word`, most similar first. */
export const findSimilarNames = (word: string, names: readonly string[]): string[] =>
  names
    .map(name => ({ name, score: similarity(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ score }) => score > 0.3)
    .sort((a, b) => b.score - a.score)
    .slice(0, 3)
    .map(({ name }) => name)

/** Returns the similarity of two words from 0 to 1: Dice's coefficient of their pairs of adjacent letters. */
const similarity = (a: string, b: string): number => {
  const [left, right] = [letterPairs(a), letterPairs(b)]
  const shared = [...left].filter(pair => right.has(pair)).length
  return left.size + right.size === 0 ? 0 : (2 * shared) / (left.size + right.size)
}

const letterPairs = (word: string): Set<string> =>
  new Set(Array.from(word.slice(1), (letter, before) => `${word[before]}${letter}`))
