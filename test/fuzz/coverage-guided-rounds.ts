import fc from 'fast-check'
import { type SeededRandom, seededRandom } from '../support/seeded-random.ts'
import type { FuzzTarget, Oracle } from './fuzz-target.ts'
import { HOSTILE_TEXTS } from './hostile-values.ts'
import type { FuzzFailure } from './run-fuzz-target.ts'
import type { Coverage } from './watch-code-coverage.ts'

type Parts = {
  part: FuzzTarget
  judge: Oracle<unknown>
  seed: number
  coverage: Coverage
  before: (input: unknown) => void
}

/** Inputs per coverage measurement. */
const BATCH = 50
const FIRST = 300

/** Creates coverage-guided rounds of fuzzing: inputs that reached new code are edited into the next inputs. */
export const guidedRounds = ({ part, judge, seed, coverage, before }: Parts) => {
  const chance = seededRandom(seed)
  const pool: unknown[] = fc.sample(part.inputs, { seed, numRuns: FIRST })
  const tryAll = async (inputs: readonly unknown[]): Promise<FuzzFailure | undefined> => {
    for (const input of inputs) {
      before(input)
      const broke = await judge(input)
      if (broke !== undefined) return { part: part.name, seed, broke, input }
    }
  }
  return {
    pool,
    /** Runs one batch; inputs that reach new code join the pool. */
    next: async (): Promise<FuzzFailure | undefined> => {
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

/** Edits one text of an input at one or two places. */
const changed = (input: unknown, other: unknown, name: string, chance: SeededRandom): unknown => {
  if (name === '') return changedText(String(input), String(other), chance)
  const [members, others] = [input, other] as [Record<string, string>, Record<string, string>]
  return { ...members, [name]: changedText(members[name] ?? '', others[name] ?? '', chance) }
}

const changedText = (whole: string, from: string, chance: SeededRandom): string => {
  let text = whole
  for (let times = chance.below(3); times >= 0; times -= 1) {
    const [at, length, start] = [chance.below(text.length + 1), chance.below(8), chance.below(from.length + 1)]
    const middle = [
      '',
      chance.pick(HOSTILE_TEXTS),
      String.fromCharCode(chance.below(256)),
      text.slice(at, at + length).repeat(2),
      from.slice(start, start + chance.below(40)),
    ]
    text = text.slice(0, at) + chance.pick(middle) + text.slice(at + chance.below(length + 1))
  }
  return text
}
