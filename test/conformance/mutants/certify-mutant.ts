import type { CheckResult } from '../../../contracts/harness/judge/check.ts'
import { CHECK_SCENARIOS } from '../../../contracts/suites/index.ts'
import { startTestSimulator } from '../../support/caller-stopped-simulator.ts'
import { describeResultsExcept, idsWithVerdict, runSuites, simulatorProfileAt, withoutPauses } from '../run-suites.ts'
import type { Mutant } from './mutant.ts'

/** Result of running the checks against a mutant. */
type MutantRun = {
  /** Checks that failed. */
  caughtBy: string[]
  /** Other results that differ from those of the good simulator, as text. */
  surprises: string[]
  /** How often the mutated code ran; undefined where only an option is changed. */
  hits: number | undefined
  results: readonly CheckResult[]
}

/** Runs the named checks and their controls against a mutant; all checks where none is named. */
export const certifyMutant = async (
  saboteur: Mutant,
  only: readonly string[] = saboteur.only ?? [],
): Promise<MutantRun> => {
  const { config, mutation, uncounted, tier, profile = same, stopsOthers } = saboteur
  const hits = { count: 0 }
  const simulator = await startTestSimulator(config, dataDir => (mutation ?? uncounted)?.(dataDir, hits) ?? {})
  try {
    const results = await runSuites(profile(simulatorProfileAt(simulator)), only, tier, undefined, {
      clock: withoutPauses,
    })
    return {
      caughtBy: idsWithVerdict(results, 'fail'),
      surprises: describeResultsExcept(results, ...AS_USUAL, ...(stopsOthers ? STOPPED : [])).filter(
        isUnrelated(results),
      ),
      hits: mutation && hits.count,
      results,
    }
  } finally {
    await simulator.stop()
  }
}

/**
 * Returns the differences between a mutant's run and its row, as text; empty where exactly the checks in `caughtBy`
 * failed. Rows of the grids, whose rules hold everywhere, may catch any mutant; only in a run of the grids alone must
 * they be named. A bug of the suite counts in every row.
 */
export const unexpectedResults = ({ caughtBy, only }: Mutant, trial: MutantRun): string[] => {
  const isLooked = (result: string) => only?.includes('GRD') || !result.startsWith('GRD-')
  return [
    ...caughtBy.filter(id => !trial.caughtBy.includes(id)).map(id => `${id} has not caught it`),
    ...trial.caughtBy
      .filter(id => !caughtBy.includes(id) && isLooked(id))
      .map(id => `${id} has caught it and should not`),
    ...trial.surprises.filter(result => isLooked(result) || isOfTheSuite(result)),
    ...(trial.hits === 0 ? ['what is broken was never used'] : []),
  ]
}

const isOfTheSuite = (result: string) => result.split(/[:]/)[0]?.endsWith(' harness error')

/**
 * Returns the ids of the checks that must catch a mutant, and of all others of the same scenarios, which must not
 * fail.
 */
export const relatedChecks = ({ caughtBy, through = [], only }: Mutant): readonly string[] => {
  if (only) return only
  const journeys = CHECK_SCENARIOS.filter(({ checks }) => checks.some(({ id }) => caughtBy.includes(id)))
  return [...through, ...journeys.flatMap(({ checks }) => checks.map(({ id }) => id))]
}

const AS_USUAL = ['pass', 'fail', 'observed', 'not applicable', 'withheld'] as const
const STOPPED = ['blocked', 'untestable', 'inconclusive'] as const

const same = <Value>(value: Value): Value => value

/** Predicate: the result is not merely blocked by a control that failed. */
const isUnrelated = (results: readonly CheckResult[]) => (line: string) => {
  const [id, verdict] = line.split(/[ :]/)
  const control = results.find(result => result.id === id)?.control?.id
  const stopped = results.find(result => result.id === control)?.verdict
  return verdict !== 'blocked' || (stopped !== 'fail' && stopped !== 'blocked')
}
