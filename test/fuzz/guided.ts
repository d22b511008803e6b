import fc from 'fast-check'
import { type Chance, seededChance } from '../support/chance.ts'
import type { Coverage } from './coverage.ts'
import type { Judge, Part } from './part.ts'
import type { Find } from './try-part.ts'
import { WORDS } from './words.ts'

type Parts = { part: Part; judge: Judge<unknown>; seed: number; coverage: Coverage; before: (input: unknown) => void }

/** So many inputs are tried between two looks at what they reached. */
const BATCH = 50
const FIRST = 300

/** Rounds of inputs that are made of those which reached code that none had reached before. */
export const guidedRounds = ({ part, judge, seed, coverage, before }: Parts) => {
  const chance = seededChance(seed)
  const pool: unknown[] = fc.sample(part.inputs, { seed, numRuns: FIRST })
  const tryAll = async (inputs: readonly unknown[]): Promise<Find | undefined> => {
    for (const input of inputs) {
      before(input)
      const broke = await judge(input)
      if (broke !== undefined) return { part: part.name, seed, broke, input }
    }
  }
  return {
    pool,
    /** Tries one batch; where it reached something new, those that did so join the pool. */
    next: async (): Promise<Find | undefined> => {
      const batch = Array.from({ length: BATCH }, () =>
        changed(chance.pick(pool), chance.pick(pool), chance.pick(part.guided ?? ['']), chance),
      )
      const find = await tryAll(batch)
      if (find || (await coverage.fresh()) === 0) return find
      pool.push(...batch)
      return undefined
    },
    batch: BATCH,
  }
}

/** One of the texts in an input, changed at a place or two. */
const changed = (input: unknown, other: unknown, name: string, chance: Chance): unknown => {
  if (name === '') return changedText(String(input), String(other), chance)
  const [members, others] = [input, other] as [Record<string, string>, Record<string, string>]
  return { ...members, [name]: changedText(members[name] ?? '', others[name] ?? '', chance) }
}

const changedText = (whole: string, from: string, chance: Chance): string => {
  let text = whole
  for (let times = chance.below(3); times >= 0; times -= 1) {
    const [at, length, start] = [chance.below(text.length + 1), chance.below(8), chance.below(from.length + 1)]
    const middle = [
      '',
      chance.pick(WORDS),
      String.fromCharCode(chance.below(256)),
      text.slice(at, at + length).repeat(2),
      from.slice(start, start + chance.below(40)),
    ]
    text = text.slice(0, at) + chance.pick(middle) + text.slice(at + chance.below(length + 1))
  }
  return text
}
