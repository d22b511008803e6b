import type { Result } from '../../contracts/harness/check.ts'
import { JOURNEYS } from '../../contracts/suites/all.ts'
import { startTestSimulator } from '../support/simulator.ts'
import { certify, idsOf, othersThan, profileOf } from './certify.ts'
import type { Saboteur } from './sabotage.ts'

/** What a run against a saboteur found. */
export type Trial = {
  /** Checks that failed. */
  caughtBy: string[]
  /** Whatever else is not as it is with the good simulator, told in full. */
  surprises: string[]
  /** How often the broken path ran; undefined where an option is all that is broken. */
  hits: number | undefined
  results: readonly Result[]
}

/** Certifies a simulator with one thing broken: by the checks named and their controls, by the full plan where none is. */
export const tryOut = async (saboteur: Saboteur, only: readonly string[] = saboteur.only ?? []): Promise<Trial> => {
  const { config, sabotage, uncounted, tier, profile = same, stopsOthers } = saboteur
  const hits = { count: 0 }
  const simulator = await startTestSimulator(config, dataDir => (sabotage ?? uncounted)?.(dataDir, hits) ?? {})
  try {
    const results = await certify(profile(profileOf(simulator)), only, tier)
    return {
      caughtBy: idsOf(results, 'fail'),
      surprises: othersThan(results, ...AS_USUAL, ...(stopsOthers ? STOPPED : [])).filter(isUnrelated(results)),
      hits: sabotage && hits.count,
      results,
    }
  } finally {
    await simulator.stop()
  }
}

/** What is not as the saboteur's row tells; nothing where it was caught by those who should, and by nobody else. */
export const faultsOf = ({ caughtBy }: Saboteur, trial: Trial): string[] => [
  ...caughtBy.filter(id => !trial.caughtBy.includes(id)).map(id => `${id} has not caught it`),
  ...trial.caughtBy.filter(id => !caughtBy.includes(id)).map(id => `${id} has caught it and should not`),
  ...trial.surprises,
  ...(trial.hits === 0 ? ['what is broken was never used'] : []),
]

/** Those that must catch a saboteur, and all that judge the same calls as they do: the neighbours that must keep quiet. */
export const witnessesOf = ({ caughtBy, through = [], only }: Saboteur): readonly string[] => {
  if (only) return only
  const journeys = JOURNEYS.filter(({ checks }) => checks.some(({ id }) => caughtBy.includes(id)))
  return [...through, ...journeys.flatMap(({ checks }) => checks.map(({ id }) => id))]
}

const AS_USUAL = ['pass', 'fail', 'observed', 'not applicable', 'withheld'] as const
const STOPPED = ['blocked', 'untestable', 'inconclusive'] as const

const same = <Value>(value: Value): Value => value

/** What is blocked because a check that was caught is its control is no surprise; all else is. */
const isUnrelated = (results: readonly Result[]) => (line: string) => {
  const [id, verdict] = line.split(/[ :]/)
  const control = results.find(result => result.id === id)?.control?.id
  const stopped = results.find(result => result.id === control)?.verdict
  return verdict !== 'blocked' || (stopped !== 'fail' && stopped !== 'blocked')
}
